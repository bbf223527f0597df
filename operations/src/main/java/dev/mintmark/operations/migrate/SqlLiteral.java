package dev.mintmark.operations.migrate;

/** Text as a constant of a statement that is kept as it will be run, and so has no parameters. */
final class SqlLiteral {
  private SqlLiteral() {}

  /** Returns the constant, which means the same under every setting of the server. */
  static String of(String text) {
    String quoted = "'" + text.replace("'", "''").replace("\\", "\\\\") + "'";
    return text.indexOf('\\') < 0 ? quoted : "E" + quoted;
  }

  /** Returns the text of a function or a block between dollar quotes that do not occur in it. */
  static String body(String text) {
    String tag = "$mintmark$";
    for (int i = 1; text.contains(tag); i++) {
      tag = "$mintmark" + i + "$";
    }
    // On a line of its own: what stands before it could be the beginning of the tag.
    return tag + "\n" + text.stripTrailing() + "\n" + tag;
  }
}
