package dev.mintmark.verify;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mintmark.verify.HttpApi.Answer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.openqa.selenium.Keys;

/** The pools in a browser. Every test that changes a pool has a pool of its own. */
@Tag("long")
class PoolsViewIT {
  @RegisterExtension static final ConsoleSession CONSOLE = new ConsoleSession();

  private final PoolsPage page = new PoolsPage(CONSOLE.driver());

  @Test
  void thePoolOfTheArticleHas2044CellsAndAllAreFree() {
    page.open(CONSOLE.console(), "pool=public-ipv4");
    page.awaitMap();

    assertThat(page.cells()).isEqualTo(2_044);
    assertThat(page.cellsThatAre("free")).isEqualTo(2_044);
    assertThat(page.count("free")).isEqualTo("2,044");
    assertThat(page.count("held")).isEqualTo("0");
  }

  @Test
  void aClaimMadeElsewhereAppearsWithoutAReload() {
    open("live", "10.1.0.0/28");

    Answer claim = CONSOLE.http().claim("live", "vm-elsewhere");
    String value = claim.get("value");

    page.await("a held cell", () -> page.stateOf(value).equals("held"));
    assertThat(page.labelOf(value)).isEqualTo(value + ", held");
    assertThat(page.cellsThatAre("held")).isEqualTo(1);
    page.select(value);
    page.await("the client", () -> page.details().contains("vm-elsewhere"));
    assertThat(page.details()).contains(value, claim.get("token"));
    assertThat(page.count("held")).isEqualTo("1");
  }

  /** The maps that are loaded are those after the first event, and after each claim. */
  @Test
  void aPoolThatIsWatchedIsLoadedWhenItChangesAndHardlyPolled() {
    open("watched", "10.1.1.0/28");
    page.await("the rest of the first requests", () -> isQuietFor(3_000));
    long before = page.mapsLoaded();

    for (int i = 1; i <= 3; i++) {
      String value = CONSOLE.http().claim("watched", "vm-" + i).get("value");
      String held = Integer.toString(i);
      page.await("a held cell", () -> page.stateOf(value).equals("held"));
      page.await("its count", () -> page.count("held").equals(held));
    }

    assertThat(page.mapsLoaded() - before).isBetween(3L, 8L);
  }

