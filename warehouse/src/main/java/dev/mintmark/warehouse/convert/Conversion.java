package dev.mintmark.warehouse.convert;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.Map;

/**
 * Converts the identifiers of a stream. Everything else in the stream is unchanged.
 *
 * <p>Memory is constant: {@link #LINE_LENGTH_MAX} or {@link #RECORD_LENGTH_MAX}, and a few MiB for
 * each processor that it uses. It uses one processor for every 16 MiB of the maximum heap, at most
 * eight. The calling thread is helped by threads of the {@link java.util.concurrent.ForkJoinPool}
 * in which it runs, or of the common pool. It does not wait for threads that are busy with other
 * work.
 *
 * <p>Immutable and thread-safe, if each call has its own streams.
 */
public sealed interface Conversion permits LineConversion, CsvConversion {
  /** The maximum length of a line, or of a CSV header, without its end: 1 MiB. */
  int LINE_LENGTH_MAX = 1 << 20;

  /** The maximum length of a CSV record, without its end: 16 MiB. */
  int RECORD_LENGTH_MAX = 1 << 24;

  /** Receives the progress of a conversion after each read. */
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
   * Converts a stream to its end, and flushes the output. Closes neither stream.
   *
   * @param rejects the handling of rows that cannot be converted
   * @throws ConversionException if the input cannot be split into rows
   * @throws IllegalArgumentException if the input does not have the chosen columns
   */
  Outcome convert(InputStream in, OutputStream out, Rejects rejects, Progress progress)
      throws IOException;

  /** Converts a stream to its end without reporting the progress. */
  default Outcome convert(InputStream in, OutputStream out, Rejects rejects) throws IOException {
    return convert(in, out, rejects, (bytes, rows) -> {});
  }
}
