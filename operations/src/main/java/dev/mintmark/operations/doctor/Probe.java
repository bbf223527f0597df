package dev.mintmark.operations.doctor;

import java.util.List;

/**
 * A few values of one table or sequence that are to be read.
 *
 * @param object whose they are, for when they cannot be read
 * @param expression an expression of SQL of type {@code text[]}, each {@code ?} one of the numbers
 * @param numbers what is bound
 */
record Probe(String object, String expression, List<Long> numbers) {
  /** Rows that are read of a table for a sample, values or not. */
  private static final int ROWS_MAX = 1_000;

  /** Values that are taken of them. */
  private static final int SAMPLE_MAX = 100;

  /** Characters of a value that are enough to recognize its kind. */
  private static final int LENGTH_MAX = 40;

  /** The last value of a sequence, and whether it was given. */
  static Probe last(Sequence sequence) {
    return new Probe(
        sequence.shown(),
        "(select array[last_value::text, is_called::text] from " + sequence.sql() + ")",
        List.of());
  }

  /** The greatest value of a column that an index begins with. */
  static Probe greatest(Column column) {
    return new Probe(
        "values of " + column.object(),
        "(select array[max(%s)::text] from %s)".formatted(column.sql(), column.table().sql()),
        List.of());
  }

  /** Whether a column that an index begins with has a value. */
  static Probe presence(Column column, long value) {
    return new Probe(
        "values of " + column.object(),
        "array[(exists (select from %s where %s = ?))::text]"
            .formatted(column.table().sql(), column.sql()),
        List.of(value));
  }

  /**
   * The greatest value and the one at nine tenths from the least to it, each with the second when
   * its row was made: four texts, or null where there are none.
   */
  static Probe pace(Column key, Column created) {
    String table = key.table().sql();
    String row =
        "(select r.%1$s::text as id, extract(epoch from r.%2$s)::bigint::text as at from %3$s as r"
            + " where r.%1$s is not null%4$s order by r.%1$s desc limit 1)";
    String early =
        " and r.%1$s <= (select max(%1$s) - ((max(%1$s)::numeric - min(%1$s)) / 10)::bigint from %2$s)"
            .formatted(key.sql(), table);
    return new Probe(
        "values of " + created.object(),
        "(select array[late.id, late.at, early.id, early.at] from %s as late, %s as early)"
            .formatted(
                row.formatted(key.sql(), created.sql(), table, ""),
                row.formatted(key.sql(), created.sql(), table, early)),
        List.of());
  }

  /** Some values of a column, of the rows that are read first. */
  static Probe sample(Column column) {
    return new Probe(
        "values of " + column.object(),
        ("(select array_agg(value) from (select value from"
                + " (select left(%s::text, %s) as value from %s limit %s) as first_rows"
                + " where value is not null limit %s) as sample)")
            .formatted(column.sql(), LENGTH_MAX, column.table().sql(), ROWS_MAX, SAMPLE_MAX),
        List.of());
  }
}
