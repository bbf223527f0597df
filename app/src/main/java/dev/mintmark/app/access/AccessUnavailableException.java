package dev.mintmark.app.access;

import java.sql.SQLException;

/** The tables of keys and of the audit could not be read or written. */
public final class AccessUnavailableException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  AccessUnavailableException(SQLException cause) {
    super("keys and audit: " + firstLine(cause), cause);
  }

  AccessUnavailableException(String message) {
    super(message);
  }

  private static String firstLine(SQLException cause) {
    String message = String.valueOf(cause.getMessage()).lines().findFirst().orElse("");
    return "42501".equals(cause.getSQLState())
        ? message + ": grant select, insert, update and delete on it to this role"
        : message;
  }
}
