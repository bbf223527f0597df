package dev.mintmark.postgres.internal;

import java.sql.Connection;
import java.sql.SQLException;

/** Rolls back a transaction whose work failed, and keeps the reason. */
public final class Rollback {
  private Rollback() {}

  /**
   * Rolls back, and returns to a transaction for each statement. If that fails too, as it does on a
   * connection that broke, the exception is added to the reason as suppressed: the reason says
   * whether the work may be repeated.
   */
  public static void after(Throwable reason, Connection connection) {
    try {
      connection.rollback();
      connection.setAutoCommit(true);
    } catch (SQLException e) {
      reason.addSuppressed(e);
    }
  }
}
