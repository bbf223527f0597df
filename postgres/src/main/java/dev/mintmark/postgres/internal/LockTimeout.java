package dev.mintmark.postgres.internal;

import static dev.mintmark.postgres.internal.Transactions.Bind.bind;

import dev.mintmark.postgres.internal.Transactions.Statements;
import dev.mintmark.postgres.internal.Transactions.Work;
import java.sql.SQLException;
import java.time.Duration;

/**
 * Statements that wait for locks for a limited time.
 *
 * <p>PostgreSQL reports a few lock timeouts, 1 of 3,500 under contention, as a request to cancel
 * (57014). It locks a row in two steps: first it waits for the lock of the tuple, then for the
 * transaction that holds the row. If the timeout ends the first wait at the moment at which that
 * lock is granted, the second wait clears the sign of the timeout. So it happens if several
 * sessions wait for one row. Seen with PostgreSQL 14.23, 15 and 18.6.
 */
public final class LockTimeout {
  /** Lock not available. */
  public static final String SQLSTATE = "55P03";

  private static final String QUERY_CANCELED = "57014";

  private static final SqlFile LIMIT = SqlFile.load(LockTimeout.class, "lock_limit");

  private LockTimeout() {}

  /** Whether a statement waited for a lock in vain. */
  public static boolean is(Exception e) {
    return e instanceof SQLException failure && SQLSTATE.equals(failure.getSQLState());
  }

  /** Adds the limit to a query that pins settings, such as {@link SqlFile#PIN}. */
  static String pinned(String pin, Duration limit) {
    return pin.replace(
        ";", ", pg_catalog.set_config('lock_timeout', '" + limit.toMillis() + "', true);");
  }

  /** Returns the failure of a statement with the SQLSTATE of a lock timeout, if it may be one. */
  static SQLException of(SQLException e, Duration limit, long beganNanos) {
    long nanos = System.nanoTime() - beganNanos;
    return QUERY_CANCELED.equals(e.getSQLState()) && nanos >= limit.toNanos()
        ? new SQLException(e.getMessage(), SQLSTATE, e)
        : e;
  }

  /**
   * Runs statements of a transaction that take a moment, except for their waits. A lock timeout
   * always fails with {@link #SQLSTATE}: a request to cancel that arrives later than the limit is
   * taken for one. The timeout of a statement is not: it remains 57014.
   *
   * @param limit how long each statement waits for a lock
   */
  public static <T> T within(Duration limit, Statements statements, Work<T> work)
      throws SQLException {
    double statementSeconds =
        statements
            .query(
                LIMIT,
                row -> row.getDouble("statement_seconds"),
                bind("millis", Long.toString(limit.toMillis())))
            .get(0);
    long began = System.nanoTime();
    try {
      return work.run(statements);
    } catch (SQLException e) {
      boolean isOfStatement =
          statementSeconds > 0 && System.nanoTime() - began >= statementSeconds * 1e9;
      throw isOfStatement ? e : of(e, limit, began);
    }
  }
}
