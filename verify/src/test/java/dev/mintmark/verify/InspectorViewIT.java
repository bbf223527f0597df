package dev.mintmark.verify;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mintmark.Ulid;
import dev.mintmark.Uuids;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The inspector in a browser. */
@Tag("long")
class InspectorViewIT {
  @RegisterExtension static final ConsoleSession CONSOLE = new ConsoleSession();

  private static final String ULID = "01FZG96YPZK4SANAG1ZM5T2K9Z";

  /** Two milliseconds after {@link #ULID}. */
  private static final String LATER = "01FZG96YQ1K4SANAG1ZM5T2K9Z";

  private static final String DRAFT = "061ff8d8-e24b-7000-8092-ca1e5440d491";

  private final InspectorPage page = new InspectorPage(CONSOLE.driver());

  @Test
  void aFieldThatIsPointedAtIsHighlightedInTextAndBits() {
    page.open(CONSOLE.console(), "");
    page.inspect(ULID);

    page.pointAtField("timestamp");
    assertThat(page.litCharacters()).isEqualTo(range(0, 10));
    assertThat(page.litBits()).isEqualTo(range(0, 48));

    page.pointAtField("randomness");
    assertThat(page.litCharacters()).isEqualTo(range(10, 26));
    assertThat(page.litBits()).isEqualTo(range(48, 128));

    page.pointAtBit(3);
    assertThat(page.isFieldLit("timestamp")).isTrue();
    assertThat(page.litCharacters()).isEqualTo(range(0, 10));
  }

  @Test
  void aFieldThatHasTheFocusIsHighlightedInTextAndBits() {
    page.open(CONSOLE.console(), "");
    page.inspect("017F22E2-79B0-7CC3-98C4-DC0C0C07398F");

    page.focusField("rand_b");

    assertThat(page.readings()).containsExactly("uuidv7", "ulid");
    assertThat(page.litCharacters()).isEqualTo(range(19, 36));
    assertThat(page.litBits()).isEqualTo(range(66, 128));
  }

  @Test
  void anIdIsShownInEveryForm() {
    page.open(CONSOLE.console(), "id=" + ULID);
    page.awaitReadingsOf(ULID);

    assertThat(page.form("uuid")).isEqualTo("017fe093-7adf-9932-aaaa-01fd0ba14d3f");
    assertThat(page.form("time")).isEqualTo("2022-03-31T15:23:55.999Z");
    assertThat(page.form("int")).isEqualTo("1993204641137431665444657879740140863");
  }

  @Test
  void theDraftOfSeed001IsReadAsADraftFirstWithAWarning() {
    page.open(CONSOLE.console(), "");
    page.inspect(DRAFT);

    assertThat(page.readings()).containsExactly("uuidv7-draft", "uuidv7");
    assertThat(page.warningsOfTheFirstReading()).singleElement().asString().contains("draft");
  }

  @Test
  void aNumberHasReadingsOfWhichEachSaysWhyItStandsThere() {
    page.open(CONSOLE.console(), "");
    page.inspect("38352658567418872");

    assertThat(page.readings()).startsWith("snowflake-twitter").endsWith("sequence");
    assertThat(page.reasons()).hasSameSizeAs(page.readings()).allMatch(reason -> !reason.isBlank());
    assertThat(page.warningsOfTheFirstReading()).singleElement().asString().contains("JavaScript");

    page.pointAtField("timestamp");
    assertThat(page.litCharacters()).isEqualTo(range(0, 17));
    assertThat(page.litBits()).isEqualTo(range(1, 42));
  }

  @Test
  void anIdOfAnotherWidthThan128BitsIsHighlightedToo() {
    page.open(CONSOLE.console(), "");
    page.inspect("9m4e2mr0ui3e8a215n4g");

    page.pointAtField("machine");
    assertThat(page.litCharacters()).isEqualTo(range(6, 12));
    assertThat(page.litBits()).isEqualTo(range(32, 56));
  }

