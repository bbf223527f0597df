package dev.mintmark.operations.migrate;

import java.nio.charset.StandardCharsets;
import java.util.Locale;

/**
 * The name of the other version of an object during a migration: {@code id__new} before the switch,
 * {@code id__old} after it.
 */
final class ShadowName {
  /** Bytes of UTF-8 that PostgreSQL keeps of a name: NAMEDATALEN - 1. */
  private static final int SIZE_MAX = 63;

  private static final String COMING = "__new";

  private ShadowName() {}

  /** Returns the name of the object that will take a name. */
  static String next(String name) {
    return with(name, COMING);
  }

  /** Whether the target of a step is a schema for tables of the new shape, and no table. */
  static boolean isOfSchema(String target) {
    return target.endsWith(COMING) && target.indexOf('.') < 0;
  }

  /** Returns the name of the object that had a name. */
  static String previous(String name) {
    return with(name, "__old");
  }

  /** Returns the name with a suffix; if that is too long, with a hash in place of its end. */
  static String with(String name, String suffix) {
    String whole = name + suffix;
    if (size(whole) <= SIZE_MAX) {
      return whole;
    }
    String end = "_%08x".formatted(name.hashCode()).toLowerCase(Locale.ROOT) + suffix;
    int kept = name.length();
    while (size(name.substring(0, kept)) + size(end) > SIZE_MAX) {
      kept = name.offsetByCodePoints(kept, -1);
    }
    return name.substring(0, kept) + end;
  }

  private static int size(String text) {
    return text.getBytes(StandardCharsets.UTF_8).length;
  }
}
