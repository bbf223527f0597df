package dev.mintmark.app.http;

import jakarta.servlet.http.HttpServletRequest;
import java.util.List;

/** The parameters {@code id} of a request that reads some. */
final class IdParameters {
  /** How many a request may have. */
  static final int COUNT_MAX = 100;

  private IdParameters() {}

  /**
   * Returns them in their order. Asked for by hand: Spring would take an id with a comma in it for
   * two.
   *
   * @throws IllegalArgumentException if there are none, or more than {@value #COUNT_MAX}
   */
  static List<String> of(HttpServletRequest request) {
    String[] ids = request.getParameterValues("id");
    if (ids == null || ids.length > COUNT_MAX) {
      throw new IllegalArgumentException("expected 1 to " + COUNT_MAX + " parameters id");
    }
    return List.of(ids);
  }
}
