package dev.mintmark.postgres.pool;

import java.sql.SQLException;

/**
 * The pool could not be asked, or did not answer: the database failed, too many claims wait, or the
 * pools were closed. Whether what was asked has happened is not known where the database failed;
 * claiming again is safe, a client that holds a value is told so.
 */
public final class PoolUnavailableException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  PoolUnavailableException(String pool, SQLException cause) {
    super("pool \"" + pool + "\": the database failed: " + cause.getMessage(), cause);
  }

  PoolUnavailableException(String pool, String why) {
    super("pool \"" + pool + "\": " + why);
  }
}
