package dev.mintmark.warehouse.convert;

import dev.mintmark.Quoted;
import dev.mintmark.Transcoder;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Converts the identifiers in chosen columns of CSV (RFC 4180), with a header or without.
 * Everything else passes through byte for byte: other fields, quotes, line ends, empty lines, a
 * byte order mark at the start.
 *
 * <ul>
 *   <li>Records end with a line feed, behind a carriage return or not. A field whose first
 *       character is a quote ends with a quote; a quote within another field is part of it.
 *   <li>A converted field is written without quotes, but for a delimiter that is part of it.
 *   <li>An empty field is null, as is one that has the {@linkplain Builder#nullText text for null},
 *       with quotes or without: it stays as it is.
 *   <li>Each record has as many fields as the header, or as the first record; others are rejected.
 *       An empty line is passed over, unless there is one column only: then it is null.
 * </ul>
 *
 * <p>What is kept {@linkplain Rejects.Aside aside} has the same header and delimiter, with the
 * columns {@code line} and {@code reason} before, and the records as they came.
 */
public final class CsvConversion implements Conversion {
  /** The most columns. */
  public static final int COLUMNS_MAX = 10_000;

  static final int SINK_SIZE = 1 << 18;

  private final Transcoder transcoder;
  private final List<String> columns;
  private final Optional<String> suffix;
  private final boolean header;
  private final byte delimiter;
  private final String nullText;
  private final Buffers buffers;

  private CsvConversion(Builder builder, Buffers buffers) {
    this.transcoder = builder.transcoder;
    this.columns = builder.columns;
    this.suffix = builder.suffix;
    this.header = builder.header;
    this.delimiter = builder.delimiter;
    this.nullText = builder.nullText;
    this.buffers = buffers;
  }

  /**
   * Begins one that converts columns as {@code transcoder} does.
   *
   * @param columns the names of one or more columns; without a header their numbers, from 1 on
   */
  public static Builder of(Transcoder transcoder, List<String> columns) {
    return new Builder(transcoder, columns);
  }

  @Override
  public Outcome convert(InputStream in, OutputStream out, Rejects rejects, Progress progress)
      throws IOException {
    return new CsvRun(this, in, out, new RejectSink(rejects, delimiter), progress).toEnd();
  }

  Transcoder transcoder() {
    return transcoder;
  }

  List<String> columns() {
    return columns;
  }

  /** What the names of added columns end with; empty if none are added. */
  Optional<String> suffix() {
    return suffix;
  }

  boolean hasHeader() {
    return header;
  }

  byte delimiter() {
    return delimiter;
  }

  String nullText() {
    return nullText;
  }

  Buffers buffers() {
    return buffers;
  }

  /** The same with others. */
  CsvConversion with(Buffers others) {
    Builder builder = new Builder(transcoder, columns).delimiter((char) delimiter);
    builder.suffix = suffix;
    builder.header = header;
    builder.nullText = nullText;
    return new CsvConversion(builder, others);
  }

  /** Collects what a conversion may have besides. Not safe in several threads. */
  public static final class Builder {
    private final Transcoder transcoder;
    private final List<String> columns;
    private Optional<String> suffix = Optional.empty();
    private boolean header = true;
    private byte delimiter = ',';
    private String nullText = "";

    private Builder(Transcoder transcoder, List<String> columns) {
      this.transcoder = transcoder;
      this.columns = List.copyOf(columns);
    }

    /**
     * Leaves the columns as they are, and adds each converted one right behind its own, which lends
     * its name, followed by {@code suffix}.
     */
    public Builder beside(String suffix) {
      this.suffix = Optional.of(suffix);
      return this;
    }

    /** Takes the first line for a record, and {@code columns} for numbers. */
    public Builder withoutHeader() {
      this.header = false;
      return this;
    }

    /**
     * Sets what stands between fields, {@code ','} unless set.
     *
     * @throws IllegalArgumentException unless it is an ASCII character that is no letter, digit,
     *     quote or line end
     */
    public Builder delimiter(char delimiter) {
      boolean isFit =
          delimiter > 0
              && delimiter < 0x80
              && !Character.isLetterOrDigit(delimiter)
              && "\"\r\n".indexOf(delimiter) < 0;
      if (!isFit) {
        throw new IllegalArgumentException(
            "delimiter "
                + Quoted.of(Character.toString(delimiter))
                + ": expected an ASCII character that is no letter, digit, quote or line end");
      }
      this.delimiter = (byte) delimiter;
      return this;
    }

    /** Sets a text that stands for null besides nothing at all, such as {@code \N}. */
    public Builder nullText(String nullText) {
      this.nullText = nullText;
      return this;
    }

    /**
     * Returns the conversion.
     *
     * @throws IllegalArgumentException if there is no column, one is there twice, or is no number
     *     where there is no header
     */
    public CsvConversion build() {
      if (columns.isEmpty()) {
        throw new IllegalArgumentException("no column is chosen: expected one or more");
      }
      Set<String> seen = new HashSet<>();
      for (String column : columns) {
        if (!seen.add(column)) {
          throw new IllegalArgumentException("column " + Quoted.of(column) + " is chosen twice");
        }
        if (!header) {
          checkNumber(column);
        }
      }
      return new CsvConversion(this, Buffers.ofProcessors());
    }

    private static void checkNumber(String column) {
      if (!column.matches("[1-9][0-9]{0,4}") || Integer.parseInt(column) > COLUMNS_MAX) {
        throw new IllegalArgumentException(
            "column %s: without a header columns have numbers, 1 to %,d"
                .formatted(Quoted.of(column), COLUMNS_MAX));
      }
    }
  }
}
