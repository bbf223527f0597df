package dev.mintmark.verify;

import dev.mintmark.fixtures.Patience;
import java.net.URI;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.logging.Level;
import java.util.stream.IntStream;
import org.openqa.selenium.By;
import org.openqa.selenium.Keys;
import org.openqa.selenium.OutputType;
import org.openqa.selenium.WebElement;
import org.openqa.selenium.chrome.ChromeDriver;
import org.openqa.selenium.interactions.Actions;
import org.openqa.selenium.logging.LogEntry;
import org.openqa.selenium.logging.LogType;
import org.openqa.selenium.support.ui.WebDriverWait;

/** The console as somebody sees it who has a browser. All of its selectors are here. */
final class ConsolePage {
  private static final Duration LOOK_EVERY = Duration.ofMillis(20);
  private static final int TABS_MAX = 200;

  /** Where a claim of the table ends, in pixels from the top of the page. */
  private static final String END_OF_CLAIM =
      "return Math.ceil(scrollY + document.querySelectorAll('[data-testid=claim]')[%d - 1]"
          + ".getBoundingClientRect().bottom)";

  private final ChromeDriver driver;

  ConsolePage(ChromeDriver driver) {
    this.driver = driver;
  }

  /** Opens it anew, at what its address may say: {@code id=...} or {@code pool=...}. */
  void open(URI console, String fragment) {
    driver.get("about:blank");
    logs();
    driver.get(console + (fragment.isEmpty() ? "" : "#" + fragment));
  }

  /** Waits until something can be seen, or fails with what was waited for. */
  void await(String what, BooleanSupplier seen) {
    new WebDriverWait(driver, Patience.MAX, LOOK_EVERY)
        .withMessage(what)
        .until(d -> seen.getAsBoolean());
  }

  void emulatePhone() {
    driver.executeCdpCommand(
        "Emulation.setDeviceMetricsOverride",
        Map.of("width", 390, "height", 844, "deviceScaleFactor", 3, "mobile", true));
  }

  void emulateColorScheme(String scheme) {
    driver.executeCdpCommand(
        "Emulation.setEmulatedMedia",
        Map.of("features", List.of(Map.of("name", "prefers-color-scheme", "value", scheme))));
  }

  void endEmulation() {
    driver.executeCdpCommand("Emulation.clearDeviceMetricsOverride", Map.of());
    driver.executeCdpCommand("Emulation.setScrollbarsHidden", Map.of("hidden", false));
    driver.executeCdpCommand("Emulation.setEmulatedMedia", Map.of("features", List.of()));
  }

  /** Shows it in light colors on a screen of this width that ends after some claims. */
  void emulatePaper(int width, int claims) {
    emulateColorScheme("light");
    driver.executeCdpCommand("Emulation.setScrollbarsHidden", Map.of("hidden", true));
    for (int pass = 1; pass <= 2; pass++) { // The height depends on the width.
      long height = number(END_OF_CLAIM.formatted(claims));
      driver.executeCdpCommand(
          "Emulation.setDeviceMetricsOverride",
          Map.of("width", width, "height", height, "deviceScaleFactor", 1, "mobile", false));
    }
  }

  byte[] picture() {
    return driver.getScreenshotAs(OutputType.BYTES);
  }

  /**
   * The parts of the page that are visible, in their order and each once: the texts that do not
   * depend on what is shown, and the test ids.
   */
  List<String> outline() {
    return texts(
        """
        const titles = 'h1, h2, h3, label, summary, button, th, nav a';
        const rows = '[data-testid=claim], [data-testid=block], [data-testid=cell]';
        const lines = new Set();
        for (const part of document.body.querySelectorAll(`${titles}, [data-testid]`)) {
          if (part.checkVisibility()) {
            const { tagName, dataset } = part;
            const name = tagName.toLowerCase() + (dataset.testid ? ` ${dataset.testid}` : '');
            const isTitle = part.matches(titles) && !part.closest(rows);
            lines.add(isTitle ? `${name}: ${part.innerText.replace(/\\s+/g, ' ').trim()}` : name);
          }
        }
        return [...lines];
        """);
  }

