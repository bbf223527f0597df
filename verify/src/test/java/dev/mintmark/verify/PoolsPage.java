package dev.mintmark.verify;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.openqa.selenium.By;
import org.openqa.selenium.Keys;
import org.openqa.selenium.WebElement;
import org.openqa.selenium.chrome.ChromeDriver;
import org.openqa.selenium.support.ui.Select;

/** The view of the pools as a user sees it. All of its selectors are here. */
final class PoolsPage extends ConsolePage {
  /** Where a row of the map ends, in pixels from the top of the page. */
  private static final String END_OF_ROW =
      "return Math.ceil(scrollY + document.querySelectorAll('.map-row')[%d - 1]"
          + ".getBoundingClientRect().bottom)";

  PoolsPage(ChromeDriver driver) {
    super(driver);
  }

  /** Shows it in light colors on a screen of this width that ends after some rows of the map. */
  void emulatePaper(int width, int rows) {
    emulateColorScheme("light");
    driver.executeCdpCommand("Emulation.setScrollbarsHidden", Map.of("hidden", true));
    for (int pass = 1; pass <= 2; pass++) { // The height depends on the width.
      long height = number(END_OF_ROW.formatted(rows));
      driver.executeCdpCommand(
          "Emulation.setDeviceMetricsOverride",
          Map.of("width", width, "height", height, "deviceScaleFactor", 1, "mobile", false));
    }
  }

  void awaitMap() {
    await("the map of a pool", () -> cells() > 0);
  }

  long cells() {
    return number("return document.querySelectorAll('[data-testid=cell]').length");
  }

  long cellsThatAre(String state) {
    return number(
        "return document.querySelectorAll('[data-testid=cell][data-state=" + state + "]').length");
  }

  /** {@code free}, {@code held} or {@code quarantined}. */
  String stateOf(String value) {
    return attribute(cell(value), "data-state");
  }

  String labelOf(String value) {
    return attribute(cell(value), "aria-label");
  }

  /** How many answers for maps this page has received. */
  long mapsLoaded() {
    return number(
        "return performance.getEntriesByType('resource')"
            + ".filter(({name}) => new URL(name).pathname.endsWith('/map')).length");
  }

  String count(String state) {
    return one("count-" + state).getText();
  }

  void select(String value) {
    cell(value).click();
  }

  /** The value whose cell has the focus, or nothing. */
  String focusedValue() {
    return attribute(focused(), "data-value");
  }

  String details() {
    return one("cell-details").getText();
  }

  void claim(String client, String owner) {
    fill("claim-client", client);
    fill("claim-owner", owner);
    one("claim-submit").click();
  }

  String claimResult() {
    return one("claim-result").getText();
  }

  void claimSeveral(String client, int count) {
    fill("claim-value", "");
    fill("claim-count", Integer.toString(count));
    claim(client, "");
  }

  void claimByName(String client, String value) {
    fill("claim-value", value);
    claim(client, "");
  }

  /** Follows the link of a pool in the list. */
  void followPool(String name) {
    By link = By.cssSelector("[data-testid='pool-item'][data-pool='" + name + "']");
    await("the link of " + name, () -> !driver.findElements(link).isEmpty());
    driver.findElement(link).click();
  }

  void followAllPools() {
    one("all-pools").click();
  }

  /** The name of the pool that is shown. */
  String poolTitle() {
    return one("pool-title").getText();
  }

  /** Shows a tab of the pool's page: {@code map}, {@code claims}, {@code blocks} and so on. */
  void openTab(String name) {
    one("tab-" + name).click();
  }

  /** The names of the pools in the list, in their order. */
  List<String> listedPools() {
    return texts(
        "return [...document.querySelectorAll('[data-testid=pool-item]')].map((a) =>"
            + " a.dataset.pool)");
  }

  void findPools(String text) {
    fill("pools-search", text);
  }

  /** Orders the list by {@code name}, {@code used}, {@code free} or {@code held}. */
  void orderPools(String order) {
    new Select(one("pools-order")).selectByValue(order);
  }

  /** Fills in the form of a new pool, and sends it. */
  void createPool(String name, String blocks) {
    one("create-pool").findElement(By.tagName("summary")).click();
    fill("create-name", name);
    fill("create-blocks", blocks);
    one("create-submit").click();
  }

