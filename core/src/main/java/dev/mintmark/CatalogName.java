package dev.mintmark;

import java.nio.charset.StandardCharsets;
import java.util.regex.Pattern;

/**
 * What namespaces, collections and pools may be called, so that a name fits a pURI and a URL, and
 * tables and columns, so that PostgreSQL keeps the whole of it.
 */
final class CatalogName {
  private static final Pattern NAME = Pattern.compile("[a-z][a-z0-9-]{0,62}");
  private static final Pattern CODE = Pattern.compile("[a-z][a-z0-9]{0,7}");

  /** Bytes of UTF-8 that PostgreSQL keeps of a name: NAMEDATALEN - 1. */
  private static final int SQL_NAME_SIZE_MAX = 63;

  private CatalogName() {}

  /**
   * Returns {@code name} if it is well formed.
   *
   * @param what whose name it is, for the message: {@code pool}
   * @throws IllegalArgumentException if it is not
   */
  static String check(String what, String name) {
    if (!NAME.matcher(name).matches()) {
      throw new IllegalArgumentException(
          "malformed "
              + what
              + " name "
              + Quoted.of(name)
              + ": expected 1 to 63 of a-z, 0-9 and '-', starting with a letter");
    }
    return name;
  }

  /**
   * Checks a code, which stands for a name in compact pURIs.
   *
   * @throws IllegalArgumentException if it is malformed
   */
  static void checkCode(String code) {
    if (!CODE.matcher(code).matches()) {
      throw new IllegalArgumentException(
          "malformed code "
              + Quoted.of(code)
              + ": expected 1 to 8 of a-z and 0-9, starting with a letter");
    }
  }

  /**
   * Checks the name of a table, with its schema where it has one.
   *
   * @throws IllegalArgumentException if it is malformed
   */
  static void checkTable(String table) {
    int dot = table.indexOf('.');
    boolean malformed =
        dot < 0
            ? !isSqlName(table)
            : !isSqlName(table.substring(0, dot))
                || !isSqlName(table.substring(dot + 1))
                || table.indexOf('.', dot + 1) >= 0;
    if (malformed) {
      throw malformed("table", table, "TABLE or SCHEMA.TABLE, each ");
    }
  }

  /**
   * Checks the name of a column.
   *
   * @throws IllegalArgumentException if it is malformed
   */
  static void checkColumn(String column) {
    if (!isSqlName(column)) {
      throw malformed("column", column, "");
    }
  }

  private static boolean isSqlName(String name) {
    return !name.isEmpty()
        && name.length() <= SQL_NAME_SIZE_MAX
        && name.getBytes(StandardCharsets.UTF_8).length <= SQL_NAME_SIZE_MAX
        && name.codePoints().noneMatch(CatalogName::isControlOrNone);
  }

  /** Half of a surrogate pair is no character. */
  private static boolean isControlOrNone(int c) {
    return Character.isISOControl(c) || Character.getType(c) == Character.SURROGATE;
  }

  private static IllegalArgumentException malformed(String what, String name, String form) {
    return new IllegalArgumentException(
        "malformed %s name %s: expected %s1 to %d bytes of UTF-8 without control characters"
            .formatted(what, Quoted.of(name), form, SQL_NAME_SIZE_MAX));
  }
}
