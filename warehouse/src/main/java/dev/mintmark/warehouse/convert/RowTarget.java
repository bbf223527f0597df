package dev.mintmark.warehouse.convert;

import dev.mintmark.ReadingTally;
import java.io.IOException;
import java.util.List;

/** Receives what rows become, in their order. Not thread-safe. */
abstract class RowTarget {
  private final ByteSink out;
  private final boolean aside;
  private final ReadingTally tally = new ReadingTally();
  private long lines;
  private long rows;

  RowTarget(ByteSink out, boolean isAside) {
    this.out = out;
    this.aside = isAside;
  }

  /** Returns the output. */
  final ByteSink out() {
    return out;
  }

  /** Returns whether rejected rows are written aside instead of to the output. */
  final boolean isAside() {
    return aside;
  }

  /** Returns what the identifiers were read as. */
  final ReadingTally tally() {
    return tally;
  }

  /** Returns the number of lines of the rows. */
  final long lines() {
    return lines;
  }

  /** Returns the number of rows. */
  final long rows() {
    return rows;
  }

  /** Counts a row. */
  final void addRow() {
    rows++;
  }

  /** Counts the lines of a row, when it is done. */
  final void addLines(long more) {
    lines += more;
  }

  /** Counts the rows of another target, which follow. */
  final void add(RowTarget other) {
    lines += other.lines;
    rows += other.rows;
    tally.add(other.tally);
  }

  /** Forgets all rows. */
  void clear() {
    lines = 0;
    rows = 0;
    tally.clear();
  }

  /** Returns the line of the row that follows, from 1. */
  final long line() {
    return lines + 1;
  }

  /**
   * Rejects the row that follows, which has been counted. All that comes before it is in the
   * output.
   *
   * @param reasons one for each malformed field
   * @param from the start of the row in {@code bytes}
   * @param next the start of the next row
   * @return whether to continue; if not, the row is not written
   */
  abstract boolean reject(List<String> reasons, byte[] bytes, int from, int next)
      throws IOException;
}
