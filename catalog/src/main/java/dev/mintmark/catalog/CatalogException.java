package dev.mintmark.catalog;

import java.util.Optional;

/**
 * A catalog cannot be read. The message is one line: {@code FILE:LINE: PROBLEM}, or {@code FILE:
 * PROBLEM} if the error concerns the whole file, because it is missing or too large.
 */
public final class CatalogException extends RuntimeException {
  private static final long serialVersionUID = 1;

  /** Not serialized: only people read a deserialized exception, and the message has the line. */
  private final transient Optional<Location> location;

  CatalogException(String message) {
    super(message);
    this.location = Optional.empty();
  }

  CatalogException(String message, Throwable cause) {
    super(message, cause);
    this.location = Optional.empty();
  }

  CatalogException(Location location, String what) {
    super(location + ": " + what);
    this.location = Optional.of(location);
  }

  CatalogException(Location location, String what, Throwable cause) {
    super(location + ": " + what, cause);
    this.location = Optional.of(location);
  }

  /** Returns the line of the error; empty if the error concerns the whole file. */
  public Optional<Location> location() {
    return location;
  }
}
