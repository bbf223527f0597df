package dev.mintmark.catalog;

import java.util.Optional;

/**
 * A catalog could not be read. The message is one line that a person can act upon, {@code
 * FILE:LINE: what was wrong with what}; {@code FILE: ...} where the file as a whole is at fault,
 * because it is missing or too large.
 */
public final class CatalogException extends RuntimeException {
  private static final long serialVersionUID = 1;

  /** Not of what is serialised: an exception that was is read by people. */
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

  /** The line that is at fault; empty where the file as a whole is. */
  public Optional<Location> location() {
    return location;
  }
}
