package dev.mintmark.operations.migrate;

/**
 * Where rollback ends: with the first value that the old column cannot hold.
 *
 * @param column the column or its sequence, as PostgreSQL writes it: {@code public.orders.id}
 * @param query asks for the value that is nearest to an end of the old column's range, or beyond
 *     it: the greatest one or the least one. One row, null where there is no value
 * @param last the greatest value with which rollback is possible. The least one is {@code -last -
 *     1}
 */
public record Limit(String column, String query, long last) {
  /** Asks for the outermost value of a quoted column; an index of the column answers it. */
  static String query(String column, String table) {
    return """
        select case when -1::bigint operator(pg_catalog.-) e.least operator(pg_catalog.>) e.greatest
          then e.least else e.greatest end
        from (
          select pg_catalog.max(%1$s)::bigint as greatest, pg_catalog.min(%1$s)::bigint as least
          from %2$s) e"""
        .formatted(column, table);
  }

  /** How far from zero a value is: at most {@code last} if it can be rolled back. */
  static long reach(long value) {
    return value < 0 ? ~value : value;
  }
}
