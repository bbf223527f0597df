package dev.mintmark.warehouse.convert;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** Knows the fields of CSV that are null: empty ones, and those with one text. */
final class NullText {
  private final byte[] text;

  NullText(String text) {
    this.text = text.getBytes(StandardCharsets.UTF_8);
  }

  /** How many bytes the longest of them has. */
  int lengthMax() {
    return text.length;
  }

  /** Whether the bytes from {@code start} to before {@code end} stand for null. */
  boolean isNull(byte[] bytes, int start, int end) {
    return start == end
        || (end - start == text.length && Arrays.equals(bytes, start, end, text, 0, text.length));
  }
}
