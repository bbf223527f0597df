package dev.mintmark.verify;

import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.IntStream;
import org.openqa.selenium.By;
import org.openqa.selenium.Keys;
import org.openqa.selenium.WebElement;
import org.openqa.selenium.chrome.ChromeDriver;
import org.openqa.selenium.interactions.Actions;
import org.openqa.selenium.support.ui.Select;

/** The inspector as a user sees it. All of its selectors are here. */
final class InspectorPage extends ConsolePage {
  InspectorPage(ChromeDriver driver) {
    super(driver);
  }

  void inspect(String id) {
    enter(id);
    awaitReadingsOf(id);
  }

  /** Puts an id in place of what was typed: of one typed slowly, the beginning is inspected too. */
  private void enter(String id) {
    WebElement input = one("inspector-input");
    input.sendKeys(Keys.chord(Keys.CONTROL, "a"));
    driver.executeCdpCommand("Input.insertText", Map.of("text", id));
    input.sendKeys(Keys.ENTER);
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
    await("readings of " + id, () -> !readings().isEmpty() && inspected().equals(id) && !isBusy());
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

  void openKindsWithSettings() {
    one("mint-more").findElement(By.tagName("summary")).click();
    awaitOne("mint-submit");
  }

  /** The kinds that buttons and the form mint. */
  List<String> offeredKinds() {
    return texts(
        "return [...[...document.querySelectorAll('.is-mint')]"
            + ".map((chip) => chip.dataset.testid.replace('regenerate-', '')),"
            + "...[...document.querySelectorAll('[data-testid=mint-kind] option')]"
            + ".map((option) => option.value)]");
  }

  /** Mints a kind with the settings that the form proposes, and waits for the id. */
  void mintWithSettings(String kind) {
    String before = input();
    new Select(one("mint-kind")).selectByValue(kind);
    one("mint-submit").click();
    await("an id", () -> !input().equals(before) && inspected().equals(input()));
  }

  /** Keeps what is shown beside the next id, and waits until the input is empty. */
  void compareWithAnother() {
    one("compare-another").click();
    await("an empty input", () -> input().isEmpty() && !isBusy());
  }

  /** Types an id that is to be compared, and waits until there are so many. */
  void inspectBeside(String id, int count) {
    enter(id);
    awaitCompared(count);
  }

  void awaitCompared(int count) {
    await(count + " ids side by side", () -> compared().size() == count && !isBusy());
  }

  /** The ids that are compared. */
  List<String> compared() {
    return texts(
        "return [...document.querySelectorAll('[data-testid=compared]')]"
            + ".map((one) => one.querySelector('.id-line .visually-hidden').textContent)");
  }

  /** Presses a button of one of the compared ids. */
  void pressOfCompared(int at, String testId) {
    all("compared").get(at).findElement(By.cssSelector("[data-testid=" + testId + "]")).click();
  }

  /** The order of the compared ids by time, text or bytes. */
  String order(String by) {
    return driver
        .findElement(By.cssSelector("[data-testid=order][data-by=" + by + "] dd"))
        .getText();
  }

  /** The distances in time from the first of the compared ids. */
  List<String> distances() {
    return texts(
        "return [...document.querySelectorAll('[data-testid=distance]')].map((d) => d.textContent)");
  }

  /** The names of the fields of a part, id by id, and a hyphen for an id without one. */
  List<String> fieldsOfPart(String part) {
    return texts(
        "return [...document.querySelectorAll('[data-testid=part][data-name=\""
            + part
            + "\"] td')].map((cell) => [...cell.querySelectorAll('[data-testid=side-field]')]"
            + ".map((field) => field.dataset.field).join(' ') || '-')");
  }

  /** The kinds of which the comparison says what they promise. */
  List<String> promises() {
    return texts(
        "return [...document.querySelectorAll('[data-testid=promise]')].map((p) => p.dataset.kind)");
  }

  void switchHistory() {
    one("past-switch").click();
  }

  boolean keepsHistory() {
    return one("past-switch").isSelected();
  }

  /** The ids of the history, the latest first. */
  List<String> past() {
    return texts(
        "return [...document.querySelectorAll('[data-testid=past-id]')].map((id) => id.textContent)");
  }

  void pressPast(int at) {
    all("past-id").get(at).click();
  }

  /** Opens the box with ids of one millisecond, and waits for those of a kind. */
  void openStrips(String kind) {
    one("strips").findElement(By.tagName("summary")).click();
    await("strips", () -> !strips().isEmpty());
    new Select(one("strips-kind")).selectByValue(kind);
    await("strips", () -> text("return document.getElementById('strip-list').ariaBusy").isEmpty());
  }

  /** The orders of which ids are shown. */
  List<String> strips() {
    return texts(
        "return [...document.querySelectorAll('[data-testid=strip]')].map((s) => s.dataset.order)");
  }

  /** The ids of one millisecond that are shown in an order. */
  List<String> stripIds(String order) {
    return texts(
        "return [...document.querySelectorAll('[data-testid=strip][data-order=%s] .visually-hidden')].map((id) => id.textContent)"
            .formatted(order));
  }

  /** Which characters change in an order, in words. */
  String stripChanges(String order) {
    return driver
        .findElement(
            By.cssSelector(
                "[data-testid=strip][data-order=%s] [data-testid=strip-changes]".formatted(order)))
        .getText();
  }

  /** Presses the button beside an error, and waits until it is gone. */
  void tryAgain() {
    one("inspector-retry").click();
    await("no error", () -> all("inspector-retry").isEmpty());
  }

  boolean hasFindRow() {
    return !all("find-row").isEmpty();
  }

  void findRow() {
    one("find-row").click();
  }

  /** What was said of all collections. */
  String rowStatus() {
    return one("row-status").getText();
  }

  /** The columns of the rows that were found, each with its value. */
  List<String> rowValues() {
    return all("row-value").stream().map(row -> row.getText().replaceAll("\\s+", " ")).toList();
  }

  /** Why collections were not looked at. */
  List<String> rowsNotLookedAt() {
    return all("row-unseen").stream().map(one -> attribute(one, "data-reason")).toList();
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
}
