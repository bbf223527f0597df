package dev.mintmark.postgres.search;

import dev.mintmark.Quoted;
import dev.mintmark.postgres.internal.SqlName;
import java.util.regex.Pattern;

/**
 * The collation and the text search configuration of comparisons. Both are part of the statement,
 * as they are part of the expression of an index.
 *
 * @param collation quoted as in SQL
 * @param configuration an expression of the type {@code regconfig}
 */
record TextRules(String collation, String configuration) {
  /** Used in a literal, so it contains no character that could end the literal. */
  private static final Pattern CONFIGURATION =
      Pattern.compile("[a-z_][a-z0-9_]*(\\.[a-z_][a-z0-9_]*)?");

  /** The default collation of the database; words unchanged, of no language. */
  static final TextRules DEFAULT =
      new TextRules("\"default\"", "").withConfiguration("pg_catalog.simple");

  TextRules withCollation(String name) {
    return new TextRules(SqlName.quotedTable(name), configuration);
  }

  TextRules withConfiguration(String name) {
    if (!CONFIGURATION.matcher(name).matches()) {
      throw new IllegalArgumentException(
          "malformed text search configuration %s: expected a name of a-z, 0-9 and '_', optionally after its"
                  .formatted(Quoted.of(name))
              + " schema and a dot");
    }
    return new TextRules(collation, "cast('" + SqlName.quotedTable(name) + "' as regconfig)");
  }

  /** The column or parameter as text in the collation. */
  String text(String operand) {
    return "cast(" + operand + " as text) collate " + collation;
  }

  /** As {@link #text}, in lower case. */
  String lower(String operand) {
    return "pg_catalog.lower(" + text(operand) + ")";
  }
}
