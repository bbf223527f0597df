package dev.mintmark.app.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mintmark.Form;
import dev.mintmark.Inspector;
import dev.mintmark.Kind;
import dev.mintmark.MintException;
import dev.mintmark.Reading;
import dev.mintmark.Uuids;
import dev.mintmark.app.service.MintedKind.Setting;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

class MintedKindTest {
  private static final Instant AT = Instant.parse("2022-02-06T03:45:31.523456700Z");
  private static final MintRequest.Settings EXAMPLE_ORG = ofName("dns", "example.org");

  private static MintRequest.Settings ofName(String namespace, @Nullable String name) {
    return new MintRequest.Settings(
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Optional.of(namespace),
        Optional.ofNullable(name));
  }

  /** Settings with everything that the kind requires. */
  private static MintRequest.Settings needed(MintedKind kind) {
    List<Setting> required = kind.required();
    return new MintRequest.Settings(
        Optional.empty(),
        Optional.of(7).filter(node -> required.contains(Setting.NODE)),
        Optional.of("user").filter(prefix -> required.contains(Setting.PREFIX)),
        Optional.of("dns").filter(namespace -> required.contains(Setting.NAMESPACE)),
        Optional.of("example.org").filter(name -> required.contains(Setting.NAME)));
  }

  private static List<String> minted(MintedKind kind, int count) {
    Supplier<String> source = kind.source(ProcessMints.ofNow(), needed(kind), Optional.empty());
    return Stream.generate(source).filter(id -> !isWord(kind, id)).limit(count).toList();
  }

  /** One NanoID in some 30 million has lower-case letters alone, and is not read as one. */
  private static boolean isWord(MintedKind kind, String id) {
    return kind.label().equals("nanoid") && id.matches("[a-z_-]+");
  }

  @ParameterizedTest
  @MethodSource("dev.mintmark.app.service.MintedKind#all")
  void whatIsMintedIsReadAsItsKind(MintedKind kind) {
    for (String id : minted(kind, 200)) {
      List<Reading> readings = Inspector.inspect(id);
      // A few NanoIDs look like a key with a prefix: t_JvMMm3jGEo-Sf8G09pZ.
      int rank = kind.label().equals("nanoid") ? readings.size() - 1 : 0;
      Reading likely = readings.get(rank);

      assertThat(likely.kind().replace("snowflake-twitter", "snowflake"))
          .as(id)
          .isEqualTo(kind.label());
      assertThat(likely.warnings())
          .allSatisfy(warning -> assertThat(warning).containsPattern("draft|JavaScript"));
    }
  }

  @ParameterizedTest
  @MethodSource("dev.mintmark.app.service.MintedKind#all")
  void aKindIsNotMintedWithoutEachSettingThatItRequires(MintedKind kind) {
    if (!kind.required().isEmpty()) {
      assertThatThrownBy(
              () -> kind.source(ProcessMints.ofNow(), MintRequest.Settings.NONE, Optional.empty()))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining(kind.required().get(0).label());
    }
    if (!kind.required().contains(Setting.NAME)) {
      assertThatThrownBy(() -> kind.source(ProcessMints.ofNow(), EXAMPLE_ORG, Optional.empty()))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessage(
              "kind %s is not made of a name: uuidv3 and uuidv5 are".formatted(kind.label()));
    }
  }

  @Test
  void namesBecomeTheIdsOfTheRfc() {
    MintRequest.Settings www = ofName("DNS", "www.example.com");

    assertThat(mintOne(UuidVersion.UUIDV3, www)) // RFC 9562 appendix A.2
        .isEqualTo("5df41881-3aed-3515-88a7-2f4a814cf09e");
    assertThat(mintOne(UuidVersion.UUIDV5, www)) // RFC 9562 appendix A.4
        .isEqualTo("2ed6657d-e927-568b-95e1-2665a8aea6a2");
    assertThat(
            mintOne(UuidVersion.UUIDV5, ofName(Uuids.NAMESPACE_DNS.toString(), "www.example.com")))
        .isEqualTo("2ed6657d-e927-568b-95e1-2665a8aea6a2");
  }

  private static String mintOne(MintedKind kind, MintRequest.Settings settings) {
    return kind.source(ProcessMints.at(AT), settings, Optional.empty()).get();
  }

