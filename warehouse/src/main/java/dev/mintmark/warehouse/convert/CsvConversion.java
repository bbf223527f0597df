package dev.mintmark.warehouse.convert;

import dev.mintmark.Quoted;
import dev.mintmark.Transcoder;
import java.io.IOException;
import java.io.InputStream;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Converts the identifiers in chosen columns of CSV (RFC 4180), with or without a header.
 * Everything else is copied byte for byte: other fields, quotes, line ends, empty lines, a byte
 * order mark at the start.
 *
 * <ul>
 *   <li>A record ends with a line feed, or with a carriage return and a line feed. A field whose
 *       first character is a quote ends with a quote. A quote inside another field is part of it.
 *   <li>A converted field is written without quotes, unless it contains the delimiter.
 *   <li>A field is null if it is empty or has the {@linkplain Builder#nullText text for null}, with
 *       or without quotes. A null field is unchanged.
 *   <li>A record must have as many fields as the header, or as the first record if there is no
 *       header. Other records are rejected. An empty line is skipped, unless there is only one
 *       column: then it is a null field.
 * </ul>
 *
 * <p>Rejects that are written {@linkplain Rejects.Aside aside} have the same header and delimiter,
 * preceded by the columns {@code line} and {@code reason}. The records are unchanged.
 */
public final class CsvConversion implements Conversion {
  /** The maximum number of columns. */
  public static final int COLUMNS_MAX = 10_000;

  private final Transcoder transcoder;
  private final List<String> columns;
  private final Optional<String> suffix;
  private final boolean header;
  private final byte delimiter;
  private final String nullText;
  private final Slicing slicing;

  private CsvConversion(Builder builder, Slicing slicing) {
    this.transcoder = builder.transcoder;
    this.columns = builder.columns;
    this.suffix = builder.suffix;
    this.header = builder.header;
    this.delimiter = builder.delimiter;
    this.nullText = builder.nullText;
    this.slicing = slicing;
  }

  /**
   * Returns the builder of a conversion of columns by {@code transcoder}.
   *
   * @param columns the names of one or more columns; without a header, their numbers from 1
   */
  public static Builder of(Transcoder transcoder, List<String> columns) {
    return new Builder(transcoder, columns);
  }

  @Override
  public Outcome convert(InputStream in, Output out, Rejects rejects, Progress progress)
      throws IOException {
    RejectSink sink = new RejectSink(rejects, delimiter, CsvFormat::writeReject);
    CsvFormat format = new CsvFormat(this, sink);
    return new Pipeline(in, out, format, sink, progress, slicing, 0).run();
  }

  Transcoder transcoder() {
    return transcoder;
  }

  List<String> columns() {
    return columns;
  }

  /** Returns the suffix of the names of added columns; empty if no columns are added. */
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

  /** Returns the same conversion in other slices. */
  CsvConversion with(Slicing other) {
    Builder builder = new Builder(transcoder, columns).delimiter((char) delimiter);
    builder.suffix = suffix;
    builder.header = header;
    builder.nullText = nullText;
    return new CsvConversion(builder, other);
  }

  /** Sets the options of a conversion. Not safe for use by several threads. */
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
     * Leaves the columns unchanged, and adds each converted column right after its source. Its name
     * is the name of the source followed by {@code suffix}.
     */
    public Builder beside(String suffix) {
      this.suffix = Optional.of(suffix);
      return this;
    }

    /** Reads the first line as a record, and the chosen columns as numbers. */
    public Builder withoutHeader() {
      this.header = false;
      return this;
    }

    /**
     * Sets the delimiter between fields. Default: {@code ','}.
     *
     * @throws IllegalArgumentException if it is not an ASCII character, or is a letter, a digit, a
     *     quote, a line end or NUL
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
                + ": expected an ASCII character that is not a letter, digit, quote or line end");
      }
      this.delimiter = (byte) delimiter;
      return this;
    }

    /** Sets a text that means null, such as {@code \N}. An empty field is always null. */
    public Builder nullText(String nullText) {
      this.nullText = nullText;
      return this;
    }

    /**
     * Returns the conversion.
     *
     * @throws IllegalArgumentException if no column is chosen, if a column is chosen twice, or if
     *     there is no header and a column is not a number from 1 to {@value
     *     CsvConversion#COLUMNS_MAX}
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
      return new CsvConversion(this, Slicing.ofProcessors());
    }

    private static void checkNumber(String column) {
      if (!column.matches("[1-9][0-9]{0,4}") || Integer.parseInt(column) > COLUMNS_MAX) {
        throw new IllegalArgumentException(
            "column %s: expected a number from 1 to %,d, because there is no header"
                .formatted(Quoted.of(column), COLUMNS_MAX));
      }
    }
  }
}
