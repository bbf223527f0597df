package dev.mintmark.operations.internal.schema;

import java.util.List;

/** Lists of names in messages. */
public final class Names {
  private static final int SHOWN_MAX = 5;

  private Names() {}

  /** Returns {@code a, b}; of more than five names {@code a, b, c, d, e and 3 more}. */
  public static String shortened(List<String> names) {
    if (names.size() <= SHOWN_MAX) {
      return String.join(", ", names);
    }
    return "%s and %s more"
        .formatted(String.join(", ", names.subList(0, SHOWN_MAX)), names.size() - SHOWN_MAX);
  }
}
