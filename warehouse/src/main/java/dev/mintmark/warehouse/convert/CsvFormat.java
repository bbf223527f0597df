package dev.mintmark.warehouse.convert;

import dev.mintmark.Quoted;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.function.IntFunction;

/** CSV: its columns are those of the header, or of the first record if there is no header. */
final class CsvFormat implements RowFormat {
  private final CsvConversion conversion;
  private final RejectSink rejects;
  private final byte delimiter;

  /** The first record, while the format is not known. */
  private final CsvRecord record;

  /** The number of columns, 0 until it is known. */
  private int columns;

  /** Indices of the converted fields, from 0, ascending. */
  private int[] chosen = {};

  /** The names of the converted columns in messages, in the order of the file. */
  private List<String> labels = List.of();

  CsvFormat(CsvConversion conversion, RejectSink rejects) {
    this.conversion = conversion;
    this.rejects = rejects;
    this.delimiter = conversion.delimiter();
    this.record = new CsvRecord(delimiter);
  }

  /** Writes a rejected record, with a line end. */
  static void writeReject(byte[] bytes, int from, int next, ByteSink kept) throws IOException {
    kept.put(bytes, from, next);
    if (bytes[next - 1] != '\n') {
      kept.put((byte) '\n');
    }
  }

  CsvConversion conversion() {
    return conversion;
  }

  int columns() {
    return columns;
  }

  int[] chosen() {
    return chosen.clone();
  }

  List<String> labels() {
    return labels;
  }

  @Override
  public boolean isKnown() {
    return columns > 0;
  }

  @Override
  public int begin(byte[] bytes, int from, int end, boolean isLast, RowTarget target)
      throws IOException {
    if (!record.find(bytes, from, end, isLast)) {
      return Rows.NONE;
    }
    if (record.textEnd() - from > rowLengthMax()) {
      throw tooLong(target.line());
    }
    if (conversion.hasHeader()) {
      return header(bytes, from, end, isLast, target);
    }
    if (record.textEnd() == from) {
      target.out().put(bytes, from, record.next()); // An empty line is not a record.
      target.addLines(1);
      return record.next();
    }
    firstRecord(target.line());
    return rows().convertOne(bytes, from, end, isLast, target);
  }

  private int header(byte[] bytes, int from, int end, boolean isLast, RowTarget target)
      throws IOException {
    if (record.misquoted() != CsvRecord.NONE) {
      throw new ConversionException(target.line(), "header: " + record.reason());
    }
    setColumns(target.line());
    CsvHeader header = CsvHeader.of(bytes, from, record.textEnd(), delimiter);
    choose(
        conversion.columns().stream().mapToInt(header::indexOf).sorted().toArray(),
        i -> Quoted.of(header.names().get(i)));
    rejects.header(headerOfRejects(bytes, from, record.next()));
    ByteSink out = target.out();
    int copied = from;
    if (conversion.suffix().isPresent()) {
      String suffix = conversion.suffix().get();
      List<String> added =
          Arrays.stream(chosen).mapToObj(i -> header.names().get(i) + suffix).toList();
      header.checkNew(added);
      record.choose(chosen);
      record.find(bytes, from, end, isLast);
      for (int i = 0; i < chosen.length; i++) {
        out.put(bytes, copied, record.end(i));
        copied = record.end(i);
        out.put(delimiter);
        out.putField(added.get(i), delimiter);
      }
    }
    out.put(bytes, copied, record.next());
    target.addLines(record.lines(bytes, from));
    return record.next();
  }

  /** Returns the bytes of the header, with a line end. */
  private static byte[] headerOfRejects(byte[] bytes, int from, int next) {
    byte[] header = Arrays.copyOfRange(bytes, from, next);
    if (header.length > 0 && header[header.length - 1] == '\n') {
      return header;
    }
    byte[] ended = Arrays.copyOf(header, header.length + 1);
    ended[header.length] = '\n';
    return ended;
  }

  /** Sets the number of fields and the chosen columns from the first record: there is no header. */
  private void firstRecord(long line) {
    setColumns(line);
    int[] indices =
        conversion.columns().stream()
            .mapToInt(number -> Integer.parseInt(number) - 1)
            .sorted()
            .toArray();
    for (int index : indices) {
      if (index >= columns) {
        throw new IllegalArgumentException(
            "there is no column %s: the first record has %s fields".formatted(index + 1, columns));
      }
    }
    choose(indices, i -> Integer.toString(i + 1));
  }

  private void setColumns(long line) {
    if (record.fields() > CsvConversion.COLUMNS_MAX) {
      throw new ConversionException(
          line,
          "it has %,d columns: expected at most %,d"
              .formatted(record.fields(), CsvConversion.COLUMNS_MAX));
    }
    columns = record.fields();
  }

  private void choose(int[] indices, IntFunction<String> label) {
    chosen = indices;
    labels = Arrays.stream(indices).mapToObj(i -> "column " + label.apply(i)).toList();
  }

  @Override
  public void end() {
    if (conversion.hasHeader() && !isKnown()) {
      throw new ConversionException(1, "the input is empty: expected a header");
    }
  }

  @Override
  public Rows rows() {
    return new CsvRows(this);
  }

  @Override
  public int rowLengthMax() {
    return isKnown() || !conversion.hasHeader()
        ? Conversion.RECORD_LENGTH_MAX
        : Conversion.LINE_LENGTH_MAX;
  }

  @Override
  public ConversionException tooLong(long line) {
    return new ConversionException(
        line,
        ("the record that starts here is longer than %,d bytes: is a quote not closed, or is %s"
                + " not the delimiter?")
            .formatted(rowLengthMax(), Quoted.of(Character.toString(delimiter))));
  }
}
