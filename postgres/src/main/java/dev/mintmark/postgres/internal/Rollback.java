package dev.mintmark.postgres.internal;

import java.sql.Connection;
import java.sql.SQLException;

/** Undoes a transaction whose work failed, without hiding why. */
public final class Rollback {
  private Rollback() {}

  /** Rolls back; where that fails too, it is told with the reason. */
  public static void after(Throwable reason, Connection connection) {
    try {
      connection.rollback();
    } catch (SQLException e) {
      reason.addSuppressed(e);
    }
  }
}
