package dev.mintmark.postgres.internal;

import java.sql.Connection;
import java.sql.SQLException;

/** Rolls back a transaction whose work failed, and keeps the reason. */
public final class Rollback {
  private Rollback() {}

  /** Rolls back. If that fails too, its exception is added to the reason as suppressed. */
  public static void after(Throwable reason, Connection connection) {
    try {
      connection.rollback();
    } catch (SQLException e) {
      reason.addSuppressed(e);
    }
  }
}