  @Test
  void aPrefixIsNoFieldOfTheIdBehindIt() {
    page.open(CONSOLE.console(), "");
    page.inspect("user_01FZG96YPZK4SANAG1ZM5T2K9Z");

    page.pointAtField("timestamp");
    assertThat(page.litCharacters()).isEqualTo(range(5, 15));
    assertThat(page.litBits()).isEqualTo(range(0, 48));
  }

  @ParameterizedTest
  @ValueSource(strings = {"ulid", "uuidv7", "uuidv4"})
  void aButtonMakesANewIdOfItsKindEachTime(String kind) {
    page.open(CONSOLE.console(), "");

    String first = page.regenerate(kind);
    String second = page.regenerate(kind);

    assertThat(page.readings()).first().isEqualTo(kind);
    assertThat(second).isNotEqualTo(first);
    assertThat(List.of(first, second))
        .allMatch(id -> kind.equals("ulid") ? Ulid.tryParse(id).isPresent() : isOf(kind, id));
  }

  @Test
  void everyKindThatIsMintedIsOffered() {
    page.open(CONSOLE.console(), "");
    page.openKindsWithSettings();

    assertThat(page.offeredKinds())
        .containsExactlyInAnyOrderElementsOf(
            CONSOLE.http().get("/v1/ids/kinds").json().findValuesAsString("kind"));
    assertThat(page.barriers()).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({
    "uuidv5, uuidv5",
    "uuidv3, uuidv3",
    "typeid, typeid",
    "snowflake, snowflake-twitter",
    "tsid, tsid"
  })
  void aFormMintsAKindThatRequiresSettings(String kind, String reading) {
    page.open(CONSOLE.console(), "");
    page.openKindsWithSettings();

    page.mintWithSettings(kind);

    assertThat(page.readings()).contains(reading);
  }

  @Test
  void anEmptyInputLeavesNothingBehind() {
    page.open(CONSOLE.console(), "id=" + ULID);
    page.awaitReadingsOf(ULID);
    assertThat(page.inspectorStatus()).contains("most likely ulid");

    page.emptyTheInput();

    assertThat(page.inspectorStatus()).isEmpty();
    assertThat(page.fragment()).doesNotContain("id=");
  }

  @Test
  void aNewIdThatComesLateDoesNotTakeThePlaceOfWhatWasTypedMeanwhile() {
    page.open(CONSOLE.console(), "id=" + ULID);
    page.awaitReadingsOf(ULID);
    page.holdPosts();
    page.pressRegenerate("uuidv4");
    page.inspect(DRAFT);

    page.letPostsThrough();

    assertThat(page.input()).isEqualTo(DRAFT);
    assertThat(page.inspected()).isEqualTo(DRAFT);
    assertThat(page.isBusy()).isFalse();
  }

  @Test
  void idsOfDifferentKindsStandSideBySideFieldUnderField() {
    page.open(CONSOLE.console(), "id=%s&id=%s&id=%s".formatted(DRAFT, ULID, LATER));
    page.awaitCompared(3);

    assertThat(page.compared()).containsExactly(DRAFT, ULID, LATER);
    assertThat(page.fieldsOfPart("Time")).containsExactly("unix_ts msec", "timestamp", "timestamp");
    assertThat(page.fieldsOfPart("Counter")).containsExactly("seq", "-", "-");
    assertThat(page.distances())
        .containsExactly("53 days 6 h later than A", "53 days 6 h later than A");
    assertThat(page.order("Time")).isEqualTo("A < B < C");
    assertThat(page.order("Text")).isEqualTo("B < C < A");
    assertThat(page.order("Bytes")).isEqualTo("B < C < A");
    assertThat(page.promises()).containsExactly("uuidv7-draft", "ulid");
  }

  @Test
  void anIdIsComparedWithAnotherAndEachCanBeMadeAnew() {
    page.open(CONSOLE.console(), "id=" + ULID);
    page.awaitReadingsOf(ULID);

    page.compareWithAnother();
    page.inspectBeside(LATER, 2);
    assertThat(page.distances()).containsExactly("2 ms later than A");
    assertThat(page.fragment()).isEqualTo("id=%s&id=%s".formatted(ULID, LATER));

    page.pressOfCompared(0, "regenerate-side");
    page.await("another id", () -> !page.compared().contains(ULID));
    page.await("the focus", () -> page.focusedTestId().equals("regenerate-side"));
    assertThat(page.compared()).hasSize(2).endsWith(LATER);

    page.back();
    page.await("the first id", () -> page.compared().contains(ULID));
    page.pressOfCompared(0, "remove-side");
    page.awaitReadingsOf(LATER);
    assertThat(page.focusedId()).isEqualTo("readings");
  }

  @Test
  void theHistoryIsOffUntilItIsSwitchedOnAndIsPartOfTheAddress() {
    page.open(CONSOLE.console(), "id=" + ULID);
    page.awaitReadingsOf(ULID);
    assertThat(page.keepsHistory()).isFalse();
    page.inspect(DRAFT);
    assertThat(page.past()).isEmpty();

    page.switchHistory();
    page.inspect(ULID);
    page.await("two ids", () -> page.past().equals(List.of(ULID, DRAFT)));
    assertThat(page.fragment()).isEqualTo("id=%s&past=%s&past=%s".formatted(ULID, ULID, DRAFT));

    page.pressPast(1);
    page.awaitReadingsOf(DRAFT);
    page.back();
    page.awaitReadingsOf(ULID);
    page.switchHistory();
    assertThat(page.fragment()).isEqualTo("id=" + ULID);
    assertThat(page.past()).isEmpty();
  }

  @Test
  void threeIdsOfOneMillisecondShowWhatEachOrderPromises() {
    page.open(CONSOLE.console(), "id=" + ULID);
    page.awaitReadingsOf(ULID);

    page.openStrips("ulid");

    assertThat(page.strips())
        .containsExactly("random", "ascending", "per-thread", "spec", "microsecond");
    assertThat(page.stripIds("ascending")).hasSize(3).isSorted();
    List<Long> spec =
        page.stripIds("spec").stream()
            .map(id -> Ulid.parse(id).toUuid().getLeastSignificantBits())
            .toList();
    assertThat(spec.get(1)).isEqualTo(spec.get(0) + 1);
    assertThat(page.stripChanges("random")).contains("Characters 1 to 10 never change");
    assertThat(page.stripChanges("spec")).contains("Character 26 always changes");
  }

  @Test
  void axeFindsNoBarrierInAnyStateAndAPhoneNeedsNoScrolling() {
    page.open(CONSOLE.console(), "id=%s&id=%s&id=nothing!&past=%s".formatted(DRAFT, ULID, ULID));
    page.awaitCompared(3);
    page.openStrips("uuidv7");
    assertThat(page.barriersInBothSchemes()).isEmpty();
    page.emulatePhone();
    assertThat(page.barriers()).isEmpty();
    assertThat(page.contentWidth()).isLessThanOrEqualTo(page.windowWidth());
    page.open(CONSOLE.console(), "id=nothing!");
    page.await("the reason", () -> page.inspectorStatus().contains("not recognised"));
    assertThat(page.barriers()).isEmpty();
    assertThat(page.contentWidth()).isLessThanOrEqualTo(page.windowWidth());
  }

  @Test
  void whatFailedIsTriedAgainOnRequest() {
    page.open(CONSOLE.console(), "id=" + ULID);
    page.awaitReadingsOf(ULID);
    CONSOLE.withoutServer(
        () -> {
          page.emptyTheInput();
          page.type(LATER);
          page.awaitOne("inspector-retry");
          assertThat(page.barriers()).isEmpty();
        });

    page.tryAgain();

    page.awaitReadingsOf(LATER);
  }

  private static Set<Integer> range(int first, int end) {
    return IntStream.range(first, end).boxed().collect(Collectors.toSet());
  }

  private static boolean isOf(String kind, String uuid) {
    return kind.equals("uuidv" + Uuids.parse(uuid).version());
  }
}
