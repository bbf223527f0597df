package dev.mintmark.postgres.page;

import dev.mintmark.postgres.internal.SqlName;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;

/**
 * The transaction column, which {@link PageOrder#byTransaction} and {@link PageOrder#byWindow}
 * require. It contains the id of the transaction that inserted the row (its stamp).
 *
 * <p>Statements that insert rows must use its default, and no statement may change it.
 *
 * @param table the name of the table, after its schema and a dot, or alone if it is on the search
 *     path
 * @param column the name of the column
 */
public record XidColumn(String table, String column) {
  /** The maximum number of rows that one call of {@link #restamp} changes. */
  public static final int RESTAMP_MAX = 100_000;

  /** Checks the names. */
  public XidColumn {
    SqlName.quotedTable(table);
    SqlName.quoted(column);
  }

  /**
   * Returns the statement that adds the column. It locks the table for a moment and does not
   * rewrite it: existing rows get the id of the transaction that adds the column. {@link
   * KeysetPages#indexStatements} returns the statement for the index.
   */
  public String addStatement() {
    return "alter table %s add column %s xid8 not null default pg_catalog.pg_current_xact_id()"
        .formatted(SqlName.quotedTable(table), SqlName.quoted(column));
  }

  /**
   * Replaces the stamps of rows that another cluster stamped, with transaction ids that this
   * cluster has not assigned yet. Such rows come from a restore, a switch by logical replication,
   * or another copy that keeps the column. While there are such rows, pages of their scope are
   * refused. Stamps of another cluster that are in the past of this one are harmless.
   *
   * <p>Joins the caller's transaction. Call it with auto-commit, until it returns 0.
   *
   * @param limit the maximum number of rows, 1 to {@value #RESTAMP_MAX}
   * @return the number of rows that it found; a row that another session changed at that moment may
   *     keep its stamp until the next call
   */
  public int restamp(Connection connection, int limit) throws SQLException {
    if (limit < 1 || limit > RESTAMP_MAX) {
      throw new IllegalArgumentException(
          "restamp of %s rows: expected 1 to %s".formatted(limit, RESTAMP_MAX));
    }
    try (PreparedStatement restamp = restampStatement(limit).prepare(connection);
        ResultSet row = restamp.executeQuery()) {
      row.next();
      return row.getInt(1);
    }
  }

  private SqlFragment restampStatement(int limit) {
    String name = SqlName.quotedTable(table);
    return PageQuery.ahead(column)
        .between(
            """
            with ahead as materialized (
              select tableoid, ctid
              from %s
              where\s"""
                .formatted(name),
            """

              limit ?
              for update
            ),
            changed as (
              update %s r
              set %s = pg_catalog.pg_current_xact_id()
              from ahead a
              where r.tableoid operator(pg_catalog.=) a.tableoid and r.ctid operator(pg_catalog.=) a.ctid
            )
            select pg_catalog.count(*) from ahead"""
                .formatted(name, SqlName.quoted(column)))
        .withValue(limit);
  }
}
