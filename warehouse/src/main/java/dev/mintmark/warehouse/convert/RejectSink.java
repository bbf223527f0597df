package dev.mintmark.warehouse.convert;

import java.io.IOException;
import java.util.Optional;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Counts rejects, and reports them or writes them aside. */
final class RejectSink {
  private static final int SIZE = 1 << 16;

  private final Optional<Predicate<Reject>> continues;
  private final Optional<Rejects.Opening> file;
  private final byte delimiter;

  /** The header after {@code line} and {@code reason}; empty if rejects have no header. */
  private byte[] header = {};

  private @Nullable ByteSink sink;
  private long count;
  private boolean stopped;

  RejectSink(Rejects rejects, byte delimiter) {
    this.delimiter = delimiter;
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

  /** Returns whether the conversion must end before the row of the last reported reject. */
  boolean isStopped() {
    return stopped;
  }

  /** Sets the header after {@code line} and {@code reason}, with its line end. */
  void header(byte[] line) {
    header = line;
  }

  /** Counts a rejected row. */
  void add() {
    count++;
  }

  /** Reports a reject that stays in place. A row may have several. */
  void report(Reject reject) {
    stopped = stopped || !continues.orElseThrow().test(reject);
  }

  /** Writes the line and the reason of a reject. The caller writes the row to the returned sink. */
  ByteSink keep(Reject reject) throws IOException {
    if (sink == null) {
      sink = new ByteSink(file.orElseThrow().open(), SIZE);
      if (header.length > 0) {
        sink.put("line");
        sink.put(delimiter);
        sink.put("reason");
        sink.put(delimiter);
        sink.put(header, 0, header.length);
      }
    }
    sink.put(Long.toString(reject.line()));
    sink.put(delimiter);
    sink.putField(reject.reason(), delimiter);
    sink.put(delimiter);
    return sink;
  }

  void flush() throws IOException {
    if (sink != null) {
      sink.flush();
    }
  }
}
