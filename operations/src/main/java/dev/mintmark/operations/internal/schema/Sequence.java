package dev.mintmark.operations.internal.schema;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;

/**
 * A sequence.
 *
 * @param type the type of its numbers: {@code integer}
 * @param readable whether this role may read its last number
 * @param drawn whether a column of any table takes numbers from it
 * @param uses the columns that own it or take numbers from it, as far as they were asked for
 */
public record Sequence(
    Relation relation,
    String type,
    long start,
    long min,
    long max,
    long increment,
    long cache,
    boolean cycles,
    boolean readable,
    boolean drawn,
    List<Use> uses) {
  /**
   * A column that owns a sequence or takes numbers from it.
   *
   * @param relation the oid of its table
   * @param number its place in the catalog
   * @param owned whether the sequence is dropped with the column
   * @param drawn whether the column is an identity or has a default that names the sequence
   */
  public record Use(long relation, int number, String column, boolean owned, boolean drawn) {}

  /** Reads a sequence with at most one use. */
  static Sequence read(ResultSet row) throws SQLException {
    return new Sequence(
        Relation.read(row),
        row.getString("type"),
        row.getLong("start"),
        row.getLong("min"),
        row.getLong("max"),
        row.getLong("increment"),
        row.getLong("cache"),
        row.getBoolean("cycles"),
        row.getBoolean("is_readable"),
        row.getBoolean("is_drawn_by_any"),
        uses(row));
  }

  private static List<Use> uses(ResultSet row) throws SQLException {
    String column = row.getString("column_name");
    return column == null
        ? List.of()
        : List.of(
            new Use(
                row.getLong("relation"),
                row.getInt("number"),
                column,
                row.getBoolean("is_owned"),
                row.getBoolean("is_drawn")));
  }

  Sequence withUses(List<Use> all) {
    return new Sequence(
        relation,
        type,
        start,
        min,
        max,
        increment,
        cache,
        cycles,
        readable,
        drawn,
        List.copyOf(all));
  }
}