  long windowWidth() {
    return number("return document.documentElement.clientWidth");
  }

  long contentWidth() {
    return number("return document.documentElement.scrollWidth");
  }

  String background() {
    return text("return getComputedStyle(document.body).backgroundColor");
  }

  String title() {
    return String.valueOf(driver.getTitle());
  }

  /** Where everything came from that the page has loaded. */
  List<String> loadedFrom() {
    return texts("return performance.getEntriesByType('resource').map(({ name }) => name)");
  }

  /** What the page has complained of since it was opened, or since this was last asked. */
  List<String> logs() {
    return driver.manage().logs().get(LogType.BROWSER).getAll().stream()
        .filter(entry -> entry.getLevel().intValue() >= Level.WARNING.intValue())
        .map(LogEntry::toString)
        .toList();
  }

  boolean saysThatTheConnectionIsLost() {
    return one("connection-lost").isDisplayed();
  }

  /** Presses Tab until something has the focus. */
  void tabTo(String testId) {
    for (int i = 0; i < TABS_MAX; i++) {
      if (testId.equals(focused().getDomAttribute("data-testid"))) {
        return;
      }
      press(Keys.TAB);
    }
    throw new AssertionError(TABS_MAX + " times Tab do not lead to " + testId);
  }

  void press(Keys key) {
    new Actions(driver).sendKeys(key).perform();
  }

  void type(String text) {
    new Actions(driver).sendKeys(text).perform();
  }

  /** What has the focus, by its test id. */
  String focusedTestId() {
    return attribute(focused(), "data-testid");
  }

  String focusedId() {
    return attribute(focused(), "id");
  }

  /** Follows the link to a section that is shown only while it has the focus. */
  void followSkipLink(String section) {
    driver.findElement(By.cssSelector("a.skip[href='#" + section + "']")).sendKeys(Keys.ENTER);
  }

  void inspect(String id) {
    WebElement input = one("inspector-input");
    input.clear();
    input.sendKeys(id, Keys.ENTER);
    awaitReadingsOf(id);
  }

  /** Takes out what was typed, key by key. */
  void emptyTheInput() {
    one("inspector-input").sendKeys(Keys.chord(Keys.CONTROL, "a"), Keys.DELETE);
    await("nothing to be shown", () -> readings().isEmpty() && !isBusy());
  }

  /** Whether readings are announced that are not there yet. */
  boolean isBusy() {
    return "true".equals(text("return document.getElementById('readings').ariaBusy"));
  }

  /** What a screen reader was told of the readings. */
  String inspectorStatus() {
    return text("return document.getElementById('inspector-status').textContent");
  }

  /** What the address says behind its {@code #}. */
  String fragment() {
    return text("return location.hash.slice(1)");
  }

  /** From now on, what is posted stays on its way until {@link #letPostsThrough}. */
  void holdPosts() {
    driver.executeScript(
        """
        const { fetch } = window;
        const held = new Promise((release) => { window.releasePosts = release; });
        window.fetch = async (url, call) => {
          if (call?.method === 'POST') {
            await held;
          }
          return fetch(url, call);
        };
        """);
  }

  /** Returns when what was held has been answered, and the page has had time to show it. */
  void letPostsThrough() {
    driver.executeAsyncScript(
        """
        const done = arguments[arguments.length - 1];
        window.releasePosts();
        new PerformanceObserver((list) => {
          if (list.getEntriesByType('resource').some(({ name }) => name.endsWith('/v1/ids'))) {
            setTimeout(done, 200);
          }
        }).observe({ type: 'resource' });
        """);
  }

  void pressRegenerate(String kind) {
    one("regenerate-" + kind).click();
  }

  void awaitReadingsOf(String id) {
    await("readings of " + id, () -> !readings().isEmpty() && inspected().equals(id));
  }

  /** The id that is shown, character by character. */
  String inspected() {
    return text(
        "const one = document.querySelector('[data-testid=reading]');"
            + "return [...one?.querySelectorAll('[data-testid=text-char]') ?? []]"
            + ".map((char) => char.textContent).join('')");
  }

  String input() {
    return Objects.toString(one("inspector-input").getDomProperty("value"), "");
  }

