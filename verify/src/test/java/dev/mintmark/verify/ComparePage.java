package dev.mintmark.verify;

import java.util.List;
import org.openqa.selenium.WebElement;
import org.openqa.selenium.chrome.ChromeDriver;

/** The view that recommends an identifier, as a user sees it. All of its selectors are here. */
final class ComparePage extends ConsolePage {
  ComparePage(ChromeDriver driver) {
    super(driver);
  }

  void awaitTake(String take) {
    await(take, () -> texts(ofAll("take")).equals(List.of(take)));
  }

  /** Chooses an answer with the mouse. */
  void answer(String key, String value) {
    one("answer-" + key + "-" + value).click();
  }

  boolean isAnswered(String key, String value) {
    return one("answer-" + key + "-" + value).isSelected();
  }

  /** The names of the questions. */
  List<String> questions() {
    return texts(
        "return [...document.querySelectorAll('[data-testid=question]')].map((q) => q.dataset.key)");
  }

  String unmet() {
    return textOf("unmet");
  }

  String runnerUp() {
    return textOf("runner-up");
  }

  String catalog() {
    return textOf("catalog");
  }

  String sql() {
    return textOf("sql");
  }

  /** The names of the kinds in the table. */
  List<String> schemes() {
    return texts(
        "return [...document.querySelectorAll('[data-testid=scheme]')].map((s) => s.dataset.name)");
  }

  List<String> recommended() {
    return texts(
        "return [...document.querySelectorAll('[data-testid=scheme].is-recommended')]"
            + ".map((s) => s.dataset.name)");
  }

  /** The odds of a kind in words; empty if the table does not have it. */
  String odds(String scheme) {
    return text(
        "return document.querySelector('[data-testid=scheme][data-name=\"%s\"] [data-testid=odds]')?.textContent"
            .formatted(scheme));
  }

  void showAll() {
    one("compare-all").click();
  }

  String error() {
    return text("return document.getElementById('compare-error').textContent.trim()");
  }

  /** The line that says on a phone what is recommended. */
  WebElement summary() {
    return one("compare-now");
  }

  private String textOf(String testId) {
    return text("return document.querySelector('[data-testid=%s]')?.textContent".formatted(testId));
  }

  private static String ofAll(String testId) {
    return "return [...document.querySelectorAll('[data-testid=%s]')].map((e) => e.textContent)"
        .formatted(testId);
  }
}
