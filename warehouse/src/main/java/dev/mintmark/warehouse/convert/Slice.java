package dev.mintmark.warehouse.convert;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * A part of the input, and what its rows become. It begins and ends after a line feed, where rows
 * probably begin, unless a row is longer than a slice.
 *
 * <p>Each thread of a {@link Pipeline} reuses one object for all slices that it converts.
 */
final class Slice implements AutoCloseable {
  private final boolean isGzip;
  private final Gathered gathered;
  private final GzipMember member = new GzipMember();

  private byte[] bytes;
  private int from;
  private int end;
  private boolean last;
  private long countRead;
  private @Nullable Rows rows;
  private boolean ahead;
  private boolean packed;
  private int convertedFrom;
  private int position;

  Slice(Slicing slicing, boolean isAside, boolean isGzip) {
    this.isGzip = isGzip;
    this.bytes = new byte[slicing.size()];
    this.gathered = new Gathered(slicing.size(), slicing.outputMax(), isAside);
  }

  /**
   * Takes over an array with input, and returns the array that this had.
   *
   * @param end the end of the slice in the array
   * @param isLast whether the input ends there
   * @param countRead the number of bytes that were read, with this slice
   */
  byte[] take(byte[] input, int end, boolean isLast, long countRead) {
    byte[] free = bytes;
    this.bytes = input;
    this.from = 0;
    this.end = end;
    this.last = isLast;
    this.countRead = countRead;
    this.ahead = false;
    this.packed = false;
    return free;
  }

  byte[] bytes() {
    return bytes;
  }

  /** Returns the start of the text. */
  int from() {
    return from;
  }

  int end() {
    return end;
  }

  /** Returns whether the input ends with this slice. */
  boolean isLast() {
    return last;
  }

  /** Returns the number of bytes that were read up to the end of this slice. */
  long countRead() {
    return countRead;
  }

  /** Moves the start of the text. */
  void beginAt(int start) {
    from = start;
  }

  /** Converts the slice before its turn, as if a row began at its start. */
  void convertAhead(RowFormat format) throws IOException {
    convert(format, from);
    if (isGzip && isWhole() && gathered.length() >= GzipMember.CONTENT_MIN) {
      member.compress(gathered.bytes(), gathered.length());
      packed = true;
    }
    ahead = true;
  }

  /** Converts the rows from {@code start} to the first one that needs its turn. */
  void convert(RowFormat format, int start) throws IOException {
    convertedFrom = start;
    convertTo(format, end);
  }

  /** Converts only those of the converted rows that come before {@code stop}. */
  void convertAgain(RowFormat format, int stop) throws IOException {
    convertTo(format, stop);
  }

  private void convertTo(RowFormat format, int stop) throws IOException {
    gathered.clear();
    packed = false;
    position = rows(format).convert(bytes, convertedFrom, stop, last && stop == end, gathered);
  }

  /** Returns the conversion of rows that this thread uses. */
  Rows rows(RowFormat format) {
    if (rows == null) {
      rows = format.rows();
    }
    return rows;
  }

  /** Returns whether {@link #convertAhead} was called. */
  boolean isAhead() {
    return ahead;
  }

  /** Returns what the converted rows became. */
  Gathered gathered() {
    return gathered;
  }

  /** Returns the start of the first row that was not converted. */
  int position() {
    return position;
  }

  /** Returns whether all rows to the end of the slice were converted. */
  boolean isWhole() {
    return position == end;
  }

  /** Returns whether the gathered output was compressed. */
  boolean isPacked() {
    return packed;
  }

  /** Returns the array of the output: the gathered one, or the gzip member of that. */
  byte[] output() {
    return packed ? member.bytes() : gathered.bytes();
  }

  /** Returns the length of the output in bytes. */
  int outputLength() {
    return packed ? member.length() : gathered.length();
  }

  @Override
  public void close() {
    member.close();
  }
}
