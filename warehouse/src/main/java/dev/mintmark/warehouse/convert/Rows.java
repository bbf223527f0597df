package dev.mintmark.warehouse.convert;

import java.io.IOException;

/**
 * Converts rows of one format. Unchanged bytes are not copied row by row: {@link #copied} is the
 * position up to which the input is in the output. Not thread-safe; each thread has its own.
 */
abstract class Rows {
  /** The result of a conversion that found no whole row, or that must end before a row. */
  static final int NONE = ByteSearch.NONE;

  private int copied;

  /**
   * Converts the rows from {@code from}, until one is not finished before {@code end}, one ends the
   * conversion, or the target is full.
   *
   * @param isLast whether the input ends at {@code end}; then the last row is finished there
   * @return the start of the first row that was not converted
   */
  final int convert(byte[] bytes, int from, int end, boolean isLast, Gathered target)
      throws IOException {
    copied = from;
    int at = from;
    while (at < end && !target.isFull()) {
      int next = plain(bytes, at, end, target);
      if (next == NONE) {
        next = notPlain(bytes, at, end, isLast, target);
        if (next == NONE) {
          break;
        }
      }
      at = next;
    }
    pass(bytes, at, target.out());
    return at;
  }

  /** Converts a row that is not plain. Returns the start of the next one, or {@link #NONE}. */
  private int notPlain(byte[] bytes, int from, int end, boolean isLast, Gathered target)
      throws IOException {
    try {
      return row(bytes, from, end, isLast, target);
    } catch (ConversionException e) {
      return NONE; // It is thrown again in the turn of the row, whose line is known then.
    }
  }

  /**
   * Converts the row at {@code from}.
   *
   * @return the start of the next row, or {@link #NONE} if the row is not finished, or if the
   *     target ends the conversion before it
   * @throws ConversionException if the row ends the conversion
   */
  final int convertOne(byte[] bytes, int from, int end, boolean isLast, RowTarget target)
      throws IOException {
    copied = from;
    int next = row(bytes, from, end, isLast, target);
    if (next != NONE) {
      pass(bytes, next, target.out());
    }
    return next;
  }

  /**
   * Converts and counts the row at {@code from} if it is plain, which most rows are.
   *
   * @return the start of the next row, or {@link #NONE} if the row is not plain; then nothing was
   *     written of it
   */
  abstract int plain(byte[] bytes, int from, int end, Gathered target) throws IOException;

  /** Converts and counts the row at {@code from}, as {@link #convertOne} does. */
  abstract int row(byte[] bytes, int from, int end, boolean isLast, RowTarget target)
      throws IOException;

  /** Returns the position up to which the input is in the output. */
  final int copied() {
    return copied;
  }

  /** Records that the input up to {@code at} is in the output. */
  final void copiedTo(int at) {
    copied = at;
  }

  /** Copies the input that was not copied yet, to before {@code end}. */
  final void pass(byte[] bytes, int end, ByteSink out) throws IOException {
    if (copied < end) {
      out.put(bytes, copied, end);
      copied = end;
    }
  }
}
