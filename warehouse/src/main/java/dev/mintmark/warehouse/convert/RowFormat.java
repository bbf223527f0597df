package dev.mintmark.warehouse.convert;

import java.io.IOException;

/** What a conversion knows of its rows in one run. */
interface RowFormat {
  /** Returns whether rows can be converted, because those at the beginning were read. */
  boolean isKnown();

  /**
   * Reads the row at {@code from} until the format is known, and converts it.
   *
   * @return as {@link Rows#convertOne}
   */
  int begin(byte[] bytes, int from, int end, boolean isLast, RowTarget target) throws IOException;

  /** Checks at the end of the input that the format is known, if it must be. */
  void end();

  /** Returns a conversion of rows, for one thread, once the format is known. */
  Rows rows();

  /** Returns the maximum length of a row, without its line end. */
  int rowLengthMax();

  /** Returns the exception for a row that is longer. */
  ConversionException tooLong(long line);
}
