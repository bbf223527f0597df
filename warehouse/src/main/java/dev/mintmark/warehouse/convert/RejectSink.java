package dev.mintmark.warehouse.convert;

import java.io.IOException;
import java.util.Optional;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Counts what is rejected, and tells of it or keeps it. */
final class RejectSink {
  private static final int SIZE = 1 << 16;

  private final Optional<Predicate<Reject>> goesOn;
  private final Optional<Rejects.Opening> file;
  private final byte delimiter;

  /** What stands above what is kept behind {@code line} and {@code reason}; empty for nothing. */
  private byte[] header = {};

  private @Nullable ByteSink sink;
  private long count;
  private boolean stopped;

  RejectSink(Rejects rejects, byte delimiter) {
    this.delimiter = delimiter;
    if (rejects instanceof Rejects.InPlace inPlace) {
      this.goesOn = Optional.of(inPlace.goesOn());
      this.file = Optional.empty();
    } else {
      this.goesOn = Optional.empty();
      this.file = Optional.of(((Rejects.Aside) rejects).file());
    }
  }

  /** Whether what is rejected leaves the output. */
  boolean isAside() {
    return file.isPresent();
  }

  /** How many rows there were. */
  long count() {
    return count;
  }

  /** Whether the conversion is to end before the row of the last that was told. */
  boolean isStopped() {
    return stopped;
  }

  /** Sets the last part of the first line, with its end. */
  void header(byte[] line) {
    header = line;
  }

  /** Counts one more row. */
  void add() {
    count++;
  }

  /** Tells of something that stays in place; there may be several in a row. */
  void tell(Reject reject) {
    stopped = stopped || !goesOn.orElseThrow().test(reject);
  }

  /** Begins a row of what is kept: what came goes behind it. */
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
