package dev.mintmark.postgres.internal;

import java.sql.SQLException;
import java.time.Duration;

/**
 * The SQLSTATE of statements that waited for a lock in vain.
 *
 * <p>PostgreSQL reports a few of them, 1 of 3,500 under contention, as if a person had canceled the
 * statement (57014). A row is locked in two steps: first one waits for one's turn among those who
 * want the row, then for the transaction that has it. If the {@code lock_timeout} ends the first
 * wait at the moment at which the turn comes, the second wait begins, forgets why it is to end, and
 * ends. So it happens when several sessions began to wait at the same time. Seen with PostgreSQL
 * 14.23, 15 and 18.6.
 */
public final class LockTimeout {
  /** Lock not available. */
  public static final String SQLSTATE = "55P03";

  private static final String QUERY_CANCELED = "57014";

  private LockTimeout() {}

  /** Statements under a {@code lock_timeout}. */
  public interface Work<T> {
    /** Runs the statements. */
    T run() throws SQLException;
  }

  /**
   * Runs statements that take a moment, except for their waits; a lock timeout always fails with
   * {@link #SQLSTATE}. A cancel request after a time that is as long as the limit is taken for one.
   *
   * @param limit the {@code lock_timeout} in force
   */
  public static <T> T within(Duration limit, Work<T> work) throws SQLException {
    long began = System.nanoTime();
    try {
      return work.run();
    } catch (SQLException e) {
      if (QUERY_CANCELED.equals(e.getSQLState()) && System.nanoTime() - began >= limit.toNanos()) {
        throw new SQLException(e.getMessage(), SQLSTATE, e);
      }
      throw e;
    }
  }
}
