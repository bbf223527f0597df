package dev.mintmark.postgres.internal;

import dev.mintmark.Quoted;
import java.nio.charset.StandardCharsets;

/**
 * The one place where a name becomes part of a statement: everything else is bound. Names are taken
 * as PostgreSQL keeps them, so {@code Meats} is not {@code meats}.
 */
public final class SqlName {
  /** Bytes of UTF-8 that PostgreSQL keeps of a name: NAMEDATALEN - 1. */
  private static final int SIZE_MAX = 63;

  private SqlName() {}

  /**
   * Quotes the name of a schema, a column or a function.
   *
   * @throws IllegalArgumentException if PostgreSQL would not keep the whole of it
   */
  public static String quoted(String name) {
    int size = name.getBytes(StandardCharsets.UTF_8).length;
    if (size == 0 || size > SIZE_MAX || name.indexOf('\0') >= 0) {
      throw new IllegalArgumentException(
          "malformed SQL name %s: expected 1 to %d bytes of UTF-8, got %d"
              .formatted(Quoted.of(name), SIZE_MAX, size));
    }
    return '"' + name.replace("\"", "\"\"") + '"';
  }

  /**
   * Quotes the name of a table, with its schema and a dot before it where it has one: {@code
   * music.tracks} becomes {@code "music"."tracks"}.
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
