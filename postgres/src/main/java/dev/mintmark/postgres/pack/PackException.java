package dev.mintmark.postgres.pack;

import java.sql.SQLException;

/** The pack cannot be installed, compared or uninstalled. Nothing has changed. */
public final class PackException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  PackException(String message) {
    super(message);
  }

  PackException(String message, SQLException cause) {
    super(message, cause);
  }
}
