package dev.mintmark.warehouse.convert;

import dev.mintmark.Transcoder;
import java.io.IOException;

/** Lines: there is nothing to know of them. */
record LineFormat(Transcoder transcoder) implements RowFormat {
  static ConversionException tooLongAt(long line) {
    return new ConversionException(
        line,
        "it is longer than %,d bytes: expected an identifier"
            .formatted(Conversion.LINE_LENGTH_MAX));
  }

  @Override
  public boolean isKnown() {
    return true;
  }

  @Override
  public int begin(byte[] bytes, int from, int end, boolean isLast, RowTarget target)
      throws IOException {
    throw new IllegalStateException("known already");
  }

  @Override
  public void end() {
    // Nothing is required.
  }

  @Override
  public Rows rows() {
    return new LineRows(transcoder);
  }

  @Override
  public int rowLengthMax() {
    return Conversion.LINE_LENGTH_MAX;
  }

  @Override
  public ConversionException tooLong(long line) {
    return tooLongAt(line);
  }
}
