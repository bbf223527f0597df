package dev.mintmark.postgres.search;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mintmark.Catalog;
import dev.mintmark.CollectionSpec;
import dev.mintmark.FaceChange;
import dev.mintmark.Keyring;
import dev.mintmark.Kind;
import dev.mintmark.Mask;
import dev.mintmark.NamespaceSpec;
import dev.mintmark.Puris;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SearchIdsTest {
  private static final UUID ID = UUID.fromString("017fe093-7adf-9932-aaaa-01fd0ba14d3f");
  private static final String ULID = "01FZG96YPZK4SANAG1ZM5T2K9Z";

  private static final CollectionSpec PAYMENTS =
      CollectionSpec.builder("payments", Kind.SEQUENCE)
          .prefix("PM")
          .width(6)
          .code("p")
          .aliases(List.of("debits"))
          .face(new CollectionSpec.Face("pay", "payments"))
          .build();
  private static final CollectionSpec MEATS =
      CollectionSpec.builder("meats", Kind.UUIDV7)
          .code("m")
          .face(new CollectionSpec.Face("meat", "meats"))
          .build();
  private static final CollectionSpec USERS =
      CollectionSpec.builder("users", Kind.TYPEID).prefix("user").build();
  private static final CollectionSpec TRACKS =
      CollectionSpec.builder("tracks", Kind.SNOWFLAKE).build();
  private static final CollectionSpec CUTS = CollectionSpec.builder("cuts", Kind.TEXT).build();
  private static final CollectionSpec OLD_MEATS =
      CollectionSpec.builder("old-meats", Kind.ULID).storage(Kind.Storage.TEXT).build();
  private static final CollectionSpec OLD_PAYMENTS =
      CollectionSpec.builder("old-payments", Kind.SEQUENCE)
          .storage(Kind.Storage.TEXT)
          .prefix("OP")
          .width(4)
          .build();
  private static final CollectionSpec LINKS = CollectionSpec.builder("links", Kind.NANOID).build();

  private static final Puris PURIS =
      Puris.of(
          new Catalog(
              new NamespaceSpec("bobsburgers", Optional.of("b"), List.of(PAYMENTS, MEATS, CUTS)),
              List.of(new NamespaceSpec("soundcloud", Optional.empty(), List.of(TRACKS))),
              List.of()));

  private static final Keyring KEYRING =
      Keyring.of('a', "0123456789abcdef0123456789ABCDEF".getBytes(StandardCharsets.US_ASCII));

  @ParameterizedTest
  @ValueSource(
      strings = {
        ULID,
        "01fzg96ypzk4sanag1zm5t2k9z",
        "01FZG96YPZ-K4SANAG1ZM5T2K9Z",
        "O1FZG96YPZK4SANAGlZM5T2K9Z",
        "017fe093-7adf-9932-aaaa-01fd0ba14d3f",
        "017FE0937ADF9932AAAA01FD0BA14D3F",
        "{017fe093-7adf-9932-aaaa-01fd0ba14d3f}",
        "URN:UUID:017fe093-7adf-9932-aaaa-01fd0ba14d3f",
      })
  void aUuidIsReadInEveryTextThatItHas(String text) {
    assertThat(SearchIds.UUIDS.read(text)).containsExactly(ID);
    assertThat(SearchIds.of(USERS).read(text)).containsExactly(ID);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "acme",
        "1",
        "0",
        "8ZZZZZZZZZZZZZZZZZZZZZZZZZ",
        "01FZG96YPZK4SANAG1ZM5T2K9",
        "01FZG96YPZK4SANAG1ZM5T2KU9",
        "017fe093-7adf-9932-aaaa-01fd0ba14d3",
        "' or 1=1 --",
        "é",
        "😀",
        "a:b:c",
        "a.b.c",
        "::",
        "%",
        "\\",
        "user_01fzg96ypzk4sanag1zm5t2k9z",
        "PM000123"
      })
  void whatIsNoIdentifierIsNoneOfTheColumn(String text) {
    assertThat(SearchIds.UUIDS.read(text)).isEmpty();
    assertThat(SearchIds.of(PURIS, "bobsburgers", "meats").withFaces(KEYRING).read(text)).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"PM000123", "pm123", "PM00000000000000000000000000000123", "123", "000123"})
  void aNumberIsReadBehindItsPrefixOrWithout(String text) {
    assertThat(SearchIds.of(PAYMENTS).read(text)).containsExactly(123L);
  }

  @ParameterizedTest
  @ValueSource(strings = {"PM", "MD000123", "-123", "9223372036854775808", "12a", "１２３", ULID})
  void whatIsNoNumberOfTheSequenceIsNone(String text) {
    assertThat(SearchIds.of(PAYMENTS).read(text)).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"user_01fzg96ypzk4sanag1zm5t2k9z", "USER_01FZG96YPZK4SANAG1ZM5T2K9Z", ULID})
  void aTypeIdIsReadBehindItsType(String text) {
    assertThat(SearchIds.of(USERS).read(text)).containsExactly(ID);
    assertThat(SearchIds.of(USERS).read(text.replace("user", "post").replace("USER", "post") + "x"))
        .isEmpty();
  }

  @Test
  void theTypeIdOfAnotherTypeIsNone() {
    assertThat(SearchIds.of(USERS).read("post_01fzg96ypzk4sanag1zm5t2k9z")).isEmpty();
  }

  @Test
  void aSnowflakeIsItsNumber() {
    assertThat(SearchIds.of(PURIS, "soundcloud", "tracks").read("1541815603606036480"))
        .containsExactly(1541815603606036480L);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "bobsburgers:payments:PM000123",
        "BobsBurgers:Payments:pm123",
        "bobsburgers:debits:PM123",
        "bobsburgers:payments:%50M123",
        "b.p.123",
        "B.P.123"
      })
  void aPuriOfTheCollectionIsRead(String text) {
    assertThat(SearchIds.of(PURIS, "bobsburgers", "payments").read(text)).containsExactly(123L);
    assertThat(SearchIds.of(PURIS, "BobsBurgers", "debits").read(text)).containsExactly(123L);
    assertThat(SearchIds.of(PAYMENTS).read(text)).isEmpty();
  }

  @Test
  void aPuriOfUuidsIsRead() {
    SearchIds meats = SearchIds.of(PURIS, "bobsburgers", "meats");

    assertThat(meats.read("bobsburgers:meats:" + ULID)).containsExactly(ID);
    assertThat(meats.read("b.m.AX_gk3rfmTKqqgH9C6FNPw")).containsExactly(ID);
  }

  @Test
  void aPuriOfAnotherCollectionIsNone() {
    assertThat(SearchIds.of(PURIS, "bobsburgers", "meats").read("bobsburgers:payments:PM000123"))
        .isEmpty();
    assertThat(SearchIds.of(PURIS, "bobsburgers", "payments").read("acme:payments:PM000123"))
        .isEmpty();
  }

  @Test
  void anUnknownCollectionIsRefused() {
    assertThatThrownBy(() -> SearchIds.of(PURIS, "bobsburgers", "fish"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("bobsburgers:fish");
  }

  @Test
  void facesAreOpenedInEitherCase() {
    String payment = Mask.ofNumbers(KEYRING, PAYMENTS.face().orElseThrow()).show(123L);
    String meat = Mask.ofUuids(KEYRING, MEATS.face().orElseThrow()).show(ID);

    SearchIds payments = SearchIds.of(PURIS, "bobsburgers", "payments").withFaces(KEYRING);
    assertThat(payments.read(payment)).containsExactly(123L);
    assertThat(payments.read(payment.toUpperCase(Locale.ROOT))).containsExactly(123L);
    assertThat(payments.read("PM000123")).containsExactly(123L);
    assertThat(payments.read("b.p.123")).containsExactly(123L);
    assertThat(payments.read(meat)).isEmpty();
    assertThat(SearchIds.of(MEATS).withFaces(KEYRING).read(meat)).containsExactly(ID);
    assertThat(SearchIds.of(MEATS).read(meat)).isEmpty();
  }

  @Test
  void oldMasksAreFoundAfterTheirEnd() {
    CollectionSpec.Face old = new CollectionSpec.Face("p", "payments");
    CollectionSpec changed =
        CollectionSpec.builder("payments", Kind.SEQUENCE)
            .face(PAYMENTS.face().orElseThrow())
            .faceChange(FaceChange.ofMask(old, Instant.EPOCH, "_str"))
            .build();
    SearchIds payments = SearchIds.of(changed).withFaces(KEYRING);

    assertThat(payments.read(Mask.ofNumbers(KEYRING, old).show(123L))).containsExactly(123L);
    assertThat(payments.read(Mask.ofNumbers(KEYRING, PAYMENTS.face().orElseThrow()).show(123L)))
        .containsExactly(123L);
  }

  @Test
  void whereFacesHideSomethingNothingElseIsRead() {
    String meat = Mask.ofUuids(KEYRING, MEATS.face().orElseThrow()).show(ID);
    SearchIds faces = SearchIds.ofFaces(MEATS, KEYRING);

    assertThat(faces.read(meat)).containsExactly(ID);
    assertThat(faces.read(ULID)).isEmpty();
    assertThat(faces.beginningWith("01FZG9")).isEmpty();
    assertThatThrownBy(() -> SearchTable.of("meats").column("^id", faces))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void facesNeedADeclaredFace() {
    assertThatThrownBy(() -> SearchIds.UUIDS.withFaces(KEYRING))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("declares no face");
  }

  @Test
  void aTextIsReadAsTheCanonicalOne() {
    assertThat(SearchIds.of(OLD_MEATS).read(ID.toString())).containsExactly(ULID);
    assertThat(SearchIds.of(OLD_PAYMENTS).read("op7")).containsExactly("OP0007");
    assertThat(SearchIds.of(CUTS).read("Chicken-Prime")).containsExactly("chicken-prime");
    assertThat(SearchIds.of(LINKS).read("V1StGXR8_Z5jdHi6B-myT"))
        .containsExactly("V1StGXR8_Z5jdHi6B-myT");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "01FZG96YPZ-K4SANAG1ZM5T2K9Z",
        "O1FZG96YPZK4SANAGlZM5T2K9Z",
        "017FE0937ADF9932AAAA01FD0BA14D3F",
        "{017fe093-7adf-9932-aaaa-01fd0ba14d3f}",
        "URN:UUID:017fe093-7adf-9932-aaaa-01fd0ba14d3f",
      })
  void aTextThatStandsForAUuidIsReadAsPeopleTypeIt(String text) {
    assertThat(SearchIds.of(OLD_MEATS).read(text)).containsExactly(ULID);
    for (Kind kind : List.of(Kind.UUIDV7, Kind.UUIDV4)) {
      CollectionSpec kept = CollectionSpec.builder("kept", kind).storage(Kind.Storage.TEXT).build();
      assertThat(SearchIds.of(kept).read(text)).as("%s", kind).containsExactly(ID.toString());
    }
    CollectionSpec users =
        CollectionSpec.builder("users", Kind.TYPEID)
            .prefix("user")
            .storage(Kind.Storage.TEXT)
            .build();
    assertThat(SearchIds.of(users).read(text)).containsExactly("user_01fzg96ypzk4sanag1zm5t2k9z");
  }

  @ParameterizedTest
  @ValueSource(strings = {"7", "0007", "op7", "OP0007"})
  void aTextThatStandsForANumberIsReadWithoutItsPrefixToo(String text) {
    assertThat(SearchIds.of(OLD_PAYMENTS).read(text)).containsExactly("OP0007");
  }

  @Test
  void aTextMayBeAPuriAndItself() {
    assertThat(SearchIds.of(PURIS, "bobsburgers", "cuts").read("bobsburgers:cuts:Chicken"))
        .containsExactlyInAnyOrder("bobsburgers:cuts:chicken", "chicken");
  }

  @Test
  void aBeginningIsReadAsOfAUlidAndOfAUuid() {
    UuidRange ulids = UuidRange.ofUlids("0123").orElseThrow();
    UuidRange hex = UuidRange.ofHex("0123").orElseThrow();

    assertThat(SearchIds.UUIDS.beginningWith("0123")).containsExactly(ulids, hex);
    assertThat(SearchIds.UUIDS.beginningWith("01-23")).containsExactly(hex);
    assertThat(SearchIds.UUIDS.beginningWith("8123"))
        .containsExactly(UuidRange.ofHex("8123").orElseThrow());
    assertThat(SearchIds.UUIDS.beginningWith("01FZG9"))
        .containsExactly(UuidRange.ofUlids("01FZG9").orElseThrow());
    assertThat(SearchIds.UUIDS.beginningWith("acme")).hasSize(0);
    assertThat(SearchIds.of(USERS).beginningWith("USER_01fzg9"))
        .containsExactly(UuidRange.ofUlids("01FZG9").orElseThrow());
    assertThat(SearchIds.of(PAYMENTS).beginningWith("0123"))
        .containsExactly(new SequenceRange(12_300L, 12_399L));
    assertThat(SearchIds.of(PAYMENTS).beginningWith("pm0123"))
        .containsExactly(new SequenceRange(12_300L, 12_399L));
    assertThat(SearchIds.of(PAYMENTS).beginningWith("MD0123")).isEmpty();
    assertThat(SearchIds.of(TRACKS).beginningWith("0123")).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"id", "=id", "@id", "$id"})
  void identifiersAreLookedUpAsSuchOnly(String declaration) {
    assertThatThrownBy(() -> SearchTable.of("t").column(declaration, SearchIds.UUIDS))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(declaration)
        .hasMessageContaining("expected the lookup '#' or '^'");
  }

  @Test
  void onlyUuidsAndSequencesHaveBeginnings() {
    assertThatThrownBy(() -> SearchTable.of("t").column("^number", SearchIds.of(TRACKS)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("column \"^number\" of identifiers kept as bigint: expected the lookup '#'");
  }
}
