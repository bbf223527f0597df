package dev.mintmark.app.database;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;

/**
 * A connection pool whose failures say why the server refused further connections. That of HikariCP
 * has the reason only as its cause. Safe for use by many threads.
 */
final class ConnectionPool extends HikariDataSource {
  /**
   * @throws com.zaxxer.hikari.pool.HikariPool.PoolInitializationException if the database cannot be
   *     reached
   */
  ConnectionPool(HikariConfig config) {
    super(config);
  }

  @Override
  public Connection getConnection() throws SQLException {
    try {
      return super.getConnection();
    } catch (SQLTransientConnectionException e) {
      if (e.getCause() instanceof SQLException refusal) {
        throw new SQLTransientConnectionException(
            e.getMessage() + ": " + refusal.getMessage(), refusal.getSQLState(), e);
      }
      throw e;
    }
  }
}
