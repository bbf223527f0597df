package dev.mintmark.postgres.search;

import java.sql.SQLException;

/**
 * A search text is invalid: it exceeds a limit, contains a character that no column can hold, or a
 * term is not a regular expression. The message quotes the invalid part.
 */
public final class MalformedSearchException extends IllegalArgumentException {
  private static final long serialVersionUID = 1L;

  MalformedSearchException(String message) {
    super(message);
  }

  MalformedSearchException(String message, SQLException cause) {
    super(message, cause);
  }
}
