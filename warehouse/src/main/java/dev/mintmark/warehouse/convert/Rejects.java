package dev.mintmark.warehouse.convert;

import java.io.IOException;
import java.io.OutputStream;
import java.util.function.Predicate;

/** The handling of rows that cannot be converted. */
public sealed interface Rejects {
  /**
   * Rejected rows stay in the output, with an empty text instead of each malformed identifier. A
   * record with too few or too many fields, or with misplaced quotes, ends the conversion.
   *
   * @param goesOn receives each reject, in order, and returns whether to continue; {@code false}
   *     ends the conversion before that row
   */
  record InPlace(Predicate<Reject> goesOn) implements Rejects {}

  /**
   * Rejected rows are written to another stream, not to the output. The stream is CSV: each row is
   * the line, the reason, and the unchanged line or record.
   *
   * @param file opens the stream at the first reject; the stream is flushed at the end, not closed
   */
  record Aside(Opening file) implements Rejects {}

  /** Opens the stream of the rejects. */
  @FunctionalInterface
  interface Opening {
    OutputStream open() throws IOException;
  }
}
