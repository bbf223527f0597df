package dev.mintmark.postgres.page;

import dev.mintmark.postgres.internal.SqlName;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;

/**
 * The column that {@link PageOrder#byTransaction} and {@link PageOrder#byWindow} need: it is
 * stamped with the transaction that inserts the row.
 *
 * <p>Statements that insert rows must leave it to its default, and none may change it.
 *
 * @param table its name, with its schema and a dot before it or as the search path finds it
 * @param column the column's name
 */
public record XidColumn(String table, String column) {
  /** Rows that {@link #restamp} changes at once at most. */
  public static final int RESTAMP_MAX = 100_000;

  /** Checks the names. */
  public XidColumn {
    SqlName.quotedTable(table);
    SqlName.quoted(column);
  }

  /**
   * The statement that adds it. It locks the table for a moment and rewrites nothing: rows that are
   * there get the transaction that adds the column. {@link KeysetPages#indexStatements} has the
   * index.
   */
  public String addStatement() {
    return "alter table %s add column %s xid8 not null default pg_current_xact_id()"
        .formatted(SqlName.quotedTable(table), SqlName.quoted(column));
  }

  /**
   * Stamps rows again that were stamped in another cluster, by transactions that are yet to come in
   * this one: after a restore, a change-over by logical replication, or any other way for rows to
   * get here with their stamps. Until none is left, pages of their scope are refused. Stamps of
   * another cluster that are in the past of this one do no harm.
   *
   * <p>Joins the caller's transaction; best called with auto-commit, until it answers 0.
   *
   * @param limit how many rows at most, 1 to {@value #RESTAMP_MAX}
   * @return how many rows there were
   */
  public int restamp(Connection connection, int limit) throws SQLException {
    if (limit < 1 || limit > RESTAMP_MAX) {
      throw new IllegalArgumentException(
          "restamp of %d rows: expected 1 to %d".formatted(limit, RESTAMP_MAX));
    }
    try (PreparedStatement update = restampStatement(limit).prepare(connection)) {
      return update.executeUpdate();
    }
  }

  private Sql restampStatement(int limit) {
    String name = SqlName.quotedTable(table);
    return PageQuery.ahead(column)
        .between(
            """
            update %s r
            set %s = pg_current_xact_id()
            from (
              select tableoid, ctid
              from %s
              where\s"""
                .formatted(name, SqlName.quoted(column), name),
            """

              limit ?
              for update
            ) a
            where r.tableoid = a.tableoid and r.ctid = a.ctid""")
        .withValue(limit);
  }
}