  String createResult() {
    return one("create-result").getText();
  }

  boolean canClaim() {
    return one("claim-submit").isEnabled();
  }

  /** Follows the link of a value in the table of claims. */
  void followClaim(String value) {
    claimRow(value).findElement(By.tagName("a")).click();
  }

  /** How many parts of the density have a held value. */
  long partsWithHeld() {
    return number(
        "return [...document.querySelectorAll('[data-testid=part]')]"
            + ".filter((one) => one.checkVisibility() && one.dataset.held !== '0').length");
  }

  void followPartWithHeld() {
    driver.findElement(By.cssSelector("[data-testid='part']:not([data-held='0'])")).click();
  }

  void followDensity() {
    // The masthead may cover it where the page has scrolled to.
    driver.executeScript("arguments[0].click()", one("to-density"));
  }

  void pressNextHeld() {
    one("held-next").click();
  }

  /** Fills in one of the forms of a line, such as {@code add} for a block, and sends it. */
  void submitLine(String form, String... fieldsAndTexts) {
    for (int i = 0; i < fieldsAndTexts.length; i += 2) {
      fill(fieldsAndTexts[i], fieldsAndTexts[i + 1]);
    }
    await("the button", () -> one(form + "-submit").isEnabled());
    one(form + "-submit").click();
  }

  String lineResult(String form) {
    return one(form + "-result").getText();
  }

  /** Presses {@code block-drain} or {@code block-remove} in the row of a block. */
  void pressInBlock(String block, String testId) {
    driver
        .findElement(By.cssSelector("[data-testid='block'][data-block='" + block + "']"))
        .findElement(By.cssSelector("[data-testid='" + testId + "']"))
        .click();
  }

  /** Opens a part that is folded up: {@code free} or {@code change-settings}. */
  void unfold(String testId) {
    one(testId).findElement(By.tagName("summary")).click();
  }

  List<String> freeValues() {
    return texts(
        "return [...document.querySelectorAll('[data-testid=free-value]')].map((one) =>"
            + " one.textContent)");
  }

  void chooseFreeValue(String value) {
    driver.findElement(By.xpath("//*[@data-testid='free-value'][.='" + value + "']")).click();
  }

  String claimValue() {
    return text("return document.getElementById('claim-value').value");
  }

  /** Fills a field of the form that changes settings. */
  void fillSetting(String name, String text) {
    fill("change-" + name, text);
  }

  void showPlan() {
    one("change-submit").click();
  }

  /** What a change of settings would do: setting, before, after, effect. */
  List<String> planned() {
    return texts(
        "return [...document.querySelectorAll('[data-testid=change-plan]:not([hidden]) tbody tr')]"
            + ".map((row) => [...row.children].map((one) => one.innerText.trim()).join(' | '))");
  }

  String changeSaid() {
    return one("change-result").getText();
  }

  /** Shows the use of the last hour. */
  void chooseHour() {
    one("usage-span-0").click();
  }

  String usageSaid() {
    return one("usage-said").getText();
  }

  /** The numbers that a chart of use shows, row by row. */
  List<String> usage() {
    return texts(
        "return [...document.querySelectorAll('[data-testid=usage-sample]')].map((row) =>"
            + " [...row.children].slice(1).map((one) => one.textContent).join(' | '))");
  }

  /** How many charts have been drawn. */
  int charts() {
    return driver.findElements(By.cssSelector(".usage-chart canvas")).size();
  }

  String blocksSaid() {
    return one("blocks-said").getText();
  }

  /** What the history says, row by row. */
  List<String> pastClaims() {
    return texts(
        "return [...document.querySelectorAll('[data-testid=pool-history] tbody tr')].map((row) =>"
            + " [...row.children].map((one) => one.innerText.trim()).join(' | '))");
  }

  void findHistory(String client) {
    fill("history-find", client);
    one("history-find").sendKeys(Keys.ENTER);
  }

  String historyNote() {
    return text("return document.querySelector('[data-testid=pool-history-empty]').textContent");
  }

  String setting(String name) {
    return text(
        "return document.querySelector('[data-testid=settings] [data-fact=\""
            + name
            + "\"]')"
            + ".textContent");
  }

  void deletePool(String typed) {
    askToDelete();
    confirmDeletion(typed);
  }

  void askToDelete() {
    one("delete-ask").click();
  }