  @ParameterizedTest
  @EnumSource(
      value = UuidVersion.class,
      names = {"UUIDV1", "UUIDV6", "UUIDV7_DRAFT"})
  void theTimeIsTheOneThatWasAskedFor(UuidVersion kind) {
    MintRequest.Settings none = MintRequest.Settings.NONE;
    String id = kind.source(ProcessMints.at(AT), none, Optional.empty()).get();
    String time = kind.source(ProcessMints.at(AT), none, Optional.of(Form.TIME)).get();

    boolean isDraft = kind == UuidVersion.UUIDV7_DRAFT;
    Instant expected = isDraft ? AT.truncatedTo(ChronoUnit.MILLIS) : AT;
    assertThat(Inspector.inspect(id).get(0).time()).contains(expected);
    assertThat(time).isEqualTo("2022-02-06T03:45:31.523Z");
  }

  @Test
  void theNodeOfVersion1And6IsNoNetworkCardAndNeverTheSame() {
    for (UuidVersion kind : List.of(UuidVersion.UUIDV1, UuidVersion.UUIDV6)) {
      List<Long> nodes = minted(kind, 100).stream().map(UUID::fromString).map(Uuids::node).toList();

      assertThat(nodes).doesNotHaveDuplicates();
      assertThat(nodes).allMatch(node -> (node >>> 40 & 1) == 1);
    }
  }

  @Test
  void draftsAscendAndCountWithinTheMillisecond() {
    List<UUID> drafts =
        minted(UuidVersion.UUIDV7_DRAFT, 20_000).stream().map(UUID::fromString).toList();

    assertThat(drafts).isSortedAccordingTo(Uuids.UNSIGNED).doesNotHaveDuplicates();
    assertThat(drafts.get(0).getMostSignificantBits() & 0xFFF).isZero();
  }

  @Test
  void aFixedTimeHasRoomFor4096Drafts() {
    Supplier<String> source =
        UuidVersion.UUIDV7_DRAFT.source(
            ProcessMints.at(AT), MintRequest.Settings.NONE, Optional.empty());

    assertThat(Stream.generate(source).limit(4096)).doesNotHaveDuplicates();
    assertThatThrownBy(source::get)
        .isInstanceOf(MintException.class)
        .hasMessage(
            "time 2022-02-06T03:45:31.523456700Z has room for 4,096 of kind uuidv7-draft: all are"
                + " minted");
  }

  @Test
  void badNamesAndNamespacesAreRejected() {
    assertThatThrownBy(() -> mintOne(UuidVersion.UUIDV5, ofName("dsn", "a")))
        .hasMessage("namespace is \"dsn\": expected dns, url, oid, x500 or a UUID");
    assertThatThrownBy(() -> mintOne(UuidVersion.UUIDV5, ofName("dns", null)))
        .hasMessage("kind uuidv5 needs a name: the text that it identifies, such as example.org");
    assertThatThrownBy(() -> mintOne(UuidVersion.UUIDV3, ofName("dns", "a".repeat(1025))))
        .hasMessage("name has 1,025 characters: expected at most 1,024");
    assertThat(mintOne(UuidVersion.UUIDV3, ofName("dns", "a".repeat(1024)))).hasSize(36);
    assertThat(mintOne(UuidVersion.UUIDV3, ofName("dns", ""))).hasSize(36);
  }

  @Test
  void kindsAreReadInEitherLetterCaseAndTypingErrorsAreGuessed() {
    assertThat(MintedKind.parse("ULID")).isEqualTo(new MintedKind.OfColumn(Kind.ULID));
    assertThat(MintedKind.parse("UUIDv7-Draft")).isEqualTo(UuidVersion.UUIDV7_DRAFT);
    assertThatThrownBy(() -> MintedKind.parse("uuidv9"))
        .hasMessageStartingWith(
            "unknown kind \"uuidv9\": did you mean \"uuidv7\"? expected one of ulid,");
    assertThatThrownBy(() -> mintOne(MintedKind.parse("sequence"), MintRequest.Settings.NONE))
        .hasMessageStartingWith("kind sequence cannot be minted here");
  }
}
