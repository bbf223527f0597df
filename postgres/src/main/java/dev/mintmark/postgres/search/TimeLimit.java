package dev.mintmark.postgres.search;

import dev.mintmark.postgres.internal.SqlFile;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.SQLTimeoutException;
import java.sql.Savepoint;
import java.util.Map;

/**
 * Runs statements that the server stops when one of them takes too long. The bound is one of the
 * transaction, so nothing of it stays behind on a connection that is shared by others.
 */
final class TimeLimit {
  private static final SqlFile SET_TIMEOUT = SqlFile.load(TimeLimit.class, "set_timeout");
  private static final SqlFile RESTORE_TIMEOUT = SqlFile.load(TimeLimit.class, "restore_timeout");

  private static final String QUERY_CANCELED = "57014";
  private static final String UNKNOWN_SAVEPOINT = "3B001";

  private TimeLimit() {}

  /** What the session bounds statements by, and what they are bounded by now. */
  private record Bound(String before, long millis) {}

  /**
   * Runs the work in the transaction that the connection is in, which goes on afterwards as it was,
   * even if the work failed; or in one of its own.
   *
   * @param what it is, as the beginning of a message
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
      undo(() -> connection.rollback(savepoint), e); // with it the setting
      undo(() -> connection.releaseSavepoint(savepoint), e);
      throw e;
    }
    try {
      connection.releaseSavepoint(savepoint);
    } catch (SQLException e) {
      throw UNKNOWN_SAVEPOINT.equals(e.getSQLState())
          ? new SQLException(
              what + ": the work ended the transaction that it was run in, which it must not",
              UNKNOWN_SAVEPOINT,
              e)
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
      throw e; // of a search inside of this one, which says what it was
    } catch (SQLException e) {
      long tookMillis = (System.nanoTime() - start) / 1_000_000;
      if (QUERY_CANCELED.equals(e.getSQLState()) && tookMillis >= bound.millis()) {
        throw new SQLTimeoutException(
            "%s: stopped after %d ms: ask for less, or declare indexes"
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
