package dev.mintmark.warehouse.convert;

import java.io.IOException;

/**
 * Converts rows as most are, and stops before the first that is anything else, of which nothing is
 * done then. What passes through is not copied row by row: {@link #copied} is how far the input is
 * in the output.
 */
abstract class PlainRows {
  private int start;
  private int copied;

  /** Where the first row begins that was not converted. */
  final int start() {
    return start;
  }

  /** How far the input is in the output. */
  final int copied() {
    return copied;
  }

  /**
   * Converts the rows that begin at {@code from} and before {@code limit}, until the output is
   * full; what is before, from {@code copiedBefore} on, is not in it yet.
   *
   * @param end where what was read ends
   * @return how many
   */
  final int convert(byte[] bytes, int from, int limit, int end, int copiedBefore, ByteSink sink)
      throws IOException {
    start = from;
    copied = copiedBefore;
    int rows = 0;
    while (start < limit && !sink.isFull()) {
      int next = convert(bytes, start, end, sink);
      if (next == ByteSearch.NONE) {
        break;
      }
      start = next;
      rows++;
    }
    return rows;
  }

  /** Converts one; where the next begins, or {@link ByteSearch#NONE} if it was not. */
  abstract int convert(byte[] bytes, int from, int end, ByteSink sink) throws IOException;

  /** Says that the input up to there is in the output. */
  final void copiedTo(int at) {
    copied = at;
  }
}
