package dev.mintmark.warehouse.convert;

import dev.mintmark.Quoted;
import dev.mintmark.ReadingTally;
import dev.mintmark.Transcoder;
import dev.mintmark.warehouse.convert.Conversion.Outcome;
import dev.mintmark.warehouse.convert.Conversion.Progress;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * One run of a {@link CsvConversion}.
 *
 * <p>Unchanged bytes are not copied row by row. {@link #copied} is the position up to which the
 * input is in the output. It advances only when a row changes.
 */
final class CsvRun {
  /** The value in {@link #lengths} for a field that is null. */
  private static final int NULL = -2;

  private final CsvConversion conversion;
  private final Transcoder transcoder;
  private final byte delimiter;
  private final NullText nullText;
  private final ByteSource source;
  private final ByteSink sink;
  private final RejectSink rejects;
  private final Progress progress;
  private final CsvRecord record;

  /** The names of the chosen columns in messages, in the order of the file. */
  private final String[] labels;

  /**
   * The converted fields of the current row, one after the other, with {@link #lengthMax} bytes for
   * each.
   */
  private final byte[] converted;

  private final int lengthMax;

  /** The lengths of the converted fields, or {@link #NULL} or {@link Transcoder#MALFORMED}. */
  private final int[] lengths;

  /** Converts plain records, which are most records, once the columns are known. */
  private @Nullable Slices plain;

  /** What the identifiers of other records were read as. */
  private final ReadingTally tally = new ReadingTally();

  private long line = 1;
  private long rows;
  private int columns;
  private int copied;

  CsvRun(
      CsvConversion conversion,
      InputStream in,
      OutputStream out,
      RejectSink rejects,
      Progress progress) {
    int chosen = conversion.columns().size();
    this.conversion = conversion;
    this.transcoder = conversion.transcoder();
    this.delimiter = conversion.delimiter();
    this.nullText = new NullText(conversion.nullText());
    this.lengthMax = transcoder.lengthMax();
    this.source = new ByteSource(in, conversion.buffers().size(), Conversion.RECORD_LENGTH_MAX + 1);
    this.sink = new ByteSink(out, CsvConversion.SINK_SIZE);
    this.rejects = rejects;
    this.progress = progress;
    this.record = new CsvRecord(delimiter);
    this.labels = new String[chosen];
    this.converted = new byte[chosen * lengthMax];
    this.lengths = new int[chosen];
  }

  Outcome toEnd() throws IOException {
    int text = source.startOfText();
    copied = source.start();
    source.moveTo(text);
    if (conversion.hasHeader()) {
      header();
    }
    boolean continues = true;
    while (continues && next(Conversion.RECORD_LENGTH_MAX)) {
      continues = isEmptyLine() || row();
      if (continues) {
        skipRecord();
      }
    }
    pass(source.start());
    sink.flush();
    rejects.flush();
    if (plain != null) {
      tally.add(plain.tally());
    }
    return new Outcome(rows, rejects.count(), rejects.isStopped(), tally.counts());
  }

  /** Finds the next record that is not plain. Returns {@code false} at the end of the input. */
  private boolean next(int textMax) throws IOException {
    while (source.length() > 0 || !source.isEnded()) {
      convertPlain();
      if (record.find(source.bytes(), source.start(), source.end(), source.isEnded())) {
        checkLength(record.textEnd() - source.start(), textMax);
        return true;
      }
      // One byte more may be the carriage return of the line end.
      checkLength(source.length() - 1, textMax);
      pass(source.start());
      if (source.mayBlock()) {
        sink.flush();
      }
      read();
      progress.moveTo(source.count(), rows);
    }
    return false;
  }

  private void read() throws IOException {
    if (plain != null) {
      plain.end();
    }
    source.read();
    copied = source.start();
    if (plain != null) {
      plain.begin(source.bytes(), source.start(), source.end());
    }
  }

  private void convertPlain() throws IOException {
    if (plain != null) {
      int records = plain.convert(source.bytes(), source.start(), source.end(), copied, sink);
      copied = plain.copied();
      source.moveTo(plain.start());
      line += records;
      rows += records;
    }
  }

  /** Moves to the start of the next record. */
  private void skipRecord() {
    if (record.isQuoted()) {
      line += ByteSearch.count(source.bytes(), source.start(), record.textEnd(), (byte) '\n');
    }
    line++;
    source.moveTo(record.next());
  }

  private void checkLength(int length, int max) {
    if (length > max) {
      throw new ConversionException(
          line,
          ("the record that starts here is longer than %,d bytes: is a quote not closed, or is %s"
                  + " not the delimiter?")
              .formatted(max, Quoted.of(Character.toString(delimiter))));
    }
  }

  /** Copies the input that was not copied yet, to before {@code end}. */
  private void pass(int end) throws IOException {
    if (copied < end) {
      sink.put(source.bytes(), copied, end);
      copied = end;
    }
  }

  private void header() throws IOException {
    if (!next(Conversion.LINE_LENGTH_MAX)) {
      throw new ConversionException(line, "the input is empty: expected a header");
    }
    if (record.misquoted() != CsvRecord.NONE) {
      throw new ConversionException(line, "header: " + misquoted());
    }
    setColumns();
    byte[] bytes = source.bytes();
    CsvHeader header = CsvHeader.of(bytes, source.start(), record.textEnd(), delimiter);
    int[] indices = conversion.columns().stream().mapToInt(header::indexOf).sorted().toArray();
    choose(indices, i -> Quoted.of(header.names().get(i)));
    rejects.header(headerOfRejects());
    if (conversion.suffix().isPresent()) {
      String suffix = conversion.suffix().get();
      List<String> added =
          Arrays.stream(indices).mapToObj(i -> header.names().get(i) + suffix).toList();
      header.checkNew(added);
      for (int i = 0; i < indices.length; i++) {
        pass(record.end(i));
        sink.put(delimiter);
        sink.putField(added.get(i), delimiter);
      }
    }
    skipRecord();
  }

  /** Returns the bytes of the header, with a line end. */
  private byte[] headerOfRejects() {
    byte[] bytes = source.bytes();
    byte[] header = Arrays.copyOfRange(bytes, source.start(), record.next());
    if (header.length > 0 && header[header.length - 1] == '\n') {
      return header;
    }
    byte[] ended = Arrays.copyOf(header, header.length + 1);
    ended[header.length] = '\n';
    return ended;
  }

  /** Sets the number of fields and the chosen columns from the first record: there is no header. */
  private void columnsOfFirstRecord() {
    setColumns();
    int[] indices =
        conversion.columns().stream()
            .mapToInt(number -> Integer.parseInt(number) - 1)
            .sorted()
            .toArray();
    for (int index : indices) {
      if (index >= columns) {
        throw new IllegalArgumentException(
            "there is no column %d: the first record has %d fields".formatted(index + 1, columns));
      }
    }
    choose(indices, i -> Integer.toString(i + 1));
  }

  private void setColumns() {
    columns = record.fields();
    if (columns > CsvConversion.COLUMNS_MAX) {
      throw new ConversionException(
          line,
          "it has %,d columns: expected at most %,d".formatted(columns, CsvConversion.COLUMNS_MAX));
    }
  }

  private void choose(int[] indices, IntFunction<String> label) {
    record.choose(indices);
    for (int i = 0; i < indices.length; i++) {
      labels[i] = "column " + label.apply(indices[i]);
    }
    record.find(source.bytes(), source.start(), source.end(), source.isEnded());
    if (PlainRecords.isNeverInIds(delimiter)) {
      plain =
          new Slices(conversion.buffers(), () -> new PlainRecords(conversion, columns, indices));
    }
  }

  private boolean isEmptyLine() {
    return record.fields() == 1 && record.textEnd() == source.start() && columns != 1;
  }

  /** Converts the record. Returns {@code false} to stop before it. */
  private boolean row() throws IOException {
    if (columns == 0) {
      columnsOfFirstRecord();
    }
    rows++;
    if (record.fields() != columns || record.misquoted() != CsvRecord.NONE) {
      return brokenRecord();
    }
    if (!transcode()) {
      return malformed();
    }
    put();
    return true;
  }

  /** Converts the chosen fields. Returns {@code false} if a field is malformed. */
  private boolean transcode() {
    byte[] bytes = source.bytes();
    boolean wellFormed = true;
    for (int i = 0; i < lengths.length; i++) {
      int start = contentStart(i);
      int end = contentEnd(i);
      lengths[i] =
          nullText.isNull(bytes, start, end)
              ? NULL
              : IdBytes.transcode(transcoder, bytes, start, end, converted, i * lengthMax, tally);
      wellFormed &= lengths[i] != Transcoder.MALFORMED;
    }
    tally.commit();
    return wellFormed;
  }

  private void put() throws IOException {
    for (int i = 0; i < lengths.length; i++) {
      int start = record.start(i);
      int end = record.end(i);
      if (conversion.suffix().isPresent()) {
        pass(end);
        sink.put(delimiter);
        if (lengths[i] == NULL) {
          sink.put(source.bytes(), start, end);
        }
      } else if (lengths[i] != NULL) {
        pass(start);
        copied = end;
      }
      if (lengths[i] >= 0) {
        sink.putField(converted, i * lengthMax, i * lengthMax + lengths[i], delimiter);
      }
    }
  }

  /** Rejects a record that cannot be split into its fields. */
  private boolean brokenRecord() throws IOException {
    String why =
        record.misquoted() != CsvRecord.NONE
            ? misquoted()
            : "it has %,d %s: the %s has %,d"
                .formatted(
                    record.fields(),
                    record.fields() == 1 ? "field" : "fields",
                    conversion.hasHeader() ? "header" : "first record",
                    columns);
    if (!rejects.isAside()) {
      throw ConversionException.ofRecord(line, why);
    }
    keep(why);
    return true;
  }

  private String misquoted() {
    return "field %,d %s"
        .formatted(
            record.misquoted() + 1,
            record.isClosed()
                ? "has text after its closing quote"
                : "has a quote that is not closed");
  }

  /** Rejects the row. Returns {@code false} to stop before it. */
  private boolean malformed() throws IOException {
    List<String> reasons =
        IntStream.range(0, lengths.length)
            .filter(i -> lengths[i] == Transcoder.MALFORMED)
            .mapToObj(i -> labels[i] + ": " + reason(i))
            .toList();
    if (rejects.isAside()) {
      keep(String.join("; ", reasons));
      return true;
    }
    rejects.add();
    reasons.forEach(reason -> rejects.report(new Reject(line, reason)));
    if (rejects.isStopped()) {
      return false;
    }
    put();
    return true;
  }

  private String reason(int i) {
    byte[] bytes = source.bytes();
    int start = contentStart(i);
    int end = contentEnd(i);
    if (!isQuoted(i) || end - start > IdBytes.LENGTH_MAX) {
      return IdBytes.reason(transcoder, bytes, start, end);
    }
    byte[] content =
        new String(bytes, start, end - start, StandardCharsets.UTF_8)
            .replace("\"\"", "\"")
            .getBytes(StandardCharsets.UTF_8);
    return IdBytes.reason(transcoder, content, 0, content.length);
  }

  private void keep(String why) throws IOException {
    byte[] bytes = source.bytes();
    int start = source.start();
    int next = record.next();
    rejects.add();
    ByteSink kept = rejects.keep(new Reject(line, why));
    kept.put(bytes, start, next);
    if (bytes[next - 1] != '\n') {
      kept.put((byte) '\n');
    }
    pass(start);
    copied = next;
  }

  /** Returns the start of the chosen field, after its quote. */
  private int contentStart(int i) {
    int start = record.start(i);
    return isQuoted(i) ? start + 1 : start;
  }

  /** Returns the end of the chosen field, before its quote. */
  private int contentEnd(int i) {
    int end = record.end(i);
    return isQuoted(i) ? end - 1 : end;
  }

  private boolean isQuoted(int i) {
    return record.end(i) > record.start(i) && source.bytes()[record.start(i)] == '"';
  }
}
