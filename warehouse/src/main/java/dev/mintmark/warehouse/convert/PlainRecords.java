package dev.mintmark.warehouse.convert;

import dev.mintmark.Transcoder;
import java.io.IOException;

/**
 * Converts plain CSV records. A record is plain if its end was read, no field has quotes, it has as
 * many fields as required, and its chosen fields are well formed or null. Each word of a record is
 * read once, and each identifier is written directly to its place in the output.
 */
final class PlainRecords {
  /** The rows of which these are part: they know up to where the input was copied. */
  private final Rows rows;

  private final Transcoder transcoder;
  private final NullText nullText;
  private final byte delimiter;
  private final int columns;

  /** Indices of the converted fields, from 0, ascending. */
  private final int[] chosen;

  private final boolean beside;

  /** The maximum number of bytes by which a record grows. */
  private final int added;

  /** The bounds of the converted fields in the current record. */
  private final int[] starts;

  private final int[] ends;

  PlainRecords(CsvFormat format, Rows rows) {
    CsvConversion conversion = format.conversion();
    this.rows = rows;
    this.chosen = format.chosen();
    this.transcoder = conversion.transcoder();
    this.nullText = new NullText(conversion.nullText());
    this.delimiter = conversion.delimiter();
    this.columns = format.columns();
    this.beside = conversion.suffix().isPresent();
    this.starts = new int[chosen.length];
    this.ends = new int[chosen.length];
    this.added = chosen.length * (Math.max(transcoder.lengthMax(), nullText.lengthMax()) + 1);
  }

  /**
   * Returns whether an identifier of any form and prefix needs no quotes with this delimiter,
   * because it never contains the delimiter.
   */
  static boolean isNeverInIds(byte delimiter) {
    return ",;|\t".indexOf(delimiter) >= 0;
  }

  /** Converts the record at {@code from}, as {@link Rows#plain} does. */
  int convert(byte[] bytes, int from, int end, Gathered target) throws IOException {
    int next = find(bytes, from, end);
    if (next == ByteSearch.NONE || !put(bytes, next, target)) {
      target.tally().discard();
      return ByteSearch.NONE;
    }
    target.tally().commit();
    target.addRow();
    target.addLines(1);
    return next;
  }

  /**
   * Finds the chosen fields. Returns the start of the next record, or {@link ByteSearch#NONE} if
   * the record is not plain.
   */
  private int find(byte[] bytes, int start, int end) {
    long delimiters = ByteSearch.eachOf(delimiter);
    int lastWord = end - Long.BYTES;
    int field = 0;
    int wanted = 0;
    int fieldStart = start;
    for (int at = start; at <= lastWord; at += Long.BYTES) {
      long found = ByteSearch.either(bytes, at, delimiters, ByteSearch.NEWLINES);
      while (found != 0) {
        int stop = at + ByteSearch.first(found);
        found &= found - 1;
        byte what = bytes[stop];
        boolean isLast = what == '\n';
        if (!isLast && what != delimiter) {
          continue;
        }
        if (bytes[fieldStart] == '"') {
          return ByteSearch.NONE;
        }
        if (wanted < chosen.length && chosen[wanted] == field) {
          starts[wanted] = fieldStart;
          ends[wanted++] = isLast ? ByteSearch.textEnd(bytes, fieldStart, stop) : stop;
        }
        field++;
        fieldStart = stop + 1;
        if (isLast) {
          return field == columns ? stop + 1 : ByteSearch.NONE;
        }
      }
    }
    return ByteSearch.NONE;
  }

  /** Converts the record that was found. Returns {@code false} if an identifier is malformed. */
  private boolean put(byte[] bytes, int next, Gathered target) throws IOException {
    int done = rows.copied();
    ByteSink out = target.out();
    byte[] room = out.room(next - done + added);
    int at = out.at();
    for (int i = 0; i < starts.length; i++) {
      int from = starts[i];
      int to = ends[i];
      boolean isNull = nullText.isNull(bytes, from, to);
      if (isNull && !beside) {
        continue;
      }
      int upTo = beside ? to : from;
      System.arraycopy(bytes, done, room, at, upTo - done);
      at += upTo - done;
      done = to;
      if (beside) {
        room[at++] = delimiter;
      }
      if (isNull) {
        System.arraycopy(bytes, from, room, at, to - from);
        at += to - from;
      } else {
        int written = IdBytes.transcode(transcoder, bytes, from, to, room, at, target.tally());
        if (written == Transcoder.MALFORMED) {
          return false;
        }
        at += written;
      }
    }
    rows.copiedTo(done);
    out.wrote(at - out.at());
    return true;
  }
}
