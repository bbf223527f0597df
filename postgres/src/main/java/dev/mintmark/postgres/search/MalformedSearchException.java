package dev.mintmark.postgres.search;

import java.sql.SQLException;

/**
 * A search text that cannot be searched for: it breaks a limit, has a character that no column
 * holds, or a term of it is no regular expression. The message quotes what is wrong.
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
