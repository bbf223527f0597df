package dev.mintmark.verify;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.mintmark.Block;
import dev.mintmark.Ulid;
import dev.mintmark.Uuids;
import dev.mintmark.verify.HttpApi.Answer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.openqa.selenium.Keys;
import org.openqa.selenium.chrome.ChromeDriver;

/** The console in a browser. Every test that changes a pool has a pool of its own. */
class ConsoleIT {
  private static final String ULID = "01FZG96YPZK4SANAG1ZM5T2K9Z";
  private static final String DRAFT = "061ff8d8-e24b-7000-8092-ca1e5440d491";

  private static @Nullable ChromeDriver driver;
  private static @Nullable RunningServer running;
  private static Path directory = Path.of("");

  private ConsolePage page = page();

  @BeforeAll
  static void start(@TempDir Path temporary) {
    directory = temporary;
    Optional<ChromeDriver> browser = Browser.start(directory);
    if (browser.isEmpty()) {
      System.err.println("NOT TESTED: the console: no chromium and chromedriver are installed");
    }
    assumeTrue(browser.isPresent());
    driver = browser.get();
    running = serve(0);
  }

  @AfterAll
  static void stop() {
    if (driver != null) {
      driver.quit();
    }
    if (running != null) {
      running.close();
    }
  }

  @AfterEach
  void endEmulation() {
    page.endEmulation();
  }

  @Test
  void aFieldThatIsPointedAtIsHighlightedInTextAndBits() {
    page.open(server().console(), "");
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
    page.open(server().console(), "");
    page.inspect("017F22E2-79B0-7CC3-98C4-DC0C0C07398F");

    page.focusField("rand_b");

    assertThat(page.readings()).containsExactly("uuidv7", "ulid");
    assertThat(page.litCharacters()).isEqualTo(range(19, 36));
    assertThat(page.litBits()).isEqualTo(range(66, 128));
  }

  @Test
  void anIdIsShownInEveryForm() {
    page.open(server().console(), "id=" + ULID);
    page.awaitReadingsOf(ULID);

    assertThat(page.form("uuid")).isEqualTo("017fe093-7adf-9932-aaaa-01fd0ba14d3f");
    assertThat(page.form("time")).isEqualTo("2022-03-31T15:23:55.999Z");
    assertThat(page.form("int")).isEqualTo("1993204641137431665444657879740140863");
  }

  @Test
  void theDraftOfSeed001IsReadAsADraftFirstWithAWarning() {
    page.open(server().console(), "");
    page.inspect(DRAFT);

    assertThat(page.readings()).containsExactly("uuidv7-draft", "uuidv7");
    assertThat(page.warningsOfTheFirstReading()).singleElement().asString().contains("draft");
  }

  @Test
  void aNumberHasReadingsOfWhichEachSaysWhyItStandsThere() {
    page.open(server().console(), "");
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
    page.open(server().console(), "");
    page.inspect("9m4e2mr0ui3e8a215n4g");

    page.pointAtField("machine");
    assertThat(page.litCharacters()).isEqualTo(range(6, 12));
    assertThat(page.litBits()).isEqualTo(range(32, 56));
  }

  @Test
  void aPrefixIsNoFieldOfTheIdBehindIt() {
    page.open(server().console(), "");
    page.inspect("user_01FZG96YPZK4SANAG1ZM5T2K9Z");

    page.pointAtField("timestamp");
    assertThat(page.litCharacters()).isEqualTo(range(5, 15));
    assertThat(page.litBits()).isEqualTo(range(0, 48));
  }

  @ParameterizedTest
  @ValueSource(strings = {"ulid", "uuidv7", "uuidv4"})
  void aButtonMakesANewIdOfItsKindEachTime(String kind) {
    page.open(server().console(), "");

    String first = page.regenerate(kind);
    String second = page.regenerate(kind);

    assertThat(page.readings()).first().isEqualTo(kind);
    assertThat(second).isNotEqualTo(first);
    assertThat(List.of(first, second))
        .allMatch(id -> kind.equals("ulid") ? Ulid.tryParse(id).isPresent() : isOf(kind, id));
  }

