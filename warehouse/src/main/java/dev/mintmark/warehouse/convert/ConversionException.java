package dev.mintmark.warehouse.convert;

/** An input cannot be split into rows. The message has the line and the reason. */
public final class ConversionException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final boolean keptAside;

  private ConversionException(long line, String why, boolean keptAside) {
    super("line " + line + ": " + why);
    this.keptAside = keptAside;
  }

  ConversionException(long line, String why) {
    this(line, why, false);
  }

  /**
   * Returns the exception for a record that can be rejected only {@linkplain Rejects.Aside aside}.
   */
  static ConversionException ofRecord(long line, String why) {
    return new ConversionException(line, why, true);
  }

  /**
   * Returns whether the other rows can be converted if rejects are written {@linkplain
   * Rejects.Aside aside}.
   */
  public boolean isKeptAside() {
    return keptAside;
  }
}