  /** Whether no map was loaded in a time in which a page that polls loads several. */
  private boolean isQuietFor(long millis) {
    long before = page.mapsLoaded();
    try {
      Thread.sleep(millis);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
    return page.mapsLoaded() == before;
  }

  @Test
  void aValueIsReleasedByKeyboardAloneAndQuarantined() {
    open("keyboard", "10.2.0.0/28");
    String value = CONSOLE.http().claim("keyboard", "vm-1").get("value");
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
    assertThat(CONSOLE.http().get("/v1/pools/keyboard/claims/" + value).status()).isEqualTo(404);
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
    page.followAllPools();
    page.await("the list", () -> page.title().startsWith("Pools"));
    page.followPool("own-page");
    page.await("the page", () -> page.title().startsWith("own-page"));

    assertThat(page.fragment()).isEqualTo("pool=own-page");
    assertThat(page.poolTitle()).isEqualTo("own-page");
  }

  @Test
  void theListFindsAndOrdersPoolsAndCreatesOne() {
    page.open(CONSOLE.console(), "view=pools");
    page.awaitOne("pool-item");

    page.createPool("listed-two", "10.11.0.0/33");
    page.await("a refusal", () -> page.createResult().contains("10.11.0.0/33"));
    page.open(CONSOLE.console(), "view=pools");
    page.awaitOne("pool-item");
    page.createPool("listed-two", "10.11.0.0/30");
    page.await("its page", () -> page.fragment().equals("pool=listed-two"));
    page.awaitMap();
    CONSOLE.http().claim("listed-two", "a");
    CONSOLE.http().post("/v1/pools", "{\"name\": \"listed-one\", \"range\": \"1..9\"}");
    page.followAllPools();

    page.findPools("listed-");
    page.await("two pools", () -> page.listedPools().equals(List.of("listed-one", "listed-two")));
    page.orderPools("used");
    page.await("another order", () -> page.listedPools().get(0).equals("listed-two"));
    page.findPools("10.11.0");
    page.await("one pool", () -> page.listedPools().equals(List.of("listed-two")));
  }

  @Test
  void aSelectedValueIsInTheAddressAndAnAddressSelectsIt() {
    open("linked", "10.12.0.0/24");

    page.select("10.12.0.17");
    page.await("its address", () -> page.fragment().equals("pool=linked&value=10.12.0.17"));
    page.open(CONSOLE.console(), "pool=linked&value=10.12.0.18");
    page.await("its cell", () -> page.selectedValue().equals("10.12.0.18"));
    assertThat(page.details()).contains("10.12.0.18");
    page.openTab("blocks");
    page.await("the tab", () -> page.fragment().equals("pool=linked&tab=blocks"));
    page.back();
    page.await("its cell", () -> page.selectedValue().equals("10.12.0.18"));
  }

  @Test
  void aPageSaysThatThereIsNoSuchPool() {
    page.open(CONSOLE.console(), "pool=nowhere");

    page.await("a note", () -> page.poolsMessage().equals("There is no pool “nowhere”."));
  }

  @Test
  void blocksAreShownWithTheirUseAndWhetherTheyAreDrained() {
    open("two-blocks", "10.7.0.0/28");
    HttpApi http = CONSOLE.http();
    assertThat(http.post("/v1/pools/two-blocks/blocks", "{\"block\": \"10.7.1.0/30\"}").status())
        .isEqualTo(201);
    http.post("/v1/pools/two-blocks/claims", "{\"client\": \"a\", \"value\": \"10.7.1.1\"}");
    http.patch("/v1/pools/two-blocks/blocks?block=10.7.1.0/30", "{\"drains\": true}");

    page.await("its draining", () -> page.stateOf("10.7.1.2").equals("draining"));
    assertThat(page.stateOf("10.7.1.2")).isEqualTo("draining");
    assertThat(page.labelOf("10.7.1.2")).isEqualTo("10.7.1.2, draining");
    assertThat(page.count("draining")).isEqualTo("1");
    page.openTab("blocks");
    page.await("two blocks", () -> page.blocks().size() == 2);
    page.await("its draining", () -> page.blocks().get(1).contains("drained"));
    assertThat(page.blocks().get(0)).startsWith("10.7.0.0/28 | 0 % held | 14 | 0 | 0 | 0 | 14 | ");
    assertThat(page.blocks().get(1)).contains("50 % held").contains("| 2 | 1 | 0 | 1 | 0 | ");
  }

  @Test
  void blocksAreAddedDrainedAndRemoved() {
    open("grown", "10.14.0.0/30");
    page.openTab("blocks");
    page.awaitOne("block");

    page.submitLine("add", "add-block", "10.14.0.0/30");
    page.await("a refusal", () -> page.lineResult("add").contains("10.14.0.0/30"));
    page.submitLine("add", "add-block", "10.14.1.0/30");
    page.await("two blocks", () -> page.blocks().size() == 2);
    page.pressInBlock("10.14.1.0/30", "block-drain");
    page.await("its draining", () -> page.blocks().get(1).contains("drained"));
    page.pressInBlock("10.14.1.0/30", "block-remove");
    assertThat(page.focusedTestId()).isEqualTo("block-remove-confirm");
    page.press(Keys.ENTER);
    page.await("one block", () -> page.blocks().size() == 1);
    page.await("the answer", () -> page.blocksSaid().equals("10.14.1.0/30 was removed."));
  }

  @Test
  void aBlockWithHeldValuesIsNotRemoved() {
    open("kept", "10.15.0.0/30");
    CONSOLE.http().claim("kept", "a");
    CONSOLE.http().post("/v1/pools/kept/blocks", "{\"block\": \"10.15.1.0/30\"}");
    page.openTab("blocks");
    page.await("two blocks", () -> page.blocks().size() == 2);

    page.pressInBlock("10.15.0.0/30", "block-remove");
    page.press(Keys.ENTER);

    page.await("a refusal", () -> page.blocksSaid().contains("held"));
    assertThat(page.blocks()).hasSize(2);
  }

  @Test
  void pastClaimsAreListedAndFound() {
    String body = "{\"name\": \"past\", \"range\": \"1..9\", \"history\": \"1d\"}";
    assertThat(CONSOLE.http().post("/v1/pools", body).status()).isEqualTo(201);
    CONSOLE.http().claim("past", "a");
    CONSOLE.http().claim("past", "b");
    page.open(CONSOLE.console(), "pool=past&tab=history");

    page.await("two claims", () -> page.pastClaims().size() == 2);
    assertThat(page.pastClaims().get(0)).contains("| b |", "held now");
    page.findHistory("a");
    page.await("the claim of a", () -> page.pastClaims().size() == 1);
    page.findHistory("c");
    page.await(
        "a note",
        () ->
            page.historyNote()
                .equals("No claim with a client that begins with “c” is in the history."));
  }

  @Test
  void valuesAreQuarantinedAndExcludedAndThePoolIsDeletedByItsName() {
    open("settled", "10.16.0.0/29");
    page.openTab("quarantine");
    page.awaitOne("quarantine-submit");
    page.submitLine(
        "quarantine", "quarantine-values", "10.16.0.1, 10.16.0.2", "quarantine-for", "1h");
    page.await(
        "two values",
        () -> page.lineResult("quarantine").equals("Quarantined: 10.16.0.1, 10.16.0.2."));
    page.await("their count", () -> page.count("quarantined").equals("2"));

    page.openTab("settings");
    page.awaitOne("exclude-submit");
    page.submitLine("exclude", "exclude-values", "10.16.0.6");
    page.await("the answer", () -> page.lineResult("exclude").equals("Done."));
    page.await("the exclusion", () -> page.setting("excluded").equals("10.16.0.6/32"));
    page.deletePool("settle");
    page.await("a refusal", () -> page.deleteSaid().equals("Type settled to delete the pool."));
    page.keepPool();
    page.deletePool("settled");
    page.await("the list", () -> page.fragment().equals("view=pools"));
    assertThat(CONSOLE.http().get("/v1/pools/settled").status()).isEqualTo(404);
  }

  /** The user agrees to what the question says, not to what happened since. */
  @Test
  void aClaimAfterTheQuestionIsNotDeletedWithThePool() {
    open("asked", "10.17.0.0/29");
    page.openTab("settings");
    page.awaitOne("delete-ask");
    page.askToDelete();
    CONSOLE.http().claim("asked", "late");
    page.await("the claim", () -> page.count("held").equals("1"));

    page.confirmDeletion("asked");

    page.await(
        "the next question", () -> page.deleteQuestion().startsWith("1 of its values are held"));
    assertThat(page.deleteSaid()).contains("not deleted");
    assertThat(CONSOLE.http().get("/v1/pools/asked").status()).isEqualTo(200);
    page.confirmDeletion("asked");
    page.await("the list", () -> page.fragment().equals("view=pools"));
    assertThat(CONSOLE.http().get("/v1/pools/asked").status()).isEqualTo(404);
  }

  @Test
  void theUseOverTimeIsAChartAndATable() {
    open("used", "10.18.0.0/29");
    page.openTab("usage");
    page.await("a note or a sample", () -> !page.usageSaid().isEmpty());
    CONSOLE.http().claim("used", "a");
    page.await(
        "the minute", () -> CONSOLE.http().get("/v1/pools/used/usage").body().contains("\"at\""));
    page.chooseHour();
    page.await("its sample", () -> !page.usage().isEmpty());

    assertThat(page.usage().get(0)).matches("(0|16\\.6) % \\| [01] \\| 0 \\| [56] \\| 6");
    page.await("a chart", () -> page.charts() == 1);
    assertThat(page.usageSaid()).startsWith("At most ");
  }

  @Test
  void settingsAreChangedAfterAPlan() {
    open("tuned", "10.19.0.0/29");
    page.openTab("settings");
    page.unfold("change-settings");
    page.showPlan();
    page.await("a note", () -> page.changeSaid().startsWith("Nothing changes"));

    page.fillSetting("lease", "2h");
    page.fillSetting("thresholds", "half");
    page.showPlan();
    page.await("a refusal", () -> page.changeSaid().startsWith("Enter percentages"));
    page.fillSetting("thresholds", "50");
    page.showPlan();
    page.await("a plan", () -> page.planned().size() == 3);
    assertThat(page.planned())
        .anyMatch(line -> line.startsWith("lease | none | 2h | Claims that are held keep"))
        .anyMatch(line -> line.startsWith("thresholds | [80, 95] | [50] | "));
    assertThat(page.focusedTestId()).isEqualTo("change-apply");
    page.press(Keys.ENTER);

    page.await("the change", () -> page.setting("lease").equals("2h"));
    assertThat(page.setting("thresholds")).isEqualTo("50 %");
    page.await("the answer", () -> page.changeSaid().startsWith("Changed: lease"));
  }

  @Test
  void aFreeValueIsChosenFromAList() {
    open("choice", "10.20.0.0/29");
    CONSOLE.http().post("/v1/pools/choice/claims", "{\"client\": \"a\", \"value\": \"10.20.0.1\"}");

    page.unfold("free");
    page.await("five values", () -> page.freeValues().size() == 5);
    page.chooseFreeValue("10.20.0.4");

    assertThat(page.claimValue()).isEqualTo("10.20.0.4");
    assertThat(page.focusedTestId()).isEqualTo("claim-client");
  }

  @Test
  void prefixesAreShownAndClaimed() {
    String body = "{\"name\": \"pods\", \"blocks\": [\"10.244.0.0/16 by /24\"], \"lease\": \"1h\"}";
    assertThat(CONSOLE.http().post("/v1/pools", body).status()).isEqualTo(201);
    page.open(CONSOLE.console(), "pool=pods");
    page.awaitMap();
    assertThat(page.cells()).isEqualTo(256);

    page.claimByName("node-7", "10.244.7.0/24");

    page.await(
        "a grant", () -> page.claimResult().startsWith("Granted: node-7 holds 10.244.7.0/24"));
    page.await("the map", () -> page.cellsThatAre("held") == 1);
    assertThat(page.firstValueThatIs("held")).isEqualTo("10.244.7.0/24");
  }

  @Test
  void severalAndNamedValuesAreClaimedAndReleasedFromTheTable() {
    String body =
        "{\"name\": \"table\", \"range\": \"1..9\", \"per_client\": 3, \"lease\": \"1h\"}";
    assertThat(CONSOLE.http().post("/v1/pools", body).status()).isEqualTo(201);
    page.open(CONSOLE.console(), "pool=table");
    page.awaitMap();

    page.claimSeveral("a", 2);
    page.await("a grant", () -> page.claimResult().startsWith("Granted: a holds "));
    page.claimSeveral("b", 4);
    page.await("a refusal", () -> page.claimResult().contains("may hold 3"));
    page.fillCount("");
    page.await("the map", () -> page.cellsThatAre("held") == 2);
    String free = page.firstValueThatIs("free");
    page.claimByName("b", free);
    page.await("a grant", () -> page.claimResult().startsWith("Granted: b holds " + free));
    page.openTab("claims");
    page.await("three claims", () -> page.claimedValues().size() == 3);

    page.releaseFromTable(free);
    page.await("a release", () -> page.claimsSaid().equals(free + " was released."));
    page.await("two claims", () -> page.claimedValues().size() == 2);
    String held = page.claimedValues().get(0);
    page.renewFromTable(held);
    page.await("a renewal", () -> page.claimsSaid().endsWith(" was renewed."));
    page.followClaim(held);
    page.await("its cell", () -> page.selectedValue().equals(held));
    page.jumpTo(free);
    page.await("who held it", () -> page.history().contains("b released"));
  }

  @Test
  void claimsAreFoundByTheirClient() {
    open("find", "10.9.0.0/28");
    String value = CONSOLE.http().claim("find", "a").get("value");
    CONSOLE.http().claim("find", "b");
    page.openTab("claims");
    page.await("two claims", () -> page.claimedValues().size() == 2);

    page.findClaims("a");
    page.await("the claim of a", () -> page.claimedValues().equals(List.of(value)));
    page.findClaims("c");
    page.await(
        "a note",
        () -> page.claimsNote().equals("No claim with a client that begins with “c” is held."));
    page.clearClaimsFilter();
    page.await("two claims", () -> page.claimedValues().size() == 2);
  }

  @Test
  void claimsAreLabelledAndFoundByLabel() {
    open("labels", "10.17.0.0/29");
    CONSOLE.http().claim("labels", "a");
    page.openTab("claims");
    page.await("the claim", () -> page.claimedValues().size() == 1);

    page.labelClaim("rack", "");
    page.await("a refusal", () -> page.labelSaid().equals("“rack”: expected key:value"));
    page.cancelLabels();
    page.labelClaim("rack:b7\nenv:prod", "web-1.example.com");
    page.await(
        "the labels", () -> page.firstClaim().contains("env:prod · rack:b7 · web-1.example.com"));
    assertThat(page.barriers()).isEmpty();

    CONSOLE.http().claim("labels", "b");
    page.await("two claims", () -> page.claimedValues().size() == 2);
    page.findClaimsBy("label", "rack:b");
    page.await("the claim with the label", () -> page.claimedValues().size() == 1);
    page.findClaimsBy("label", "room");
    page.await(
        "a note",
        () -> page.claimsNote().equals("No claim with a label that begins with “room” is held."));
  }

  @Test
  void aFileIsImportedAfterAPlan(@TempDir Path directory) throws IOException {
    open("in-use", "10.18.0.0/29");
    page.openTab("claims");
    Path file = directory.resolve("used.csv");
    Files.writeString(file, "value,client\n10.18.0.1,vm-1\n10.18.0.2,vm-2\n10.9.9.9,vm-3\n");

    page.planImport(file);
    page.await(
        "the plan",
        () -> page.importSaid().equals("3 lines (csv): 2 values would be claimed, 1 rejected."));
    assertThat(page.rejectedLines()).contains("10.9.9.9", "no block of the pool has it");
    assertThat(page.claimedValues()).isEmpty();
    assertThat(page.barriers()).isEmpty();
    page.applyImport();
    page.await(
        "the report",
        () -> page.importSaid().equals("3 lines (csv): 2 values claimed, 1 rejected."));
    page.await("the claims", () -> page.claimedValues().size() == 2);
    assertThat(page.exportLink()).isEqualTo("/v1/pools/in-use/export");
  }

  @Test
  void aVastPoolIsShownByItsDensityAndInWindows() {
    String body = "{\"name\": \"vast\", \"blocks\": [\"2001:db8:7::/64\"]}";
    assertThat(CONSOLE.http().post("/v1/pools", body).status()).isEqualTo(201);
    String held = "2001:db8:7:0:1234:5678:9abc:def0";
    CONSOLE
        .http()
        .post("/v1/pools/vast/claims", "{\"client\": \"vm-1\", \"value\": \"" + held + "\"}");
    page.open(CONSOLE.console(), "pool=vast");
    page.await("one part with a held value", () -> page.partsWithHeld() == 1);
    assertThat(page.cells()).isZero();
    page.pressNextHeld();
    page.await("the held value", () -> page.selectedValue().equals(held));
    String deep = "2001:db8:7:0:3fff:ffff:ffff:fffe";

    page.jumpTo("2001:DB8:7::3fff:ffff:ffff:fffe");
    page.await("the window of " + deep, () -> page.selectedValue().equals(deep));

    assertThat(page.cells()).isEqualTo(4_096);
    assertThat(page.count("free")).isEqualTo("1.84 × 10¹⁹");
    page.followDensity();
    page.await("the density", () -> page.partsWithHeld() == 1);
    page.followPartWithHeld();
    page.await("the part of the part", () -> page.fragment().contains("from="));
    page.jumpTo("2001:db8:8::1");
    page.await("a refusal", () -> page.jumpSaid().contains("has no value"));
  }

  /** Maps show the first 2^63 values of a pool. */
  @Test
  void aHeldValueThatHasNoCellIsShownAsItsPart() {
    String body = "{\"name\": \"vaster\", \"blocks\": [\"2001:db8:9::/64\"]}";
    assertThat(CONSOLE.http().post("/v1/pools", body).status()).isEqualTo(201);
    String held = "2001:db8:9:0:ffff::1";
    CONSOLE
        .http()
        .post("/v1/pools/vaster/claims", "{\"client\": \"vm-1\", \"value\": \"" + held + "\"}");
    page.open(CONSOLE.console(), "pool=vaster");
    page.await("one part with a held value", () -> page.partsWithHeld() == 1);

    page.pressNextHeld();

    page.await("who holds it", () -> page.jumpSaid().endsWith(" is held by vm-1."));
    page.await("its part", () -> page.fragment().contains("from="));
    page.await("the part with it", () -> page.partsWithHeld() == 1);
  }

  @Test
  void listsAndRunsAreDrawnByTheirOwnValues() {
    HttpApi http = CONSOLE.http();
    http.post(
        "/v1/pools",
        "{\"name\": \"codes\", \"lists\": [{\"name\": \"spring\", \"values\": [\"B-1\", \"A-2\"]}]}");
    http.post("/v1/pools", "{\"name\": \"runs\", \"range\": \"1..250 by 100\"}");

    page.open(CONSOLE.console(), "pool=codes");
    page.awaitMap();
    assertThat(page.values()).containsExactly("B-1", "A-2");
    page.open(CONSOLE.console(), "pool=runs");
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

  /** Creates a pool and shows its map. */
  private void open(String pool, String block) {
    String body =
        "{\"name\": \"%s\", \"blocks\": [\"%s\"], \"quarantine\": \"10m\"}".formatted(pool, block);
    assertThat(CONSOLE.http().post("/v1/pools", body).status()).isEqualTo(201);
    page.open(CONSOLE.console(), "pool=" + pool);
    page.awaitMap();
    assertThat(page.cellsThatAre("free")).isEqualTo(page.cells());
  }
}
