package dev.mintmark.warehouse.convert;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;

/**
 * Rewrites the identifiers of a stream, and nothing else of it.
 *
 * <p>Memory is constant: what {@link #LINE_LENGTH_MAX} or {@link #RECORD_LENGTH_MAX} may take, and
 * a few MiB for each processor that it uses. Those are one for every 16 MiB of the heap's maximum,
 * at most eight; the threads of the {@link java.util.concurrent.ForkJoinPool} that it is called in,
 * or else of the common one, help the one that calls, and it waits for none that is busy for
 * others. Immutable, and so safe in any number of threads, each with streams of its own.
 */
public sealed interface Conversion permits LineConversion, CsvConversion {
  /** The most bytes of a line, or of the header of CSV, without its end: 1 MiB. */
  int LINE_LENGTH_MAX = 1 << 20;

  /** The most bytes of a record of CSV, without its end: 16 MiB. */
  int RECORD_LENGTH_MAX = 1 << 24;

  /** Hears how far a conversion is, each time that it has read. */
  @FunctionalInterface
  interface Progress {
    /**
     * So much is done.
     *
     * @param bytes bytes read of the input
     * @param rows lines, or records without the header
     */
    void moveTo(long bytes, long rows);
  }

  /**
   * What was done.
   *
   * @param rows lines, or records without the header, that were read
   * @param rejected those of them that were not converted
   * @param stopped whether it ended at a reject, as {@link Rejects.InPlace} had asked
   */
  record Outcome(long rows, long rejected, boolean stopped) {}

  /**
   * Converts all of a stream, and flushes the output. Closes neither stream.
   *
   * @throws ConversionException if the input cannot be taken apart into rows; rows that are only
   *     not converted go to {@code rejects}
   * @throws IllegalArgumentException if the input does not have the columns that are asked for
   */
  Outcome convert(InputStream in, OutputStream out, Rejects rejects, Progress progress)
      throws IOException;

  /** The same, of which nobody hears. */
  default Outcome convert(InputStream in, OutputStream out, Rejects rejects) throws IOException {
    return convert(in, out, rejects, (bytes, rows) -> {});
  }
}