  @Test
  void anEmptyInputLeavesNothingBehind() {
    page.open(server().console(), "id=" + ULID);
    page.awaitReadingsOf(ULID);
    assertThat(page.inspectorStatus()).contains("most likely ulid");

    page.emptyTheInput();

    assertThat(page.inspectorStatus()).isEmpty();
    assertThat(page.fragment()).doesNotContain("id=");
  }

  @Test
  void aNewIdThatComesLateDoesNotTakeThePlaceOfWhatWasTypedMeanwhile() {
    page.open(server().console(), "id=" + ULID);
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
  void thePoolOfTheArticleHas2044CellsAndAllAreFree() {
    page.open(server().console(), "pool=public-ipv4");
    page.awaitMap();

    assertThat(page.cells()).isEqualTo(2_044);
    assertThat(page.cellsThatAre("free")).isEqualTo(2_044);
    assertThat(page.count("free")).isEqualTo("2,044");
    assertThat(page.count("held")).isEqualTo("0");
  }

  @Test
  void aClaimMadeElsewhereAppearsWithoutAReload() {
    open("live", "10.1.0.0/28");

    Answer claim = server().http().claim("live", "vm-elsewhere");
    String value = claim.get("value");

    page.await("a held cell", () -> page.stateOf(value).equals("held"));
    assertThat(page.labelOf(value)).isEqualTo(value + ", held");
    assertThat(page.cellsThatAre("held")).isEqualTo(1);
    page.select(value);
    page.await("the client", () -> page.details().contains("vm-elsewhere"));
    assertThat(page.details()).contains(value, claim.get("token"));
    assertThat(page.count("held")).isEqualTo("1");
  }

  @Test
  void aValueIsReleasedByKeyboardAloneAndQuarantined() {
    open("keyboard", "10.2.0.0/28");
    String value = server().http().claim("keyboard", "vm-1").get("value");
    page.await("a held cell", () -> page.stateOf(value).equals("held"));

    page.tabTo("jump");
    page.type(value);
    page.press(Keys.ENTER);
    page.tabTo("cell");
    assertThat(page.focusedValue()).isEqualTo(value);
    page.await("who holds it", () -> page.details().contains("vm-1"));
    page.press(Keys.ENTER);
    assertThat(page.focusedTestId()).isEqualTo("release");
    page.press(Keys.ENTER);
    assertThat(page.focusedTestId()).isEqualTo("release-confirm");
    page.press(Keys.ENTER);

    page.await("a quarantined cell", () -> page.stateOf(value).equals("quarantined"));
    assertThat(page.labelOf(value)).isEqualTo(value + ", quarantined");
    assertThat(page.focusedValue()).isEqualTo(value);
    assertThat(server().get("/v1/pools/keyboard/claims/" + value).status()).isEqualTo(404);
  }

  @Test
  void theFormClaimsAValueAndSaysWhenItIsHeldAlready() {
    open("form", "10.3.0.0/28");

    page.claim("vm-form", "acme");
    page.await("a grant", () -> page.claimResult().startsWith("Granted: vm-form holds 10.3.0."));
    page.await("a held cell", () -> page.cellsThatAre("held") == 1);
    page.await("its details", () -> page.details().contains("acme"));

    page.claim("vm-form", "");
    page.await("a refusal", () -> page.claimResult().startsWith("Already held: vm-form has"));
    assertThat(page.cellsThatAre("held")).isEqualTo(1);
  }

  @Test
  void aPoolHasAPageOfItsOwnThatIsLinkedFromTheList() {
    open("own-page", "10.6.0.0/28");

    assertThat(page.title()).startsWith("own-page");
    assertThat(page.showsTheInspector()).isFalse();
    page.followAllPools();
    page.await("the overview", page::showsTheInspector);
    page.followPool("own-page");
    page.await("the page", () -> !page.showsTheInspector());

    assertThat(page.fragment()).isEqualTo("pool=own-page");
    assertThat(page.poolTitle()).isEqualTo("own-page");
  }

  @Test
  void theSkipLinkToThePoolsStaysOnThePageOfAPool() {
    open("skip", "10.8.0.0/28");

    page.followSkipLink("pools");
    assertThat(page.fragment()).isEqualTo("pool=skip");
    assertThat(page.focusedId()).isEqualTo("pools");

    page.followSkipLink("inspector");
    assertThat(page.showsTheInspector()).isTrue();
    assertThat(page.focusedId()).isEqualTo("inspector");
  }

  @Test
  void aPageSaysThatThereIsNoSuchPool() {
    page.open(server().console(), "pool=nowhere");

    page.await("a note", () -> page.poolsMessage().equals("There is no pool “nowhere”."));
  }

  @Test
  void blocksAreShownWithTheirUseAndWhetherTheyAreDrained() {
    open("two-blocks", "10.7.0.0/28");
    HttpApi http = server().http();
    assertThat(http.post("/v1/pools/two-blocks/blocks", "{\"block\": \"10.7.1.0/30\"}").status())
        .isEqualTo(201);
    http.post("/v1/pools/two-blocks/claims", "{\"client\": \"a\", \"value\": \"10.7.1.1\"}");
    http.patch("/v1/pools/two-blocks/blocks?block=10.7.1.0/30", "{\"drains\": true}");

    page.await("two blocks", () -> page.blocks().size() == 2);
    page.await("its draining", () -> page.blocks().get(1).contains("drained"));

    assertThat(page.blocks().get(0)).matches("10\\.7\\.0\\.0/28 \\| 0 % held \\| 14 .*\\| 14");
    assertThat(page.blocks().get(1)).contains("50 % held").endsWith("2 | 1 | 0 | 1 | 0");
    assertThat(page.stateOf("10.7.1.2")).isEqualTo("draining");
    assertThat(page.labelOf("10.7.1.2")).isEqualTo("10.7.1.2, draining");
    assertThat(page.count("draining")).isEqualTo("1");
  }

  @Test
  void severalAndNamedValuesAreClaimedAndReleasedFromTheTable() {
    String body =
        "{\"name\": \"table\", \"range\": \"1..9\", \"per_client\": 3, \"lease\": \"1h\"}";
    assertThat(server().http().post("/v1/pools", body).status()).isEqualTo(201);
    page.open(server().console(), "pool=table");
    page.awaitMap();

    page.claimSeveral("a", 2);
    page.await("a grant", () -> page.claimResult().startsWith("Granted: a holds "));
    page.claimSeveral("b", 4);
    page.await("a refusal", () -> page.claimResult().contains("may hold 3"));
    page.fillCount("");
    String free = page.firstValueThatIs("free");
    page.claimByName("b", free);
    page.await("a grant", () -> page.claimResult().startsWith("Granted: b holds " + free));
    page.await("three claims", () -> page.claimedValues().size() == 3);

    page.releaseFromTable(free);
    page.await("a release", () -> page.claimsSaid().equals(free + " was released."));
    page.await("two claims", () -> page.claimedValues().size() == 2);
    page.jumpTo(free);
    page.await("who held it", () -> page.history().contains("b released"));
    page.renewFromTable(page.claimedValues().get(0));
    page.await("a renewal", () -> page.claimsSaid().endsWith(" was renewed."));
  }

  @Test
  void claimsAreFoundByTheirClient() {
    open("find", "10.9.0.0/28");
    String value = server().http().claim("find", "a").get("value");
    server().http().claim("find", "b");
    page.await("two claims", () -> page.claimedValues().size() == 2);

    page.findClaims("a");
    page.await("the claim of a", () -> page.claimedValues().equals(List.of(value)));
    page.findClaims("c");
    page.await("a note", () -> page.claimsNote().equals("Client “c” holds no value."));
    page.clearClaimsFilter();
    page.await("two claims", () -> page.claimedValues().size() == 2);
  }

  @Test
  void aVastPoolIsShownInWindowsAndItsCountsCanBeRead() {
    String body = "{\"name\": \"vast\", \"blocks\": [\"2001:db8:7::/64\"]}";
    assertThat(server().http().post("/v1/pools", body).status()).isEqualTo(201);
    page.open(server().console(), "pool=vast");
    page.awaitMap();
    String deep = "2001:db8:7:0:3fff:ffff:ffff:fffe";

    page.jumpTo("2001:DB8:7::3fff:ffff:ffff:fffe");
    page.await("the window of " + deep, () -> page.selectedValue().equals(deep));

    assertThat(page.cells()).isEqualTo(4_096);
    assertThat(page.count("free")).isEqualTo("1.84 × 10¹⁹");
    page.jumpTo("2001:db8:8::1");
    page.await("a refusal", () -> page.jumpSaid().contains("has no value"));
  }

  @Test
  void listsAndRunsAreDrawnByTheirOwnValues() {
    HttpApi http = server().http();
    http.post(
        "/v1/pools",
        "{\"name\": \"codes\", \"lists\": [{\"name\": \"spring\", \"values\": [\"B-1\", \"A-2\"]}]}");
    http.post("/v1/pools", "{\"name\": \"runs\", \"range\": \"1..250 by 100\"}");

    page.open(server().console(), "pool=codes");
    page.awaitMap();
    assertThat(page.values()).containsExactly("B-1", "A-2");
    page.open(server().console(), "pool=runs");
    page.awaitMap();
    assertThat(page.values()).containsExactly("1..100", "101..200", "201..250");
    page.jumpTo("101..200");
    page.await("the run", () -> page.selectedValue().equals("101..200"));
  }

  @Test
  void theArrowKeysMoveFromCellToCell() {
    open("arrows", "10.4.0.0/24");

    page.tabTo("cell");
    assertThat(page.focusedValue()).isEqualTo("10.4.0.1");
    page.press(Keys.ARROW_RIGHT);
    page.press(Keys.ARROW_RIGHT);
    assertThat(page.focusedValue()).isEqualTo("10.4.0.3");
    page.press(Keys.ARROW_LEFT);
    assertThat(page.focusedValue()).isEqualTo("10.4.0.2");
    page.press(Keys.ARROW_DOWN);
    assertThat(page.focusedValue()).matches("10\\.4\\.0\\.(18|34|66)");
    page.press(Keys.ARROW_UP);
    assertThat(page.focusedValue()).isEqualTo("10.4.0.2");
    assertThat(page.details()).contains("10.4.0.2");
  }

  @Test
  void onAPhoneNothingScrollsSideways() {
    page.emulatePhone();
    page.open(server().console(), "id=" + DRAFT + "&pool=public-ipv4");
    page.awaitMap();
    page.awaitReadingsOf(DRAFT);

    assertThat(page.windowWidth()).isEqualTo(390);
    assertThat(page.contentWidth()).isLessThanOrEqualTo(390);
    String body = "{\"name\": \"narrow\", \"blocks\": [\"2001:db8:9::/96\"], \"lease\": \"1h\"}";
    assertThat(server().http().post("/v1/pools", body).status()).isEqualTo(201);
    server().http().claim("narrow", "x".repeat(255));
    page.open(server().console(), "pool=narrow");
    page.await("a claim", () -> page.claimedValues().size() == 1);
    assertThat(page.contentWidth()).isLessThanOrEqualTo(390);
  }

  @Test
  void theBackgroundIsDarkForThoseWhoWantItDark() {
    page.emulateColorScheme("light");
    page.open(server().console(), "");
    String light = page.background();

    page.emulateColorScheme("dark");

    assertThat(luminance(light)).isGreaterThan(200);
    assertThat(luminance(page.background())).isLessThan(50);
  }

  @Test
  void nothingComesFromElsewhereAndNothingIsComplainedOf() {
    page.open(server().console(), "id=" + ULID + "&pool=public-ipv4");
    page.awaitMap();
    page.awaitReadingsOf(ULID);
    page.regenerate("ulid");

    assertThat(page.title()).contains("Mintmark");
    assertThat(page.loadedFrom())
        .hasSizeGreaterThan(10)
        .allMatch(url -> url.startsWith(server().console().toString()));
    assertThat(page.logs()).isEmpty();
  }

  @Test
  void aLostConnectionIsSaidAndFoundAgain() {
    open("lost", "10.5.0.0/28");
    int port = server().port();

    server().close();
    try {
      page.await("a note", page::saysThatTheConnectionIsLost);
    } finally {
      running = serve(port);
    }

    page.await("the note to go", () -> !page.saysThatTheConnectionIsLost());
    String value = server().http().claim("lost", "vm-back").get("value");
    page.await("a held cell", () -> page.stateOf(value).equals("held"));
  }

  /**
   * {@code -Dmintmark.golden=write} takes the picture anew, and writes what it shows. Look at it
   * before it is committed.
   */
  @Test
  void thePictureInTheReadmeIsOfThisConsole() throws IOException {
    Path docs = Checkout.root().resolve("docs");
    try (RunningServer pictured =
        RunningServer.start(Mintmark.in(directory), directory.resolve("pictured"))) {
      occupy(pictured.http());
      page.open(pictured.console(), "id=" + ULID);
      page.awaitReadingsOf(ULID);
      page.awaitMap();
      page.await("held values", () -> page.count("held").equals("300"));
      page.await("quarantined values", () -> page.count("quarantined").equals("60"));
      page.emulatePaper(1440, 6);
      if (System.getProperty("mintmark.golden", "").equals("write")) {
        Files.write(docs.resolve("console.png"), page.picture());
        Files.write(docs.resolve("console.txt"), page.outline());
      }

      assertThat(page.outline())
          .as("docs/console.png is of another console: take it anew with -Dmintmark.golden=write")
          .isEqualTo(Files.readAllLines(docs.resolve("console.txt")));
    }
  }

  /** Has values of the example pool held and quarantined, the same ones each time. */
  private static void occupy(HttpApi http) {
    List<String> values =
        Stream.of("45.67.80.0/22", "203.0.112.0/22")
            .map(Block::parse)
            .flatMap(
                block -> IntStream.range(0, 1_022).mapToObj(position -> block.valueAt(position)))
            .collect(Collectors.toCollection(ArrayList::new));
    Collections.shuffle(values, new Random(1));
    for (int i = 0; i < 300; i++) {
      String claim = "{\"client\": \"vm-%d\", \"value\": \"%s\"}".formatted(i, values.get(i));
      assertThat(http.post("/v1/pools/public-ipv4/claims", claim).status()).isEqualTo(201);
    }
    String quarantined = String.join("\", \"", values.subList(300, 360));
    String body = "{\"values\": [\"%s\"], \"for\": \"1h\"}".formatted(quarantined);
    assertThat(http.post("/v1/pools/public-ipv4/quarantine", body).status()).isEqualTo(200);
  }

  /** Creates a pool and shows its map. */
  private void open(String pool, String block) {
    String body =
        "{\"name\": \"%s\", \"blocks\": [\"%s\"], \"quarantine\": \"10m\"}".formatted(pool, block);
    assertThat(server().http().post("/v1/pools", body).status()).isEqualTo(201);
    page.open(server().console(), "pool=" + pool);
    page.awaitMap();
    assertThat(page.cellsThatAre("free")).isEqualTo(page.cells());
  }

  private static RunningServer serve(int port) {
    return RunningServer.start(
        Mintmark.in(directory),
        "--port",
        Integer.toString(port),
        "--data",
        directory.resolve("data").toString());
  }

  private static RunningServer server() {
    if (running == null) {
      throw new IllegalStateException("no server");
    }
    return running;
  }

  private static ConsolePage page() {
    if (driver == null) {
      throw new IllegalStateException("no browser");
    }
    return new ConsolePage(driver);
  }

  private static Set<Integer> range(int first, int end) {
    return IntStream.range(first, end).boxed().collect(Collectors.toSet());
  }

  private static boolean isOf(String kind, String uuid) {
    return kind.equals("uuidv" + Uuids.parse(uuid).version());
  }

  /** The mean of red, green and blue of {@code rgb(...)}. */
  private static double luminance(String color) {
    return List.of(color.replaceAll("[^0-9,]", "").split(",")).stream()
        .limit(3)
        .mapToInt(Integer::parseInt)
        .average()
        .orElseThrow();
  }
}
