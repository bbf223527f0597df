package dev.mintmark.warehouse.convert;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.Map;

/**
 * Converts the identifiers of a stream. Everything else in the stream is unchanged.
 *
 * <p>The input is read, converted and written in slices at the same time, by the calling thread and
 * threads of its own: one for each processor in all, as many as fit the heap. They are started when
 * the input is long enough to be worth it, and have ended when the conversion returns or throws.
 * They call what they were given (streams, rejects, progress) one at a time. The output is the same
 * whatever the number of threads.
 *
 * <p>Memory is constant: about 28 MiB for the longest record and everything else, and at most 4.5
 * MiB for each thread.
 *
 * <p>If the calling thread is interrupted while it waits for the others, the conversion fails with
 * {@link java.io.InterruptedIOException}, and the thread stays interrupted.
 *
 * <p>Immutable and thread-safe, if each call has its own streams.
 */
public sealed interface Conversion permits LineConversion, CsvConversion {
  /** The maximum length of a line, or of a CSV header, without its end: 1 MiB. */
  int LINE_LENGTH_MAX = 1 << 20;

  /** The maximum length of a CSV record, without its end: 16 MiB. */
  int RECORD_LENGTH_MAX = 1 << 24;

  /** Receives the progress of a conversion after each slice of the input. */
  @FunctionalInterface
  interface Progress {
    /**
     * Reports the progress.
     *
     * @param bytes the number of bytes read from the input
     * @param rows the number of lines, or of records without the header
     */
    void moveTo(long bytes, long rows);
  }

  /**
   * The outcome of a conversion.
   *
   * @param rows the number of lines, or of records without the header, that were read
   * @param rejected the number of them that were not converted
   * @param stopped whether {@link Rejects.InPlace} stopped the conversion at a reject
   * @param readings what the identifiers were read as, with their numbers, the highest first; only
   *     if times are written, which depend on that. Identifiers without a time are among them
   */
  record Outcome(long rows, long rejected, boolean stopped, Map<String, Long> readings) {
    Outcome(long rows, long rejected, boolean stopped) {
      this(rows, rejected, stopped, Map.of());
    }
  }

  /**
   * Converts a stream to its end. Does not close it.
   *
   * @param out the output, which is complete when this returns
   * @param rejects the handling of rows that cannot be converted
   * @throws ConversionException if the input cannot be split into rows
   * @throws IllegalArgumentException if the input does not have the chosen columns
   * @throws IOException as a stream or a file throws it
   */
  Outcome convert(InputStream in, Output out, Rejects rejects, Progress progress)
      throws IOException;

  /** Converts a stream to its end, to another stream, without reporting the progress. */
  default Outcome convert(InputStream in, OutputStream out, Rejects rejects) throws IOException {
    return convert(in, new Output.Stream(out), rejects, (bytes, rows) -> {});
  }
}