  /** Presses the button that makes a new id and waits for it. */
  String regenerate(String kind) {
    String before = input();
    pressRegenerate(kind);
    await("another id", () -> !input().equals(before) && inspected().equals(input()));
    return input();
  }

  /** The kinds of all readings, the most likely first. */
  List<String> readings() {
    return texts(
        "return [...document.querySelectorAll('[data-testid=reading]')].map((r) => r.dataset.kind)");
  }

  /** Why each reading stands where it does. */
  List<String> reasons() {
    return texts(
        "return [...document.querySelectorAll('[data-testid=reason]')].map((r) => r.textContent)");
  }

  List<String> warningsOfTheFirstReading() {
    return texts(
        "return [...document.querySelector('[data-testid=reading]')"
            + ".querySelectorAll('[data-testid=warning]')].map((one) => one.textContent)");
  }

  String form(String name) {
    return driver
        .findElement(By.cssSelector("[data-testid='form-value'][data-form='" + name + "']"))
        .getText();
  }

  void pointAtField(String name) {
    new Actions(driver).moveToElement(field(name)).perform();
  }

  void pointAtBit(int index) {
    new Actions(driver).moveToElement(all("bit").get(index)).perform();
  }

  /** Gives a field the focus, as Tab does. */
  void focusField(String name) {
    driver.executeScript("arguments[0].focus()", field(name).findElement(By.cssSelector("button")));
  }

  Set<Integer> litCharacters() {
    return lit("text-char");
  }

  Set<Integer> litBits() {
    return lit("bit");
  }

  boolean isFieldLit(String name) {
    return isLit(field(name));
  }

  private Set<Integer> lit(String testId) {
    List<Boolean> lit =
        booleans(
            "return [...document.querySelector('[data-testid=reading]')"
                + ".querySelectorAll('[data-testid="
                + testId
                + "]')]"
                + ".map((part) => part.classList.contains('is-lit'))");
    Set<Integer> indexes = new HashSet<>();
    IntStream.range(0, lit.size()).filter(lit::get).forEach(indexes::add);
    return indexes;
  }

  private static boolean isLit(WebElement part) {
    return List.of(attribute(part, "class").split(" ")).contains("is-lit");
  }

  private WebElement field(String name) {
    return driver.findElement(By.cssSelector("[data-testid='field'][data-name='" + name + "']"));
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

  boolean showsTheInspector() {
    return one("inspector-input").isDisplayed();
  }

  /** Follows the link of a pool in the list. */
  void followPool(String name) {
    driver
        .findElement(By.cssSelector("[data-testid='pool-item'][data-pool='" + name + "']"))
        .click();
  }

  void followAllPools() {
    one("all-pools").click();
  }

  /** The name of the pool that is shown. */
  String poolTitle() {
    return one("pool-title").getText();
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
    fill("claims-client", client);
    one("claims-client").sendKeys(Keys.ENTER);
  }

  /** Takes out what was typed, key by key. */
  void clearClaimsFilter() {
    one("claims-client").sendKeys(Keys.chord(Keys.CONTROL, "a"), Keys.DELETE);
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

  private void fill(String testId, String text) {
    WebElement input = one(testId);
    input.clear();
    input.sendKeys(text);
  }

  private WebElement one(String testId) {
    return driver.findElement(By.cssSelector("[data-testid='" + testId + "']"));
  }

  private List<WebElement> all(String testId) {
    return driver.findElements(By.cssSelector("[data-testid='" + testId + "']"));
  }

  private WebElement focused() {
    return driver.switchTo().activeElement();
  }

  private static String attribute(WebElement element, String name) {
    return Objects.toString(element.getDomAttribute(name), "");
  }

  private String text(String script) {
    return Objects.toString(driver.executeScript(script), "");
  }

  private long number(String script) {
    return Long.parseLong(text(script));
  }

  private List<String> texts(String script) {
    return list(script).stream().map(String::valueOf).toList();
  }

  private List<Boolean> booleans(String script) {
    return list(script).stream().map(Boolean.TRUE::equals).toList();
  }

  private List<?> list(String script) {
    return (List<?>) Objects.requireNonNull(driver.executeScript(script), script);
  }
}
