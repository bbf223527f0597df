package dev.mintmark.operations.doctor;

import dev.mintmark.postgres.internal.SqlName;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Optional;

/**
 * A sequence, with a column that takes its numbers from it.
 *
 * @param shown its name as PostgreSQL writes it
 * @param column empty where no default knows it
 * @param max the greatest number it may give, the least one if it counts down
 */
record Sequence(
    String schema,
    String name,
    String shown,
    Optional<Column> column,
    long max,
    long increment,
    boolean cycles,
    boolean readable) {
  static Sequence read(ResultSet row, Optional<Column> column) throws SQLException {
    return new Sequence(
        row.getString("schema"),
        row.getString("name"),
        row.getString("shown"),
        column,
        row.getLong("max"),
        row.getLong("increment"),
        row.getBoolean("cycles"),
        row.getBoolean("is_readable"));
  }

  /** Its name as part of a statement. */
  String sql() {
    return SqlName.quoted(schema) + "." + SqlName.quoted(name);
  }

  boolean ascends() {
    return increment > 0;
  }
}
