package dev.mintmark.warehouse.convert;

import dev.mintmark.warehouse.convert.Conversion.Outcome;
import dev.mintmark.warehouse.convert.Conversion.Progress;
import java.io.IOException;
import java.util.Arrays;

/**
 * What happens to each slice in its turn, in the order of the input: it is joined to those before,
 * its rejects are reported, and its output gets its place. Used by one thread at a time.
 *
 * <p>What a slice became ahead of its turn is used if the rows before it end exactly at its start.
 * If they do not, because its first line feed was inside a field, it is converted again from where
 * they end.
 */
final class Turn {
  private static final int SINK_SIZE = 1 << 16;

  /** The byte order mark in UTF-8. */
  private static final byte[] MARK = {(byte) 0xEF, (byte) 0xBB, (byte) 0xBF};

  private final RowFormat format;
  private final OrderedOutput output;
  private final RejectSink rejects;
  private final Progress progress;
  private final int sliceSize;
  private final InTurn inTurn;
  private final Carried carried = new Carried();
  private boolean begun;

  Turn(
      RowFormat format,
      OrderedOutput output,
      RejectSink rejects,
      Progress progress,
      int sliceSize,
      int rowSize) {
    this.format = format;
    this.output = output;
    this.rejects = rejects;
    this.progress = progress;
    this.sliceSize = sliceSize;
    this.inTurn = new InTurn(ByteSink.before(output, Math.max(SINK_SIZE, rowSize)), rejects);
  }

  /**
   * Joins a slice to those before.
   *
   * @return the place where the caller must write the output of the slice, or {@link
   *     OrderedOutput#WRITTEN}
   */
  long join(Slice slice) throws IOException {
    if (!begun) {
      beginText(slice);
    }
    boolean isAhead = slice.isAhead() && carried.isEmpty();
    long place = OrderedOutput.WRITTEN;
    int from = carried.isEmpty() ? slice.from() : carryOn(slice);
    boolean isForTurn = false;
    if (isAhead) {
      place = add(slice);
      from = slice.position();
      isForTurn = !slice.gathered().isFull();
    }
    while (from < slice.end() && !rejects.isStopped()) {
      output.write(slice, place);
      place = OrderedOutput.WRITTEN;
      if (isForTurn || !format.isKnown()) {
        from = convertOne(slice, from);
      }
      if (from < slice.end() && format.isKnown() && !rejects.isStopped()) {
        slice.convert(format, from);
        place = add(slice);
        from = slice.position();
        isForTurn = !slice.gathered().isFull();
      }
    }
    if (slice.isLast() && !rejects.isStopped()) {
      format.end();
    }
    progress.moveTo(slice.countRead(), inTurn.rows());
    return place;
  }

  /** Copies the byte order mark, if there is one. */
  private void beginText(Slice first) throws IOException {
    begun = true;
    boolean isMarked =
        first.end() >= MARK.length
            && Arrays.equals(first.bytes(), 0, MARK.length, MARK, 0, MARK.length);
    if (isMarked) {
      output.write(MARK, 0, MARK.length);
      first.beginAt(MARK.length);
    }
  }

  /** Adds what rows of a slice became. Returns the place of the output. */
  private long add(Slice slice) throws IOException {
    Gathered gathered = slice.gathered();
    long before = inTurn.lines();
    for (Gathered.Rejected rejected : gathered.rejects()) {
      boolean continues =
          rejects.reject(
              before + rejected.line(),
              rejected.reasons(),
              slice.bytes(),
              rejected.from(),
              rejected.next());
      if (!continues) {
        // The rows after it must not count.
        slice.convertAgain(format, rejected.next());
        inTurn.add(gathered);
        output.write(gathered.bytes(), 0, rejected.written());
        return OrderedOutput.WRITTEN;
      }
    }
    inTurn.add(gathered);
    return output.place(slice);
  }

  /**
   * Converts the row at {@code from} that could not be converted ahead. Returns the start of the
   * next one, or the end of the slice if the row is carried.
   */
  private int convertOne(Slice slice, int from) throws IOException {
    int next = convertOne(slice, slice.bytes(), from, slice.end());
    if (next == Rows.NONE && !rejects.isStopped()) {
      checkLength(slice.end() - from);
      carried.add(slice.bytes(), from, slice.end(), carriedMax());
      carried.searched();
    }
    return next == Rows.NONE ? slice.end() : next;
  }

  private int convertOne(Slice slice, byte[] bytes, int from, int end) throws IOException {
    int next =
        format.isKnown()
            ? slice.rows(format).convertOne(bytes, from, end, slice.isLast(), inTurn)
            : format.begin(bytes, from, end, slice.isLast(), inTurn);
    inTurn.out().empty();
    return next;
  }

  /**
   * Converts the row that was carried, with the bytes of this slice. Returns where the rows after
   * it begin in the slice, or its end.
   */
  private int carryOn(Slice slice) throws IOException {
    int before = carried.length();
    carried.add(slice.bytes(), slice.from(), slice.end(), carriedMax());
    int from = 0;
    while (from < before && (slice.isLast() || carried.isToBeSearched(sliceSize))) {
      int next = convertOne(slice, carried.bytes(), from, carried.length());
      if (next == Rows.NONE) {
        carried.removeTo(from);
        checkLength(carried.length());
        carried.searched();
        return slice.end();
      }
      from = next;
    }
    if (from < before) {
      return slice.end();
    }
    carried.removeTo(carried.length());
    return slice.from() + from - before;
  }

  /** Checks the length of a row whose end was not read. */
  private void checkLength(int length) {
    // One byte more may be the carriage return of the line end.
    if (length - 1 > format.rowLengthMax()) {
      throw format.tooLong(inTurn.line());
    }
  }

  private int carriedMax() {
    return format.rowLengthMax() + 2 + sliceSize;
  }

  /** Returns whether the rejects ended the conversion. */
  boolean isStopped() {
    return rejects.isStopped();
  }

  /** Returns whether slices can be converted ahead of their turn. */
  boolean isFormatKnown() {
    return begun && format.isKnown();
  }

  /** Writes everything and returns the outcome, after the last turn. */
  Outcome end() throws IOException {
    output.finish();
    rejects.flush();
    return new Outcome(
        inTurn.rows(), rejects.count(), rejects.isStopped(), inTurn.tally().counts());
  }
}
