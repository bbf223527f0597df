package dev.mintmark.app.access;

import java.sql.SQLException;

/** The tables of keys and of the audit could not be read or written. */
public final class AccessUnavailableException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** SQLSTATEs of data exceptions (SQL:2016), such as a character that an encoding lacks. */
  private static final String DATA_EXCEPTION = "22";

  AccessUnavailableException(SQLException cause) {
    super("keys and audit: " + firstLine(cause), cause);
  }

  AccessUnavailableException(String message) {
    super(message);
  }

  /** Whether the database is there, and rejects a value: it would reject it again. */
  boolean isOfData() {
    return getCause() instanceof SQLException failed
        && failed.getSQLState() != null
        && failed.getSQLState().startsWith(DATA_EXCEPTION);
  }

  private static String firstLine(SQLException cause) {
    String message = String.valueOf(cause.getMessage()).lines().findFirst().orElse("");
    return "42501".equals(cause.getSQLState())
        ? message + ": grant select, insert, update and delete on it to this role"
        : message;
  }
}
