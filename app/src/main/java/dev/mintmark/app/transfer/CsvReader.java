package dev.mintmark.app.transfer;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.Reader;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reads CSV (RFC 4180) record by record: fields may be quoted, and a quoted field may contain
 * commas, line ends and doubled quotes. White space around a field that is not quoted is left out;
 * a quoted field is read as it is. Not safe for use by several threads.
 */
final class CsvReader {
  /** The longest record, in characters. */
  static final int RECORD_LENGTH_MAX = 65_536;

  private static final int END = -1;
  private static final int NOT_QUOTED = -1;

  private final BufferedReader in;
  private int line;
  private int nextLine = 1;
  private int length;

  CsvReader(Reader in) {
    this.in = new BufferedReader(in);
  }

  /** The number of the line where the last record begins, from 1. */
  int line() {
    return line;
  }

  /**
   * Returns the fields of the next record that is not empty; null at the end.
   *
   * @throws IllegalArgumentException if a record is longer than {@value #RECORD_LENGTH_MAX}
   *     characters, or a quote is not closed
   */
  @Nullable List<String> next() throws IOException {
    while (true) {
      line = nextLine;
      length = 0;
      int first = in.read();
      if (first == END) {
        return null;
      }
      List<String> fields = record(first);
      if (fields.size() > 1 || !fields.get(0).isBlank()) {
        return fields;
      }
    }
  }

  private List<String> record(int first) throws IOException {
    List<String> fields = new ArrayList<>();
    StringBuilder field = new StringBuilder();
    int quotedLength = NOT_QUOTED;
    int c = first == '\uFEFF' && line == 1 ? in.read() : first;
    while (true) {
      if (c == '"' && field.isEmpty()) {
        c = quoted(field);
        quotedLength = field.length();
      }
      if (c == ',' || c == '\n' || c == END) {
        fields.add(text(field, quotedLength));
        field.setLength(0);
        quotedLength = NOT_QUOTED;
        if (c != ',') {
          nextLine++;
          return fields;
        }
      } else {
        append(field, c);
      }
      c = in.read();
    }
  }

  /** Reads the rest of a quoted field. Returns the character after its quote. */
  private int quoted(StringBuilder field) throws IOException {
    while (true) {
      int c = in.read();
      if (c == END) {
        throw new IllegalArgumentException("line " + line + ": a quote is not closed");
      }
      if (c == '"') {
        int after = in.read();
        if (after != '"') {
          return after;
        }
      }
      if (c == '\n') {
        nextLine++;
      }
      append(field, c);
    }
  }

  /** The field without white space around it; what is quoted stays as it is. */
  private static String text(StringBuilder field, int quotedLength) {
    return quotedLength == NOT_QUOTED
        ? field.toString().strip()
        : field.substring(0, quotedLength) + field.substring(quotedLength).stripTrailing();
  }

  private void append(StringBuilder field, int c) {
    if (++length > RECORD_LENGTH_MAX) {
      throw new IllegalArgumentException(
          "line %s: the record is longer than %s characters".formatted(line, RECORD_LENGTH_MAX));
    }
    field.append((char) c);
  }
}
