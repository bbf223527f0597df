package dev.mintmark.postgres.page;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import javax.sql.DataSource;

/**
 * A read-only transaction at isolation level read committed: all statements of a page run on one
 * server, and each has its own snapshot. {@link #finish} commits it; otherwise it is rolled back.
 */
final class PageTransaction implements AutoCloseable {
  /**
   * The settings of this transaction. Settings of a session would remain on a pooled connection.
   * Bitmap scans are off, because with old statistics the planner may estimate a million rows after
   * a cursor as a few, and fetch and sort all of them for one page. An index scan stops at the
   * limit.
   */
  private static final String SETTINGS =
      """
      set transaction isolation level read committed, read only;
      set local enable_bitmapscan = off
      """;

  private final Connection connection;
  private final boolean closesConnection;
  private final boolean autoCommit;
  private boolean open = true;

  private PageTransaction(Connection connection, boolean closesConnection) throws SQLException {
    this.connection = connection;
    this.autoCommit = connection.getAutoCommit();
    this.closesConnection = closesConnection;
  }

  /** Begins a transaction on a new connection, which is closed with it. */
  static PageTransaction begin(DataSource dataSource) throws SQLException {
    Connection connection = dataSource.getConnection();
    try {
      return new PageTransaction(connection, true).begin();
    } catch (SQLException | RuntimeException e) {
      connection.close();
      throw e;
    }
  }

  /**
   * Begins a transaction on a connection in auto-commit mode, and restores that mode at the end.
   */
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
      if (closesConnection) {
        connection.close();
      }
    }
  }
}
