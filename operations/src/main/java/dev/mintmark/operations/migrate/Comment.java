package dev.mintmark.operations.migrate;

import dev.mintmark.postgres.internal.SqlName;
import java.util.Locale;
import java.util.Optional;

/**
 * A comment on something that belongs to a table. It goes with an object that is dropped, so it is
 * made again for the one that takes the name.
 *
 * @param schema of statistics, which do not move with the table
 * @param literal the text as a constant of a statement
 */
record Comment(Kind kind, String name, Optional<String> schema, String literal) {
  /** What can have one; the labels are those of comments.sql. */
  enum Kind {
    CONSTRAINT,
    INDEX,
    TRIGGER,
    SEQUENCE,
    STATISTICS
  }

  /** Returns the statement while the table is in a schema. */
  String on(LiveTable table, String inSchema) {
    String object = kind.name().toLowerCase(Locale.ROOT) + " ";
    return "comment on "
        + switch (kind) {
          case CONSTRAINT, TRIGGER ->
              object + SqlName.quoted(name) + " on " + table.quotedIn(inSchema);
          case INDEX, SEQUENCE, STATISTICS ->
              object + SqlName.quoted(schema.orElse(inSchema)) + "." + SqlName.quoted(name);
        }
        + " is "
        + literal;
  }
}
