package dev.mintmark.warehouse.convert;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.ForkJoinTask;
import java.util.function.Supplier;
import java.util.stream.IntStream;

/**
 * Converts what was read in slices, side by side, and answers as {@link PlainRows} would that goes
 * through all of it.
 *
 * <p>A slice begins behind a line feed, in the hope that a row does. Its rows are taken over when
 * those before have come to its very start. Where they have passed it, since that line feed was
 * within a field, what was converted of the slice is forgotten.
 */
final class Slices {
  /** How much of what a slice becomes is collected at a time. */
  private static final int SINK_SIZE = 1 << 16;

  /**
   * How much of it is collected at all: the rest is converted in its turn. It is three times what a
   * slice has; the array for it grows to four times.
   */
  static final int OUTPUT_MAX = 3 * Buffers.SLICE;

  private final int size;

  /** For what is not converted beforehand: the first slice, and what is between them. */
  private final PlainRows first;

  private final List<Slice> slices;

  /** How many of them are under way or done, and which is the next. */
  private int begun;

  private int next;

  private int start;
  private int copied;

  /** A part of what was read, from behind a line feed on, and what it becomes. */
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
      ByteSink sink = new ByteSink(converted, SINK_SIZE, OUTPUT_MAX);
      // Not submitted to the pool: whoever waits for such a task may never do it himself, and would
      // wait for ever where the pool has no thread, or none that is free.
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

  /** Where the first row begins that was not converted. */
  int start() {
    return start;
  }

  /** How far the input is in the output. */
  int copied() {
    return copied;
  }

  /** Begins with all slices of what was read but the first. */
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

  /** Forgets what was begun, and waits until nobody reads it any more. */
  void end() {
    // A task that is cancelled may run on: this waits for all of them.
    slices.subList(0, begun).forEach(slice -> slice.rows.quietlyJoin());
    next = begun;
  }

  /**
   * Converts the rows from {@code from} on, as {@link PlainRows#convert} does.
   *
   * @return how many
   */
  int convert(byte[] bytes, int from, int end, int copiedBefore, ByteSink sink) throws IOException {
    start = from;
    copied = copiedBefore;
    int rows = 0;
    int limit;
    do {
      forgetPassed();
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

  private void forgetPassed() {
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
    start = plain.start();
    copied = plain.copied();
  }

  /** Where a row begins behind a line feed from {@code at} on, or the end. */
  private static int rowAfter(byte[] bytes, int at, int end) {
    int newline = ByteSearch.find(bytes, Math.min(at, end), end, (byte) '\n');
    return newline == ByteSearch.NONE ? end : newline + 1;
  }
}
