package dev.mintmark.app.http;

import java.beans.PropertyEditorSupport;
import java.util.List;
import org.springframework.web.bind.WebDataBinder;

/** The parameters {@code id} of a request for several identifiers. */
final class IdParameters {
  /** How many a request may have. */
  static final int COUNT_MAX = 100;

  private IdParameters() {}

  /** Keeps a single identifier with a comma whole. Spring would split it. */
  static void keepCommas(WebDataBinder binder) {
    binder.registerCustomEditor(String[].class, new WholeText());
  }

  /**
   * Returns the identifiers in their order.
   *
   * @throws IllegalArgumentException if there are more than {@value #COUNT_MAX}
   */
  static List<String> of(String[] ids) {
    checkCount(ids.length);
    return List.of(ids);
  }

  /**
   * Checks the number of identifiers.
   *
   * @throws IllegalArgumentException if there are more than {@value #COUNT_MAX}
   */
  static void checkCount(int count) {
    if (count > COUNT_MAX) {
      throw new IllegalArgumentException("expected 1 to " + COUNT_MAX + " parameters id");
    }
  }

  /** Makes an array with one element of a text. */
  private static final class WholeText extends PropertyEditorSupport {
    @Override
    public void setAsText(String text) {
      setValue(new String[] {text});
    }
  }
}
