package dev.mintmark.warehouse.convert;

import java.io.IOException;
import java.io.OutputStream;
import java.util.function.Predicate;

/** What becomes of rows that cannot be converted. */
public sealed interface Rejects {
  /**
   * They stay where they are, with nothing in the place of each identifier that is malformed. A
   * record that does not have as many fields as it should ends the conversion.
   *
   * @param goesOn hears of each, in order; {@code false} ends the conversion before that row
   */
  record InPlace(Predicate<Reject> goesOn) implements Rejects {}

  /**
   * They are left out, and kept as CSV: behind the line and the reason stands the line or record as
   * it came.
   *
   * @param file opened at the first reject, and flushed at the end but not closed
   */
  record Aside(Opening file) implements Rejects {}

  /** Opens the stream of what is kept aside. */
  @FunctionalInterface
  interface Opening {
    OutputStream open() throws IOException;
  }
}
