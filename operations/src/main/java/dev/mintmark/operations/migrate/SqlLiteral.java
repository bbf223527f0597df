package dev.mintmark.operations.migrate;

/** Text as a constant of a statement that is kept as it will be run, and so has no parameters. */
final class SqlLiteral {
  private SqlLiteral() {}

  /** The constant; for a server where {@code standard_conforming_strings} is on. */
  static String of(String text) {
    return "'" + text.replace("'", "''") + "'";
  }
}
