package dev.mintmark.warehouse.convert;

import dev.mintmark.ReadingTally;
import java.io.IOException;

/**
 * Converts plain rows, which most rows are. It stops before the first row that is not plain, and
 * writes nothing of it. Unchanged bytes are not copied row by row: {@link #copied} is the position
 * up to which the input is in the output.
 */
abstract class PlainRows {
  private final ReadingTally tally = new ReadingTally();
  private int start;
  private int copied;

  /** Returns the start of the first row that was not converted. */
  final int start() {
    return start;
  }

  /** Returns what the converted identifiers were read as. */
  final ReadingTally tally() {
    return tally;
  }

  /** Returns the position up to which the input is in the output. */
  final int copied() {
    return copied;
  }

  /**
   * Converts the rows that begin at {@code from} or later and before {@code limit}, until the
   * output is full.
   *
   * @param end the end of the input that was read
   * @param copiedBefore the position up to which the input is in the output
   * @return the number of rows
   */
  final int convert(byte[] bytes, int from, int limit, int end, int copiedBefore, ByteSink sink)
      throws IOException {
    start = from;
    copied = copiedBefore;
    int rows = 0;
    while (start < limit && !sink.isFull()) {
      int next = convert(bytes, start, end, sink);
      if (next == ByteSearch.NONE) {
        tally.discard();
        break;
      }
      tally.commit();
      start = next;
      rows++;
    }
    return rows;
  }

  /**
   * Converts the row at {@code from}. Returns the start of the next row, or {@link ByteSearch#NONE}
   * if the row is not plain.
   */
  abstract int convert(byte[] bytes, int from, int end, ByteSink sink) throws IOException;

  /** Records that the input up to {@code at} is in the output. */
  final void copiedTo(int at) {
    copied = at;
  }
}
