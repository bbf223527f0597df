package dev.mintmark.catalog;

/**
 * A catalog could not be read. The message is one line that a person can act upon, {@code
 * FILE:LINE: what was wrong with what}; {@code FILE: ...} where the file as a whole is at fault,
 * because it is missing or too large.
 */
public final class CatalogException extends RuntimeException {
  private static final long serialVersionUID = 1;

  CatalogException(String message) {
    super(message);
  }

  CatalogException(String message, Throwable cause) {
    super(message, cause);
  }
}
