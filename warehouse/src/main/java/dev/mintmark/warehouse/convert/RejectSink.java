package dev.mintmark.warehouse.convert;

import java.io.IOException;
import java.io.OutputStream;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Counts rejects, and reports them or writes them aside, in order. Not thread-safe. */
final class RejectSink {
  private static final int SIZE = 1 << 16;

  private final Optional<Predicate<Reject>> continues;
  private final Optional<Rejects.Opening> file;
  private final byte delimiter;
  private final RowWriter writer;

  /** The header after {@code line} and {@code reason}; empty if rejects have no header. */
  private byte[] header = {};

  private @Nullable OutputStream stream;
  private @Nullable ByteSink sink;
  private long count;
  private boolean stopped;

  /** Writes a rejected row after its line and reason. */
  @FunctionalInterface
  interface RowWriter {
    /**
     * Writes the row.
     *
     * @param from the start of the row in {@code bytes}
     * @param next the start of the next row
     */
    void write(byte[] bytes, int from, int next, ByteSink kept) throws IOException;
  }

  RejectSink(Rejects rejects, byte delimiter, RowWriter writer) {
    this.delimiter = delimiter;
    this.writer = writer;
    if (rejects instanceof Rejects.InPlace inPlace) {
      this.continues = Optional.of(inPlace.goesOn());
      this.file = Optional.empty();
    } else {
      this.continues = Optional.empty();
      this.file = Optional.of(((Rejects.Aside) rejects).file());
    }
  }

  /** Returns whether rejects are written aside instead of to the output. */
  boolean isAside() {
    return file.isPresent();
  }

  /** Returns the number of rejected rows. */
  long count() {
    return count;
  }

  /** Returns whether the conversion must end before the row that was rejected last. */
  boolean isStopped() {
    return stopped;
  }

  /** Sets the header after {@code line} and {@code reason}, with its line end. */
  void header(byte[] line) {
    header = line;
  }

  /**
   * Reports a row, or writes it aside.
   *
   * @param reasons one for each malformed field
   * @param from the start of the row in {@code bytes}
   * @param next the start of the next row
   * @return whether to continue; if not, the conversion ends before this row
   */
  boolean reject(long line, List<String> reasons, byte[] bytes, int from, int next)
      throws IOException {
    count++;
    if (isAside()) {
      keep(new Reject(line, String.join("; ", reasons)), bytes, from, next);
    } else {
      for (String reason : reasons) {
        stopped = stopped || !continues.orElseThrow().test(new Reject(line, reason));
      }
    }
    return !stopped;
  }

  private void keep(Reject reject, byte[] bytes, int from, int next) throws IOException {
    ByteSink kept = sink == null ? open() : sink;
    kept.put(Long.toString(reject.line()));
    kept.put(delimiter);
    kept.putField(reject.reason(), delimiter);
    kept.put(delimiter);
    writer.write(bytes, from, next, kept);
  }

  private ByteSink open() throws IOException {
    OutputStream opened = file.orElseThrow().open();
    ByteSink kept = ByteSink.before(opened, SIZE);
    stream = opened;
    sink = kept;
    if (header.length > 0) {
      kept.put("line");
      kept.put(delimiter);
      kept.put("reason");
      kept.put(delimiter);
      kept.put(header, 0, header.length);
    }
    return kept;
  }

  void flush() throws IOException {
    if (sink != null && stream != null) {
      sink.empty();
      stream.flush();
    }
  }
}
