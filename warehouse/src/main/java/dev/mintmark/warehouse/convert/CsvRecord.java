package dev.mintmark.warehouse.convert;

import java.util.Arrays;

/**
 * The bounds of a CSV record (RFC 4180) and of its chosen fields. A record ends with a line feed,
 * or with a carriage return and a line feed. A quote is special only at the start of a field and in
 * a field that starts with one.
 *
 * <p>One object is reused for all records, one after the other.
 */
final class CsvRecord {
  /** The value of {@link #misquoted} if no field is malformed. */
  static final int NONE = -1;

  private static final byte QUOTE = '"';

  private final byte delimiter;

  /** Indices of the chosen fields, from 0, ascending. */
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

  /** Sets the indices of the chosen fields, from 0, ascending. */
  void choose(int... indices) {
    chosen = indices.clone();
    starts = new int[chosen.length];
    ends = new int[chosen.length];
  }

  /** Returns the number of fields. An empty record has one field. */
  int fields() {
    return fields;
  }

  /** Returns the end of the record, without its line end. */
  int textEnd() {
    return textEnd;
  }

  /** Returns the start of the next record. */
  int next() {
    return next;
  }

  /**
   * Returns the index of the first field whose quote is not closed or is followed by text, or
   * {@link #NONE}.
   */
  int misquoted() {
    return misquoted;
  }

  /** Returns what is wrong with the field {@link #misquoted}. */
  String reason() {
    return "field %,d %s"
        .formatted(
            misquoted + 1,
            closed ? "has text after its closing quote" : "has a quote that is not closed");
  }

  /** Returns the number of lines of the record, which begins at {@code start}. */
  int lines(byte[] bytes, int start) {
    // Without quotes, no field contains a line end.
    return quoted ? 1 + ByteSearch.count(bytes, start, textEnd, (byte) '\n') : 1;
  }

  /** Returns the start of the chosen field, with its quote. */
  int start(int i) {
    return starts[i];
  }

  /** Returns the end of the chosen field, with its quote. */
  int end(int i) {
    return ends[i];
  }

  /**
   * Finds the record that begins at {@code start}.
   *
   * @param isLast whether the input ends at {@code end}; then the record ends there at the latest
   * @return whether the end of the record was found; if not, the other methods have no valid result
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
        at = afterQuotes(bytes, at + 1, end);
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

  /** Returns the end of the field that continues at {@code at}, or {@code end}. */
  private int stop(byte[] bytes, int at, int end) {
    int stop = ByteSearch.findEither(bytes, at, end, delimiter, (byte) '\n');
    return stop == ByteSearch.NONE ? end : stop;
  }

  /** Returns the end of the last field, before the carriage return of its line end, if any. */
  private static int withoutReturn(byte[] bytes, int from, int stop, int end) {
    return stop < end ? ByteSearch.textEnd(bytes, from, stop) : stop;
  }

  /**
   * Returns the index after the quote that closes a field, or {@link #NONE}. If that index is
   * {@code end}, the quote may be the first of two quotes: {@link #find} then needs more input.
   */
  private static int afterQuotes(byte[] bytes, int from, int end) {
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
