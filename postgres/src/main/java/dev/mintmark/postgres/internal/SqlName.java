package dev.mintmark.postgres.internal;

import dev.mintmark.Quoted;
import java.nio.charset.StandardCharsets;

/**
 * Quotes names. Only this class makes a name part of a statement; all other values are bound. Names
 * are case-sensitive, as PostgreSQL stores them: {@code Meats} is not {@code meats}.
 */
public final class SqlName {
  /** The longest name that PostgreSQL stores, in bytes of UTF-8: NAMEDATALEN - 1. */
  private static final int SIZE_MAX = 63;

  private SqlName() {}

  /**
   * Quotes the name of a schema, a column or a function.
   *
   * @throws IllegalArgumentException if the name is empty, too long, or contains a NUL character
   */
  public static String quoted(String name) {
    int size = name.getBytes(StandardCharsets.UTF_8).length;
    if (size == 0 || size > SIZE_MAX || name.indexOf('\0') >= 0) {
      throw new IllegalArgumentException(
          "malformed SQL name %s: expected 1 to %s bytes of UTF-8, got %s"
              .formatted(Quoted.of(name), SIZE_MAX, size));
    }
    return '"' + name.replace("\"", "\"\"") + '"';
  }

  /**
   * Quotes the name of a table. If it has a dot, the part before the first dot is the schema:
   * {@code music.tracks} becomes {@code "music"."tracks"}.
   *
   * @throws IllegalArgumentException as {@link #quoted}
   */
  public static String quotedTable(String table) {
    int dot = table.indexOf('.');
    return dot < 0
        ? quoted(table)
        : quoted(table.substring(0, dot)) + '.' + quoted(table.substring(dot + 1));
  }
}
