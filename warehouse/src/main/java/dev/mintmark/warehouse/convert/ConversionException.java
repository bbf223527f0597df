package dev.mintmark.warehouse.convert;

/** An input that cannot be taken apart into rows. The message says from which line on, and why. */
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

  /** Of a record that cannot stay in place. */
  static ConversionException ofRecord(long line, String why) {
    return new ConversionException(line, why, true);
  }

  /** Whether the others are converted where rejects are kept {@linkplain Rejects.Aside aside}. */
  public boolean isKeptAside() {
    return keptAside;
  }
}
