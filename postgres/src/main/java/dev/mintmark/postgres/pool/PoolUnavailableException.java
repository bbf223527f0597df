package dev.mintmark.postgres.pool;

import java.sql.SQLException;

/**
 * The database could not be asked, or did not answer. Whether what was asked has happened is not
 * known; claiming again is safe, a client that holds a value is told so.
 */
public final class PoolUnavailableException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  PoolUnavailableException(String pool, SQLException cause) {
    super("pool \"" + pool + "\": " + cause.getMessage(), cause);
  }

  boolean hasState(String sqlState) {
    return getCause() instanceof SQLException cause && sqlState.equals(cause.getSQLState());
  }
}
