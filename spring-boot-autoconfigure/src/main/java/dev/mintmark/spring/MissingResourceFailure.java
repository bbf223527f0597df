package dev.mintmark.spring;

/** A file that a property names cannot be read. */
final class MissingResourceFailure extends RuntimeException {
  private static final long serialVersionUID = 1;

  private final String property;

  MissingResourceFailure(String property, String location, String reason) {
    super(message(property, location, reason));
    this.property = property;
  }

  MissingResourceFailure(String property, String location, String reason, Throwable cause) {
    super(message(property, location, reason), cause);
    this.property = property;
  }

  /** The property that names the file. */
  String property() {
    return property;
  }

  private static String message(String property, String location, String reason) {
    return "%s is %s, which cannot be read: %s".formatted(property, location, reason);
  }
}
