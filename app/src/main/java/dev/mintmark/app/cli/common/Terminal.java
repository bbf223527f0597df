package dev.mintmark.app.cli.common;

import java.util.OptionalInt;

/** The terminal that stdout is. The launcher tests the streams, because Java cannot. */
public final class Terminal {
  /** The width of a terminal that does not say how wide it is. */
  private static final int COLUMNS = 80;

  /** Set if stdout is a terminal: its width, or nothing if that is unknown. */
  private static final String STDOUT_COLUMNS = "mintmark.stdout-columns";

  private Terminal() {}

  /** Returns the width of the terminal; empty if stdout is a file or a pipe. */
  static OptionalInt columns() {
    String columns = System.getProperty(STDOUT_COLUMNS);
    if (columns == null) {
      return OptionalInt.empty();
    }
    return OptionalInt.of(columns.matches("[1-9][0-9]{0,3}") ? Integer.parseInt(columns) : COLUMNS);
  }

  /** Whether a person reads stdout. */
  public static boolean isStdout() {
    return columns().isPresent();
  }
}
