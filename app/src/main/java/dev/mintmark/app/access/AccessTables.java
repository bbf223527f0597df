package dev.mintmark.app.access;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import javax.sql.DataSource;

/**
 * The tables of keys and of the audit. Each piece of work is a transaction of its own at isolation
 * level read committed, in which functions, operators and types are those of {@code pg_catalog}.
 * Safe for use by many threads.
 */
final class AccessTables {
  /**
   * The database or the role may have a default at which transactions fail and must be repeated.
   */
  private static final String BEGIN =
      "set transaction isolation level read committed; set local search_path = pg_catalog, pg_temp";

  private final DataSource connections;

  AccessTables(DataSource connections) {
    this.connections = connections;
  }

  /** Statements of one transaction. */
  interface Work<T> {
    T on(Connection connection) throws SQLException;
  }

  /**
   * Runs statements in one transaction.
   *
   * @throws AccessUnavailableException if one fails: then all are rolled back
   */
  <T> T inTransaction(Work<T> work) {
    try (Connection connection = connections.getConnection()) {
      connection.setAutoCommit(false);
      try (Statement begin = connection.createStatement()) {
        begin.execute(BEGIN);
        T result = work.on(connection);
        connection.commit();
        connection.setAutoCommit(true);
        return result;
      } catch (SQLException | RuntimeException e) {
        rollBack(connection, e);
        throw e;
      }
    } catch (SQLException e) {
      throw new AccessUnavailableException(e);
    }
  }

  /** Statements of one transaction, and the entry of the audit that it stores. */
  interface AuditedWork<T> {
    T on(Connection connection, AuditEntry entry) throws SQLException;
  }

  /**
   * As {@link #inTransaction(Work)}. If the database rejects a value, because its encoding lacks a
   * character, the work is repeated with the entry in ASCII.
   */
  <T> T inTransaction(AuditEntry entry, AuditedWork<T> work) {
    try {
      return inTransaction(connection -> work.on(connection, entry));
    } catch (AccessUnavailableException e) {
      if (!e.isOfData()) {
        throw e;
      }
      return inTransaction(connection -> work.on(connection, entry.inAscii()));
    }
  }

  /** On a connection that broke this fails too, and the reason is what callers need. */
  private static void rollBack(Connection connection, Exception reason) {
    try {
      connection.rollback();
      connection.setAutoCommit(true);
    } catch (SQLException e) {
      reason.addSuppressed(e);
    }
  }
}
