package dev.mintmark.warehouse.convert;

import dev.mintmark.ReadingTally;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.ForkJoinTask;
import java.util.function.Supplier;
import java.util.stream.IntStream;

/**
 * Converts plain rows in parallel, in slices of the input that was read. The result is that of one
 * {@link PlainRows} for all of it.
 *
 * <p>A slice begins after a line feed, where a row probably begins. The output of the slice is used
 * if the rows before it end exactly at its start. If they end after its start, because the line
 * feed was inside a field, the output of the slice is discarded.
 */
final class Slices {
  /** The size of the buffer of the output of a slice. */
  private static final int SINK_SIZE = 1 << 16;

  /**
   * The maximum output of a slice: three times its size. The array of the output grows to four
   * times its size. The rest of the slice is converted in order, after the output is used.
   */
  static final int OUTPUT_MAX = 3 * Buffers.SLICE;

  private final int size;

  /** Converts the first slice, and rows that no slice has converted. */
  private final PlainRows first;

  private final List<Slice> slices;

  /** The number of slices that were started, and the index of the next one to use. */
  private int begun;

  private int next;

  private int start;
  private int copied;

  /** What the identifiers were read as whose output was used. */
  private final ReadingTally tally = new ReadingTally();

  /** A part of the input, from after a line feed, and its output. */
  private static final class Slice {
    private final PlainRows plain;
    private final ByteArrayOutputStream converted = new ByteArrayOutputStream();
    private int from;
    private int limit;
    private ForkJoinTask<Integer> rows = ForkJoinTask.adapt(() -> 0);

    Slice(PlainRows plain) {
      this.plain = plain;
    }

    void begin(byte[] bytes, int from, int limit, int end) {
      this.from = from;
      this.limit = limit;
      converted.reset();
      plain.tally().clear();
      ByteSink sink = new ByteSink(converted, SINK_SIZE, OUTPUT_MAX);
      // Forked, not submitted to the pool: a thread that joins a forked task may run it itself.
      // With
      // a submitted task it could wait forever if the pool has no free thread.
      rows =
          ForkJoinTask.<Integer>adapt(
                  () -> {
                    int count = plain.convert(bytes, from, limit, end, from, sink);
                    sink.flush();
                    return count;
                  })
              .fork();
    }
  }

  Slices(Buffers buffers, Supplier<PlainRows> plain) {
    this.size = Math.max(1, buffers.size() / buffers.slices());
    this.first = plain.get();
    this.slices =
        IntStream.range(1, buffers.slices()).mapToObj(i -> new Slice(plain.get())).toList();
  }

  /** Returns the start of the first row that was not converted. */
  int start() {
    return start;
  }

  /** Returns the position up to which the input is in the output. */
  int copied() {
    return copied;
  }

  /** Returns what the identifiers were read as whose output was used. */
  ReadingTally tally() {
    return tally;
  }

  /** Starts the conversion of all slices except the first. */
  void begin(byte[] bytes, int from, int end) {
    begun = 0;
    next = 0;
    int sliceFrom = rowAfter(bytes, from + size, end);
    while (begun < slices.size() && sliceFrom < end) {
      int limit = rowAfter(bytes, sliceFrom + size, end);
      slices.get(begun++).begin(bytes, sliceFrom, limit, end);
      sliceFrom = limit;
    }
  }

  /** Discards all slices, and waits until no task reads the input. */
  void end() {
    // A cancelled task may still run, so join all of them.
    slices.subList(0, begun).forEach(slice -> slice.rows.quietlyJoin());
    next = begun;
  }

  /**
   * Converts the rows from {@code from}, as {@link PlainRows#convert} does.
   *
   * @return the number of rows
   */
  int convert(byte[] bytes, int from, int end, int copiedBefore, ByteSink sink) throws IOException {
    start = from;
    copied = copiedBefore;
    int rows = 0;
    int limit;
    do {
      discardPassed();
      if (next < begun && slices.get(next).from == start) {
        Slice slice = slices.get(next++);
        limit = slice.limit;
        rows += take(slice, bytes, sink);
      } else {
        limit = next < begun ? slices.get(next).from : end;
        rows += first.convert(bytes, start, limit, end, copied, sink);
        follow(first);
      }
    } while (start == limit && limit < end);
    return rows;
  }

  private void discardPassed() {
    while (next < begun && slices.get(next).from < start) {
      next++;
    }
  }

  private int take(Slice slice, byte[] bytes, ByteSink sink) throws IOException {
    int rows = slice.rows.join();
    sink.put(bytes, copied, slice.from);
    sink.put(slice.converted);
    follow(slice.plain);
    return rows;
  }

  private void follow(PlainRows plain) {
    tally.add(plain.tally());
    plain.tally().clear();
    start = plain.start();
    copied = plain.copied();
  }

  /** Returns the index after the first line feed from {@code at}, or {@code end}. */
  private static int rowAfter(byte[] bytes, int at, int end) {
    int newline = ByteSearch.find(bytes, Math.min(at, end), end, (byte) '\n');
    return newline == ByteSearch.NONE ? end : newline + 1;
  }
}
