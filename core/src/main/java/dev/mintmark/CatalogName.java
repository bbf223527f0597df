package dev.mintmark;

import java.nio.charset.StandardCharsets;
import java.util.regex.Pattern;

/**
 * Rules for names: of namespaces, collections and pools, so that they fit a pURI and a URL, and of
 * tables and columns, so that PostgreSQL does not truncate them.
 */
final class CatalogName {
  private static final Pattern NAME = Pattern.compile("[a-z][a-z0-9-]{0,62}");
  private static final String CHARACTERS = "a-z, 0-9 and '-', starting with a letter";

  /** The unreserved characters of RFC 3986 section 2.3. */
  private static final Pattern FOREIGN_NAME = Pattern.compile("[A-Za-z0-9._~-]{1,63}");

  private static final String FOREIGN_CHARACTERS = "A-Z, a-z, 0-9, '-', '.', '_' and '~'";

  private static final Pattern CODE = Pattern.compile("[a-z][a-z0-9]{0,7}");

  /** The most bytes of UTF-8 of a name in PostgreSQL: NAMEDATALEN - 1. */
  private static final int SQL_NAME_SIZE_MAX = 63;

  private CatalogName() {}

  /**
   * Checks a name of ours.
   *
   * @param what the type of the named object, for the message: {@code pool}
   * @throws IllegalArgumentException if it is malformed
   */
  static void check(String what, String name) {
    check(what, name, NAME, CHARACTERS);
  }

  /**
   * Checks a name that others may have chosen: any name that needs no escape in a pURI.
   *
   * @throws IllegalArgumentException if it is malformed
   */
  static void checkForeign(String what, String name) {
    check(what, name, FOREIGN_NAME, FOREIGN_CHARACTERS + "; in ours " + CHARACTERS);
  }

  private static void check(String what, String name, Pattern form, String characters) {
    if (!form.matcher(name).matches()) {
      throw new IllegalArgumentException(
          "malformed %s name %s: expected 1 to 63 of %s"
              .formatted(what, Quoted.of(name), characters));
    }
  }

  /**
   * Checks a code, which replaces a name in compact pURIs.
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
   * Checks the name of a table, with or without its schema.
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

  /** Half of a surrogate pair is not a character. */
  private static boolean isControlOrNone(int c) {
    return Character.isISOControl(c) || Character.getType(c) == Character.SURROGATE;
  }

  private static IllegalArgumentException malformed(String what, String name, String form) {
    return new IllegalArgumentException(
        "malformed %s name %s: expected %s1 to %s bytes of UTF-8 without control characters"
            .formatted(what, Quoted.of(name), form, SQL_NAME_SIZE_MAX));
  }
}
