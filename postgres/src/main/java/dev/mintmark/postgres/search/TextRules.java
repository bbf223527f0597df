package dev.mintmark.postgres.search;

import dev.mintmark.Quoted;
import dev.mintmark.postgres.internal.SqlName;
import java.util.regex.Pattern;

/**
 * How texts are compared: under which collation, and by which configuration of the full-text
 * search. Both are written into the statement, as an index has them in its expression.
 *
 * @param collation quoted as it stands in SQL
 * @param configuration an expression of the type {@code regconfig}
 */
record TextRules(String collation, String configuration) {
  /** Stands in a literal, so it has nothing in it that a literal could end with. */
  private static final Pattern CONFIGURATION =
      Pattern.compile("[a-z_][a-z0-9_]*(\\.[a-z_][a-z0-9_]*)?");

  /** The database's own collation; words as they are, of no language. */
  static final TextRules DEFAULT =
      new TextRules("\"default\"", "").withConfiguration("pg_catalog.simple");

  TextRules withCollation(String name) {
    return new TextRules(SqlName.quotedTable(name), configuration);
  }

  TextRules withConfiguration(String name) {
    if (!CONFIGURATION.matcher(name).matches()) {
      throw new IllegalArgumentException(
          "malformed text search configuration %s: expected a name of a-z, 0-9 and '_', with its"
                  .formatted(Quoted.of(name))
              + " schema and a dot before it where it has one");
    }
    return new TextRules(collation, "cast('" + SqlName.quotedTable(name) + "' as regconfig)");
  }

  /** The column or parameter as a text in the collation. */
  String text(String operand) {
    return "cast(" + operand + " as text) collate " + collation;
  }

  /** The same with its letters in lower case. */
  String lower(String operand) {
    return "lower(" + text(operand) + ")";
  }
}
