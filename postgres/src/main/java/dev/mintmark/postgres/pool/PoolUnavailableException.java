package dev.mintmark.postgres.pool;

import java.sql.SQLException;

/**
 * The database of a pool failed, too many claims wait, or the pools were closed. After a failure of
 * the database it is not known whether the operation took place. It is safe to claim again: a
 * client that holds a value already gets the same one.
 *
 * <p>A text that the database cannot store, because its encoding lacks a character, fails so too:
 * the cause then has an SQLSTATE of class 22, and the same claim fails again.
 */
public sealed class PoolUnavailableException extends RuntimeException permits PoolMovedException {
  private static final long serialVersionUID = 1L;

  /** The database failed. */
  public PoolUnavailableException(String message, SQLException cause) {
    super(message, cause);
  }

  /** The pool failed for another reason. */
  public PoolUnavailableException(String message) {
    super(message);
  }
}
