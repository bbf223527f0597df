package dev.mintmark.operations.migrate;

/** Text as a constant of a statement that is kept as it will be run, and so has no parameters. */
final class SqlLiteral {
  private SqlLiteral() {}

  /** Returns the constant, which means the same under every setting of the server. */
  static String of(String text) {
    String quoted = "'" + text.replace("'", "''").replace("\\", "\\\\") + "'";
    return text.indexOf('\\') < 0 ? quoted : "E" + quoted;
  }
}
