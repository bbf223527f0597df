package dev.mintmark.verify;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.mintmark.fixtures.Patience;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.BooleanSupplier;
import java.util.logging.Level;
import org.openqa.selenium.By;
import org.openqa.selenium.JavascriptException;
import org.openqa.selenium.Keys;
import org.openqa.selenium.OutputType;
import org.openqa.selenium.StaleElementReferenceException;
import org.openqa.selenium.WebDriverException;
import org.openqa.selenium.WebElement;
import org.openqa.selenium.chrome.ChromeDriver;
import org.openqa.selenium.interactions.Actions;
import org.openqa.selenium.logging.LogEntry;
import org.openqa.selenium.logging.LogType;
import org.openqa.selenium.support.ui.WebDriverWait;

/**
 * The console as a user sees it: what all views have in common. Each view has a page of its own.
 */
class ConsolePage {
  private static final Duration LOOK_EVERY = Duration.ofMillis(20);
  private static final int TABS_MAX = 200;
  private static final String AXE = axe();

  final ChromeDriver driver;

  ConsolePage(ChromeDriver driver) {
    this.driver = driver;
  }

  /** Opens it anew, at what its address may say: {@code id=...} or {@code pool=...}. */
  void open(URI console, String fragment) {
    driver.get("about:blank");
    logs();
    driver.get(console + (fragment.isEmpty() ? "" : "#" + fragment));
    // The console asks the server for the session first.
    await(
        "a view, or the form that asks for a key",
        () ->
            !driver
                .findElements(By.cssSelector("body[data-view], #sign-in:not([hidden])"))
                .isEmpty());
  }

  /**
   * Waits until something can be seen, or fails with what was waited for. A part that is not there
   * yet, or is drawn or loaded anew in the middle of a look, is looked for again.
   */
  void await(String what, BooleanSupplier seen) {
    new WebDriverWait(driver, Patience.MAX, LOOK_EVERY)
        .withMessage(what)
        .ignoring(JavascriptException.class)
        .ignoring(StaleElementReferenceException.class)
        .until(d -> isSeen(seen));
  }

  private static boolean isSeen(BooleanSupplier seen) {
    try {
      return seen.getAsBoolean();
    } catch (WebDriverException e) {
      if (isOfAPageThatWasLeft(e)) {
        return false;
      }
      throw e;
    }
  }

  /** The driver has no exception of its own for a look at a page that is loaded anew. */
  private static boolean isOfAPageThatWasLeft(WebDriverException e) {
    String message = String.valueOf(e.getMessage());
    return message.contains("aborted by navigation") || message.contains("execution context");
  }

  /** Waits until an element with this test id is visible. */
  void awaitOne(String testId) {
    await(testId, () -> all(testId).stream().anyMatch(WebElement::isDisplayed));
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

  /**
   * What axe finds that breaks the rules of WCAG 2.2 AA or its best practices, one line for each
   * element.
   */
  List<String> barriers() {
    return barriers("");
  }

  /**
   * What axe finds in the light scheme, and in the dark one, which differs in its colours alone.
   */
  List<String> barriersInBothSchemes() {
    emulateColorScheme("light");
    List<String> found = new ArrayList<>(barriers());
    emulateColorScheme("dark");
    found.addAll(barriers("runOnly: ['color-contrast', 'link-in-text-block']"));
    return found;
  }

  private List<String> barriers(String options) {
    boolean isThere = Boolean.TRUE.equals(driver.executeScript("return 'axe' in window"));
    if (!isThere) {
      driver.executeScript(AXE);
    }
    Object found =
        driver.executeAsyncScript(
            """
            const done = arguments[arguments.length - 1];
            axe.run(document, { resultTypes: ['violations'], %s }).then(({ violations }) => done(
              violations.flatMap(({ id, help, nodes }) =>
                nodes.map(({ html }) => `${id}: ${help}: ${html.slice(0, 200)}`))));
            """
                .formatted(options));
    return ((List<?>) Objects.requireNonNull(found)).stream().map(String::valueOf).toList();
  }

  private static String axe() {
    String file = "/axe.min.js";
    try (InputStream script = ConsolePage.class.getResourceAsStream(file)) {
      return new String(Objects.requireNonNull(script, file).readAllBytes(), UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Goes back one step of the history. */
  void back() {
    driver.navigate().back();
  }

  /** What the address says behind its {@code #}. */
  String fragment() {
    return text("return location.hash.slice(1)");
  }

  /** Follows the link to the content, which is visible only while it has the focus. */
  void followSkipLink() {
    driver.findElement(By.id("skip")).sendKeys(Keys.ENTER);
  }

  /** Follows a link of the navigation. */
  void followView(String name) {
    driver.findElement(By.cssSelector("nav a[href='#view=" + name + "']")).click();
  }

  /** The view that is shown, and what the navigation marks as the current page. */
  List<String> shownView() {
    return texts(
        "return [...document.querySelectorAll('main > section:not([hidden])')].map(({ id }) => id)"
            + ".concat([...document.querySelectorAll('.masthead [aria-current=page]')]"
            + ".map(({ hash }) => hash))");
  }

  final void fill(String testId, String text) {
    WebElement input = one(testId);
    input.clear();
    input.sendKeys(text);
  }

  final WebElement one(String testId) {
    return driver.findElement(By.cssSelector("[data-testid='" + testId + "']"));
  }

  final List<WebElement> all(String testId) {
    return driver.findElements(By.cssSelector("[data-testid='" + testId + "']"));
  }

  final WebElement focused() {
    return driver.switchTo().activeElement();
  }

  static String attribute(WebElement element, String name) {
    return Objects.toString(element.getDomAttribute(name), "");
  }

  final String text(String script) {
    return Objects.toString(driver.executeScript(script), "");
  }

  final long number(String script) {
    return Long.parseLong(text(script));
  }

  final List<String> texts(String script) {
    return list(script).stream().map(String::valueOf).toList();
  }

  final List<Boolean> booleans(String script) {
    return list(script).stream().map(Boolean.TRUE::equals).toList();
  }

  final List<?> list(String script) {
    return (List<?>) Objects.requireNonNull(driver.executeScript(script), script);
  }
}
