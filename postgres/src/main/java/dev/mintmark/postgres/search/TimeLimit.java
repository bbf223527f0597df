package dev.mintmark.postgres.search;

import dev.mintmark.postgres.internal.SqlFile;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.SQLTimeoutException;
import java.sql.Savepoint;
import java.util.Map;

/**
 * Runs statements with a timeout on the server. The timeout is set for the transaction, so it does
 * not remain on a shared connection.
 */
final class TimeLimit {
  private static final SqlFile SET_TIMEOUT = SqlFile.load(TimeLimit.class, "set_timeout");
  private static final SqlFile RESTORE_TIMEOUT = SqlFile.load(TimeLimit.class, "restore_timeout");

  private static final String QUERY_CANCELED = "57014";
  private static final String UNKNOWN_SAVEPOINT = "3B001";

  private TimeLimit() {}

  /** The statement timeout of the session, and the present one. */
  private record Bound(String before, long millis) {}

  /**
   * Runs the work in the open transaction of the connection, which can continue afterwards even if
   * the work fails, or in a transaction of its own.
   *
   * @param what the start of a message
   * @throws SQLTimeoutException if a statement took longer
   */
  static <T> T run(Connection connection, long millis, String what, Search.Work<T> work)
      throws SQLException {
    return connection.getAutoCommit()
        ? inOwnTransaction(connection, millis, what, work)
        : inTransaction(connection, millis, what, work);
  }

  private static <T> T inOwnTransaction(
      Connection connection, long millis, String what, Search.Work<T> work) throws SQLException {
    connection.setAutoCommit(false);
    T result;
    try {
      result = bounded(connection, set(connection, millis), what, work);
      connection.commit();
    } catch (Throwable e) {
      undo(connection::rollback, e);
      undo(() -> connection.setAutoCommit(true), e);
      throw e;
    }
    connection.setAutoCommit(true);
    return result;
  }

  private static <T> T inTransaction(
      Connection connection, long millis, String what, Search.Work<T> work) throws SQLException {
    Savepoint savepoint = connection.setSavepoint();
    T result;
    try {
      Bound bound = set(connection, millis);
      result = bounded(connection, bound, what, work);
      restore(connection, bound);
    } catch (Throwable e) {
      undo(() -> connection.rollback(savepoint), e); // also restores the setting
      undo(() -> connection.releaseSavepoint(savepoint), e);
      throw e;
    }
    try {
      connection.releaseSavepoint(savepoint);
    } catch (SQLException e) {
      throw UNKNOWN_SAVEPOINT.equals(e.getSQLState())
          ? new SQLException(
              what + ": the work ended its transaction, which is not allowed", UNKNOWN_SAVEPOINT, e)
          : e;
    }
    return result;
  }

  private static <T> T bounded(Connection connection, Bound bound, String what, Search.Work<T> work)
      throws SQLException {
    long start = System.nanoTime();
    try {
      return work.run(connection);
    } catch (SQLTimeoutException e) {
      throw e; // from a nested search, which has its own message
    } catch (SQLException e) {
      long tookMillis = (System.nanoTime() - start) / 1_000_000;
      if (QUERY_CANCELED.equals(e.getSQLState()) && tookMillis >= bound.millis()) {
        throw new SQLTimeoutException(
            "%s: stopped after %s ms: use longer or rarer terms, or create indexes"
                .formatted(what, bound.millis()),
            QUERY_CANCELED,
            e);
      }
      throw e;
    }
  }

  private static Bound set(Connection connection, long millis) throws SQLException {
    return SET_TIMEOUT
        .query(
            connection,
            Map.of("timeout_millis", millis),
            row -> new Bound(row.getString("before"), row.getLong("millis")))
        .get(0);
  }

  private static void restore(Connection connection, Bound bound) throws SQLException {
    try (PreparedStatement statement =
        RESTORE_TIMEOUT.prepare(connection, Map.of("before", bound.before()))) {
      statement.execute();
    }
  }

  private interface Undo {
    void run() throws SQLException;
  }

  private static void undo(Undo undo, Throwable reason) {
    try {
      undo.run();
    } catch (SQLException e) {
      reason.addSuppressed(e);
    }
  }
}
