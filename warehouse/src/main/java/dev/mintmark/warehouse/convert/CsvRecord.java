package dev.mintmark.warehouse.convert;

import java.util.Arrays;

/**
 * Where a record of CSV (RFC 4180) and its chosen fields begin and end. Records end with a line
 * feed, behind a carriage return or not; quotes count where they open a field.
 *
 * <p>One object is used for all records, one after the other.
 */
final class CsvRecord {
  /** What {@link #misquoted} is where no field is. */
  static final int NONE = -1;

  private static final byte QUOTE = '"';

  private final byte delimiter;

  /** Which fields are looked for, ascending, from 0 on. */
  private int[] chosen = {};

  private int[] starts = {};
  private int[] ends = {};

  private int fields;
  private int textEnd;
  private int next;
  private int misquoted;
  private boolean closed;
  private boolean quoted;

  CsvRecord(byte delimiter) {
    this.delimiter = delimiter;
  }

  /** Sets which fields are looked for from now on, ascending, from 0 on. */
  void choose(int... indices) {
    chosen = indices.clone();
    starts = new int[chosen.length];
    ends = new int[chosen.length];
  }

  /** How many fields the record has: an empty one has one. */
  int fields() {
    return fields;
  }

  /** Where the record ends, without its line end. */
  int textEnd() {
    return textEnd;
  }

  /** Where the next begins. */
  int next() {
    return next;
  }

  /** The first field whose quote is not closed or has text behind it, or {@link #NONE}. */
  int misquoted() {
    return misquoted;
  }

  /** Whether every quote that opens a field is closed. */
  boolean isClosed() {
    return closed;
  }

  /** Whether a field has quotes, without which there is no line end in any. */
  boolean isQuoted() {
    return quoted;
  }

  /** Where the chosen field begins, with its quote. */
  int start(int i) {
    return starts[i];
  }

  /** Where the chosen field ends, with its quote. */
  int end(int i) {
    return ends[i];
  }

  /**
   * Finds the record that begins at {@code start}.
   *
   * @param isLast whether nothing comes behind {@code end}: then the record ends there at the
   *     latest
   * @return whether the record ends before {@code end}; if not, nothing else here says anything
   */
  boolean find(byte[] bytes, int start, int end, boolean isLast) {
    fields = 0;
    misquoted = NONE;
    closed = true;
    quoted = false;
    int wanted = 0;
    int from = start;
    while (true) {
      int at = from;
      if (at < end && bytes[at] == QUOTE) {
        quoted = true;
        at = behindQuotes(bytes, at + 1, end);
        if (at == NONE) {
          if (!isLast) {
            return false;
          }
          misquoted = misquoted == NONE ? fields : misquoted;
          closed = false;
          at = end;
        }
      }
      int stop = at < end && bytes[at] == delimiter ? at : stop(bytes, at, end);
      if (stop == end && !isLast) {
        return false;
      }
      boolean isDelimiter = stop < end && bytes[stop] == delimiter;
      int to = isDelimiter ? stop : withoutReturn(bytes, from, stop, end);
      if (at > from && at < to) {
        misquoted = misquoted == NONE ? fields : misquoted;
      }
      if (wanted < chosen.length && chosen[wanted] == fields) {
        starts[wanted] = from;
        ends[wanted++] = to;
      }
      fields++;
      if (!isDelimiter) {
        textEnd = to;
        next = Math.min(stop + 1, end);
        return true;
      }
      from = stop + 1;
    }
  }

  /** Where the field ends that goes on at {@code at}, or {@code end}. */
  private int stop(byte[] bytes, int at, int end) {
    int stop = ByteSearch.findEither(bytes, at, end, delimiter, (byte) '\n');
    return stop == ByteSearch.NONE ? end : stop;
  }

  /** Where the last field ends: before the carriage return of its line end, if it has one. */
  private static int withoutReturn(byte[] bytes, int from, int stop, int end) {
    return stop < end ? ByteSearch.textEnd(bytes, from, stop) : stop;
  }

  /**
   * The place behind the quote that closes a field, or {@link #NONE}. One at the very end closes
   * nothing yet: what comes may be the second of two.
   */
  private static int behindQuotes(byte[] bytes, int from, int end) {
    int quote = ByteSearch.find(bytes, from, end, QUOTE);
    while (quote != ByteSearch.NONE && quote + 1 < end && bytes[quote + 1] == QUOTE) {
      quote = ByteSearch.find(bytes, quote + 2, end, QUOTE);
    }
    return quote == ByteSearch.NONE ? NONE : quote + 1;
  }

  @Override
  public String toString() {
    return fields + " fields, chosen " + Arrays.toString(chosen);
  }
}
