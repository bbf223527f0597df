package dev.mintmark.postgres.page;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import javax.sql.DataSource;

/**
 * A read-only transaction at isolation level read committed, so that all statements of a page go to
 * one server and each has a snapshot of its own. Ended by {@link #finish}, else rolled back.
 */
final class PageTransaction implements AutoCloseable {
  /**
   * For this transaction alone: what is set for a session stays behind in a pool of connections.
   * Where statistics are old, a million rows behind a cursor can be taken for a few, and would be
   * fetched all and sorted for one page: an index scan stops at the limit.
   */
  private static final String SETTINGS =
      """
      set transaction isolation level read committed, read only;
      set local enable_bitmapscan = off
      """;

  private final Connection connection;
  private final boolean borrowed;
  private final boolean autoCommit;
  private boolean open = true;

  private PageTransaction(Connection connection, boolean borrowed) throws SQLException {
    this.connection = connection;
    this.autoCommit = connection.getAutoCommit();
    this.borrowed = borrowed;
  }

  /** Begins one on a connection that is closed with it. */
  static PageTransaction begin(DataSource dataSource) throws SQLException {
    Connection connection = dataSource.getConnection();
    try {
      return new PageTransaction(connection, true).begin();
    } catch (SQLException | RuntimeException e) {
      connection.close();
      throw e;
    }
  }

  /** Begins one on a connection in auto-commit mode, which it is in again afterwards. */
  static PageTransaction begin(Connection connection) throws SQLException {
    return new PageTransaction(connection, false).begin();
  }

  private PageTransaction begin() throws SQLException {
    connection.setAutoCommit(false);
    try (Statement statement = connection.createStatement()) {
      statement.execute(SETTINGS);
    } catch (SQLException e) {
      connection.setAutoCommit(autoCommit);
      throw e;
    }
    return this;
  }

  Connection connection() {
    return connection;
  }

  <R> R finish(R result) throws SQLException {
    connection.commit();
    open = false;
    return result;
  }

  @Override
  public void close() throws SQLException {
    try {
      if (open) {
        connection.rollback();
      }
      connection.setAutoCommit(autoCommit);
    } finally {
      if (borrowed) {
        connection.close();
      }
    }
  }
}
