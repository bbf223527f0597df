package dev.mintmark.verify;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mintmark.Block;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What all views of the console have in common, in a browser. */
@Tag("long")
class ConsoleIT {
  @RegisterExtension static final ConsoleSession CONSOLE = new ConsoleSession();

  private static final String ULID = "01FZG96YPZK4SANAG1ZM5T2K9Z";
  private static final String DRAFT = "061ff8d8-e24b-7000-8092-ca1e5440d491";

  private final InspectorPage inspector = new InspectorPage(CONSOLE.driver());
  private final PoolsPage page = new PoolsPage(CONSOLE.driver());

  @Test
  void oneViewIsShownAtATimeAndTheAddressSaysWhich() {
    page.open(CONSOLE.console(), "");
    assertThat(page.shownView()).containsExactly("inspector", "#view=inspector");
    assertThat(page.title()).isEqualTo("Inspector · Mintmark");

    page.followView("pools");
    page.await("the pools", () -> page.shownView().equals(List.of("pools", "#view=pools")));
    assertThat(page.title()).isEqualTo("Pools · Mintmark");
    page.back();
    page.await("the inspector", () -> page.shownView().contains("inspector"));
  }

  /** Each row is the address of a view and the test id of what shows that it has its data. */
  @ParameterizedTest
  @CsvSource({
    "id=01FZG96YPZK4SANAG1ZM5T2K9Z, reading",
    "view=pools, pool-item",
    "pool=public-ipv4, cell",
    "pool=public-ipv4&tab=claims, claims-find",
    "pool=public-ipv4&tab=usage, usage-said",
    "pool=public-ipv4&tab=history, history-find",
    "pool=public-ipv4&tab=quarantine, quarantine-submit",
    "pool=public-ipv4&tab=blocks, block",
    "pool=public-ipv4&tab=settings, delete-ask",
    "view=compare, recommendation",
    "view=compare&minted_by=offline&order=strict&size=8-bytes, unmet",
  })
  void axeFindsNoBarrier(String address, String shown) {
    page.open(CONSOLE.console(), address);
    page.awaitOne(shown);
    assertThat(page.barriersInBothSchemes()).as(address).isEmpty();
    page.emulatePhone();
    assertThat(page.barriers()).as("%s on a phone", address).isEmpty();
  }

  @Test
  void theSkipLinkMovesTheFocusAndKeepsTheAddress() {
    page.open(CONSOLE.console(), "pool=public-ipv4");
    page.awaitMap();

    page.followSkipLink();

    assertThat(page.focusedId()).isEqualTo("content");
    assertThat(page.fragment()).isEqualTo("pool=public-ipv4");
  }

  @Test
  void onAPhoneNothingScrollsSideways() {
    page.emulatePhone();
    inspector.open(CONSOLE.console(), "id=" + DRAFT);
    inspector.awaitReadingsOf(DRAFT);
    assertThat(page.windowWidth()).isEqualTo(390);
    assertThat(page.contentWidth()).isLessThanOrEqualTo(390);
    page.open(CONSOLE.console(), "pool=public-ipv4");
    page.awaitMap();
    assertThat(page.contentWidth()).isLessThanOrEqualTo(390);
    String body = "{\"name\": \"narrow\", \"blocks\": [\"2001:db8:9::/96\"], \"lease\": \"1h\"}";
    assertThat(CONSOLE.http().post("/v1/pools", body).status()).isEqualTo(201);
    CONSOLE.http().claim("narrow", "x".repeat(255));
    page.open(CONSOLE.console(), "pool=narrow&tab=claims");
    page.await("a claim", () -> page.claimedValues().size() == 1);
    assertThat(page.contentWidth()).isLessThanOrEqualTo(390);
  }

  @Test
  void theBackgroundIsDarkForThoseWhoWantItDark() {
    page.emulateColorScheme("light");
    page.open(CONSOLE.console(), "");
    String light = page.background();

    page.emulateColorScheme("dark");

    assertThat(luminance(light)).isGreaterThan(200);
    assertThat(luminance(page.background())).isLessThan(50);
  }

  @Test
  void nothingComesFromElsewhereAndNothingIsComplainedOf() {
    inspector.open(CONSOLE.console(), "id=" + ULID);
    inspector.awaitReadingsOf(ULID);
    inspector.regenerate("ulid");
    page.followView("pools");
    page.followPool("public-ipv4");
    page.awaitMap();

    assertThat(page.title()).contains("Mintmark");
    assertThat(page.loadedFrom())
        .hasSizeGreaterThan(10)
        .allMatch(url -> url.startsWith(CONSOLE.console().toString()));
    assertThat(page.logs()).isEmpty();
  }

  @Test
  void aLostConnectionIsSaidAndFoundAgain() {
    open("lost", "10.5.0.0/28");
    CONSOLE.withoutServer(
        () -> {
          page.await("a note", page::saysThatTheConnectionIsLost);
          assertThat(page.canClaim()).isFalse();
        });

    page.await("the note to go", () -> !page.saysThatTheConnectionIsLost());
    assertThat(page.canClaim()).isTrue();
    String value = CONSOLE.http().claim("lost", "vm-back").get("value");
    page.await("a held cell", () -> page.stateOf(value).equals("held"));
  }

  /**
   * {@code -Dmintmark.golden=write} takes the picture anew, and writes what it shows. Look at it
   * before it is committed.
   */
  @Test
  @Tag("matrix")
  void thePictureInTheReadmeIsOfThisConsole() throws IOException {
    Path docs = Checkout.root().resolve("docs");
    try (RunningServer pictured =
        RunningServer.start(
            Mintmark.in(CONSOLE.directory()), CONSOLE.directory().resolve("pictured"))) {
      occupy(pictured.http());
      page.open(pictured.console(), "pool=public-ipv4");
      page.awaitMap();
      page.await("held values", () -> page.count("held").equals("300"));
      page.await("quarantined values", () -> page.count("quarantined").equals("60"));
      page.emulatePaper(1440, 24);
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
    assertThat(CONSOLE.http().post("/v1/pools", body).status()).isEqualTo(201);
    page.open(CONSOLE.console(), "pool=" + pool);
    page.awaitMap();
    assertThat(page.cellsThatAre("free")).isEqualTo(page.cells());
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
