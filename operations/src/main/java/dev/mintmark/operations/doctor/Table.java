package dev.mintmark.operations.doctor;

import dev.mintmark.postgres.internal.SqlName;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;

/**
 * A table that is looked at; of a partitioned one the whole.
 *
 * @param shown its name as PostgreSQL writes it
 * @param members itself and its parts, by their oids
 * @param largestSchema the schema of the part with most rows; its own where there are no parts
 * @param largestName its name
 * @param rows how many there are, with those of its parts, as the last vacuum or analyze counted
 * @param inserted how many were inserted since the server counts
 * @param bytes its size with parts, indexes and what is kept out of line
 * @param obstacle why its rows cannot be read; empty where nothing is known to be in the way
 */
record Table(
    long root,
    String schema,
    String name,
    String shown,
    List<Long> members,
    String largestSchema,
    String largestName,
    long rows,
    long inserted,
    long bytes,
    Optional<String> obstacle) {
  /** Parts of one table whose values are read; each takes a lock, if only for a moment. */
  private static final int PARTS_MAX = 100;

  static Table read(ResultSet row) throws SQLException {
    List<Long> members = List.of((Long[]) row.getArray("members").getArray());
    return new Table(
        row.getLong("root"),
        row.getString("schema"),
        row.getString("name"),
        row.getString("shown"),
        members,
        row.getString("largest_schema"),
        row.getString("largest_name"),
        row.getLong("rows"),
        row.getLong("inserted"),
        row.getLong("bytes"),
        obstacle(row, members.size() - 1));
  }

  private static Optional<String> obstacle(ResultSet row, int parts) throws SQLException {
    if (!row.getBoolean("is_open")) {
      return Optional.of("this role has no USAGE on its schema");
    }
    if (row.getBoolean("has_row_security")) {
      return Optional.of("row security would hide rows from this role");
    }
    if (parts > PARTS_MAX) {
      return Optional.of("the table has %s parts, read are at most %s".formatted(parts, PARTS_MAX));
    }
    return Optional.empty();
  }

  /** Its name as part of a statement. */
  String sql() {
    return SqlName.quoted(schema) + "." + SqlName.quoted(name);
  }
}
