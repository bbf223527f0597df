package dev.mintmark.warehouse.convert;

/** An input that cannot be taken apart into rows. The message says from which line on, and why. */
public final class ConversionException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  ConversionException(long line, String why) {
    super("line " + line + ": " + why);
  }
}
