package dev.mintmark.warehouse.convert;

import dev.mintmark.Transcoder;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Converts CSV records. Most of them are plain, see {@link PlainRecords}. */
final class CsvRows extends Rows {
  /** The value in {@link #lengths} for a field that is null. */
  private static final int NULL = -2;

  private final CsvFormat format;
  private final Transcoder transcoder;
  private final byte delimiter;
  private final NullText nullText;
  private final boolean beside;
  private final CsvRecord record;

  /** Null if identifiers may contain the delimiter: then no record is plain. */
  private final @Nullable PlainRecords plain;

  /**
   * The converted fields of the current row, one after the other, with {@link #lengthMax} bytes for
   * each.
   */
  private final byte[] converted;

  private final int lengthMax;

  /** The lengths of the converted fields, or {@link #NULL} or {@link Transcoder#MALFORMED}. */
  private final int[] lengths;

  CsvRows(CsvFormat format) {
    CsvConversion conversion = format.conversion();
    int[] chosen = format.chosen();
    this.format = format;
    this.transcoder = conversion.transcoder();
    this.delimiter = conversion.delimiter();
    this.nullText = new NullText(conversion.nullText());
    this.beside = conversion.suffix().isPresent();
    this.lengthMax = transcoder.lengthMax();
    this.record = new CsvRecord(delimiter);
    this.record.choose(chosen);
    this.converted = new byte[chosen.length * lengthMax];
    this.lengths = new int[chosen.length];
    this.plain = PlainRecords.isNeverInIds(delimiter) ? new PlainRecords(format, this) : null;
  }

  @Override
  int plain(byte[] bytes, int from, int end, Gathered target) throws IOException {
    return plain == null ? NONE : plain.convert(bytes, from, end, target);
  }

  @Override
  int row(byte[] bytes, int from, int end, boolean isLast, RowTarget target) throws IOException {
    if (!record.find(bytes, from, end, isLast)) {
      return NONE;
    }
    if (record.textEnd() - from > Conversion.RECORD_LENGTH_MAX) {
      throw format.tooLong(target.line());
    }
    boolean isEmptyLine = record.fields() == 1 && record.textEnd() == from && format.columns() != 1;
    if (!isEmptyLine && !record(bytes, from, target)) {
      return NONE;
    }
    target.addLines(record.lines(bytes, from));
    return record.next();
  }

  /** Converts the record. Returns {@code false} to stop before it. */
  private boolean record(byte[] bytes, int from, RowTarget target) throws IOException {
    boolean isBroken = record.fields() != format.columns() || record.misquoted() != CsvRecord.NONE;
    if (isBroken && !target.isAside()) {
      throw ConversionException.ofRecord(target.line(), whyBroken());
    }
    target.addRow();
    List<String> reasons =
        isBroken ? List.of(whyBroken()) : transcode(bytes, target) ? List.of() : reasons(bytes);
    if (reasons.isEmpty()) {
      put(bytes, target.out());
      return true;
    }
    pass(bytes, from, target.out());
    if (!target.reject(reasons, bytes, from, record.next())) {
      return false;
    }
    if (target.isAside()) {
      copiedTo(record.next());
    } else {
      put(bytes, target.out());
    }
    return true;
  }

  private String whyBroken() {
    return record.misquoted() != CsvRecord.NONE
        ? record.reason()
        : "it has %,d %s: the %s has %,d"
            .formatted(
                record.fields(),
                record.fields() == 1 ? "field" : "fields",
                format.conversion().hasHeader() ? "header" : "first record",
                format.columns());
  }

  /** Converts the chosen fields. Returns {@code false} if a field is malformed. */
  private boolean transcode(byte[] bytes, RowTarget target) {
    boolean wellFormed = true;
    for (int i = 0; i < lengths.length; i++) {
      int start = contentStart(bytes, i);
      int end = contentEnd(bytes, i);
      lengths[i] =
          nullText.isNull(bytes, start, end)
              ? NULL
              : IdBytes.transcode(
                  transcoder, bytes, start, end, converted, i * lengthMax, target.tally());
      wellFormed &= lengths[i] != Transcoder.MALFORMED;
    }
    target.tally().commit();
    return wellFormed;
  }

  /** Writes the record, without the fields that are malformed. */
  private void put(byte[] bytes, ByteSink out) throws IOException {
    for (int i = 0; i < lengths.length; i++) {
      int start = record.start(i);
      int end = record.end(i);
      if (beside) {
        pass(bytes, end, out);
        out.put(delimiter);
        if (lengths[i] == NULL) {
          out.put(bytes, start, end);
        }
      } else if (lengths[i] != NULL) {
        pass(bytes, start, out);
        copiedTo(end);
      }
      if (lengths[i] >= 0) {
        out.putField(converted, i * lengthMax, i * lengthMax + lengths[i], delimiter);
      }
    }
  }

  /** Returns the reasons for the malformed fields. */
  private List<String> reasons(byte[] bytes) {
    return IntStream.range(0, lengths.length)
        .filter(i -> lengths[i] == Transcoder.MALFORMED)
        .mapToObj(i -> format.labels().get(i) + ": " + reason(bytes, i))
        .toList();
  }

  private String reason(byte[] bytes, int i) {
    int start = contentStart(bytes, i);
    int end = contentEnd(bytes, i);
    if (!isQuoted(bytes, i) || end - start > IdBytes.LENGTH_MAX) {
      return IdBytes.reason(transcoder, bytes, start, end);
    }
    byte[] content =
        new String(bytes, start, end - start, StandardCharsets.ISO_8859_1) // Keeps every byte.
            .replace("\"\"", "\"")
            .getBytes(StandardCharsets.ISO_8859_1);
    return IdBytes.reason(transcoder, content, 0, content.length);
  }

  /** Returns the start of the chosen field, after its quote. */
  private int contentStart(byte[] bytes, int i) {
    int start = record.start(i);
    return isQuoted(bytes, i) ? start + 1 : start;
  }

  /** Returns the end of the chosen field, before its quote. */
  private int contentEnd(byte[] bytes, int i) {
    int end = record.end(i);
    return isQuoted(bytes, i) ? end - 1 : end;
  }

  private boolean isQuoted(byte[] bytes, int i) {
    return record.end(i) > record.start(i) && bytes[record.start(i)] == '"';
  }
}
