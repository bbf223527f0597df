package dev.mintmark.warehouse.convert;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** Recognizes null in CSV: an empty field, and a field with the text for null. */
final class NullText {
  private final byte[] text;

  NullText(String text) {
    this.text = text.getBytes(StandardCharsets.UTF_8);
  }

  /** Returns the length of the longest null field in bytes. */
  int lengthMax() {
    return text.length;
  }

  /** Returns whether the bytes from {@code start} to before {@code end} are null. */
  boolean isNull(byte[] bytes, int start, int end) {
    return start == end
        || (end - start == text.length && Arrays.equals(bytes, start, end, text, 0, text.length));
  }
}
