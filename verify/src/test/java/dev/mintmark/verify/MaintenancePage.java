package dev.mintmark.verify;

import java.util.List;
import org.openqa.selenium.By;
import org.openqa.selenium.WebElement;
import org.openqa.selenium.chrome.ChromeDriver;

/** The doctor and the migrations of the console. */
final class MaintenancePage extends ConsolePage {
  MaintenancePage(ChromeDriver driver) {
    super(driver);
  }

  void click(String testId) {
    awaitOne(testId);
    one(testId).click();
  }

  /** Waits until an element with this test id has a text. */
  void awaitText(String testId, String text) {
    await(testId + ": " + text, () -> textOf(testId).contains(text));
  }

  /** The text of the first element with a test id; empty without one. */
  String textOf(String testId) {
    return text(
        "const part = document.querySelector('[data-testid=\"%s\"]');".formatted(testId)
            + "return part ? part.innerText : ''");
  }

  List<String> textsOf(String testId) {
    return texts(
        "return [...document.querySelectorAll('[data-testid=\"%s\"]')].map((p) => p.innerText)"
            .formatted(testId));
  }

  List<String> severities() {
    return texts(
        "return [...document.querySelectorAll('[data-testid=finding]')]"
            + ".map(({ dataset }) => dataset.severity)");
  }

  /** The phases, and how each stands. */
  List<String> phases() {
    return texts(
        "return [...document.querySelectorAll('.phases li')]"
            + ".map((p) => p.innerText.replace(/\\s+/g, ' '))");
  }

  /** The current phase, as screen readers are told. */
  String currentPhase() {
    return text(
        "return document.querySelector('.phases [aria-current=step] .phase-name')?.innerText ?? ''");
  }

  void awaitMigration(String title) {
    await(
        title,
        () -> text("return document.getElementById('migration-title').innerText").equals(title));
  }

  boolean isDialogOpen() {
    return !driver.findElements(By.cssSelector("dialog[open]")).isEmpty();
  }

  /** Opens the SQL of the first step that has some. */
  void openSql() {
    WebElement summary = driver.findElement(By.cssSelector("details[open] .sql summary"));
    summary.click();
    awaitOne("step-sql");
  }

  boolean areChangesAllowed() {
    return driver.findElements(By.cssSelector("button[data-changes]:disabled")).isEmpty();
  }
}
