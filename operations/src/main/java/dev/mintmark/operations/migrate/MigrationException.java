package dev.mintmark.operations.migrate;

import java.sql.SQLException;

/**
 * A migration cannot do what was asked of it, or not now; the message says why and what to do. What
 * was done before stays done, and can be gone on with.
 */
public final class MigrationException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  MigrationException(String message) {
    super(message);
  }

  MigrationException(String message, SQLException cause) {
    super(message, cause);
  }
}