  void confirmDeletion(String typed) {
    fill("delete-name", typed);
    one("delete-confirm").click();
  }

  String deleteQuestion() {
    return text("return document.querySelector('label[for=delete-name]').textContent");
  }

  String deleteSaid() {
    return one("delete-said").getText();
  }

  void keepPool() {
    one("delete-cancel").click();
  }

  /** What is said of each block, cell by cell. */
  List<String> blocks() {
    return texts(
        "return [...document.querySelectorAll('[data-testid=block]')].map((row) =>"
            + " [...row.children].map((one) => one.innerText.trim()).join(' | '))");
  }

  /** The values in the table of claims. */
  List<String> claimedValues() {
    return texts(
        "return [...document.querySelectorAll('[data-testid=claim]')].map((row) =>"
            + " row.dataset.value)");
  }

  void findClaims(String client) {
    fill("claims-find", client);
    one("claims-find").sendKeys(Keys.ENTER);
  }

  /** Finds claims by {@code client}, {@code owner} or {@code label}. */
  void findClaimsBy(String criterion, String text) {
    new Select(one("claims-find-by")).selectByValue(criterion);
    findClaims(text);
  }

  /** Writes labels about the first claim of the table. */
  void labelClaim(String labels, String dnsName) {
    one("claim-note").click();
    fill("note-labels", labels);
    fill("note-dns-name", dnsName);
    one("note-save").click();
  }

  String labelSaid() {
    return one("note-said").getText();
  }

  void cancelLabels() {
    one("note-cancel").click();
  }

  /** What is said of the first claim of the table. */
  String firstClaim() {
    return text("return document.querySelector('[data-testid=claim]').innerText");
  }

  void planImport(Path file) {
    one("import-file").sendKeys(file.toString());
    one("import-plan").click();
  }

  void applyImport() {
    one("import-apply").click();
  }

  String importSaid() {
    return one("import-said").getText();
  }

  String rejectedLines() {
    return text("return document.querySelector('[data-testid=import-rejections]').innerText");
  }

  String exportLink() {
    return text("return document.querySelector('[data-testid=export]').getAttribute('href')");
  }

  /** Takes out what was typed, key by key. */
  void clearClaimsFilter() {
    one("claims-find").sendKeys(Keys.chord(Keys.CONTROL, "a"), Keys.DELETE);
  }

  /** What is said instead of claims. */
  String claimsNote() {
    return text("return document.querySelector('[data-testid=claims] ~ .hint').textContent");
  }

  void releaseFromTable(String value) {
    claimRow(value).findElement(By.cssSelector("[data-testid='claim-release']")).click();
    claimRow(value).findElement(By.cssSelector("[data-testid='claim-release-confirm']")).click();
  }

  void renewFromTable(String value) {
    claimRow(value).findElement(By.cssSelector("[data-testid='claim-renew']")).click();
  }

  private WebElement claimRow(String value) {
    return driver.findElement(By.cssSelector("[data-testid='claim'][data-value='" + value + "']"));
  }

  void fillCount(String text) {
    fill("claim-count", text);
  }

  String firstValueThatIs(String state) {
    return text(
        "return document.querySelector('[data-testid=cell][data-state="
            + state
            + "]').dataset.value");
  }

  /** The values of the cells, in their order. */
  List<String> values() {
    return texts(
        "return [...document.querySelectorAll('[data-testid=cell]')].map((c) => c.dataset.value)");
  }

  /** What the pager says of a value it was asked for. */
  String jumpSaid() {
    return text("return document.querySelector('.pager .result').textContent");
  }

  /** What is said instead of a pool. */
  String poolsMessage() {
    return text("return document.getElementById('pools-message').textContent");
  }

  String claimsSaid() {
    return one("claims-said").getText();
  }

  /** Who held the selected value before, as its details tell. */
  String history() {
    return one("history").getText();
  }

  void jumpTo(String value) {
    fill("jump", value);
    one("jump").sendKeys(Keys.ENTER);
  }

  /** The value whose details are shown. */
  String selectedValue() {
    return text(
        "return document.querySelector('[data-testid=cell][aria-selected=true]')?.dataset.value ?? ''");
  }

  private WebElement cell(String value) {
    return driver.findElement(By.cssSelector("[data-testid='cell'][data-value='" + value + "']"));
  }
}
