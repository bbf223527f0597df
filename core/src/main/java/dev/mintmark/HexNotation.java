package dev.mintmark;

import java.util.Arrays;
import java.util.HexFormat;
import java.util.Optional;
import java.util.UUID;

/**
 * The ways of writing 128 bits as 32 hexadecimal digits, each given by a template in which {@code
 * x} is a digit and everything else stands for itself, letters in either case.
 */
enum HexNotation {
  HYPHENATED("UUID", "xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx"),
  PLAIN("hex", "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"),
  BRACED("braced UUID", "{xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx}"),
  URN("UUID URN", "urn:uuid:xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx"),
  PAIRS("bytes", "xx xx xx xx xx xx xx xx xx xx xx xx xx xx xx xx");

  private static final char DIGIT = 'x';
  private static final int MISFIT = -1;

  /** What an ASCII character is worth as a digit, or {@link #MISFIT}. */
  private static final byte[] VALUES = digitValues();

  private final String what;
  private final String template;

  HexNotation(String what, String template) {
    this.what = what;
    this.template = template;
  }

  /** Returns the notation that has texts as long as {@code text}: no two have the same length. */
  static Optional<HexNotation> byLengthOf(String text) {
    return Arrays.stream(values())
        .filter(notation -> notation.template.length() == text.length())
        .findFirst();
  }

  /** Returns what {@code text} writes, or empty where {@link #malformed} can tell what is wrong. */
  Optional<UUID> decode(String text) {
    if (text.length() != template.length()) {
      return Optional.empty();
    }
    long high = 0;
    long low = 0;
    int seen = 0;
    for (int i = 0; i < text.length(); i++) {
      int value = value(text, i);
      seen |= value;
      if (template.charAt(i) == DIGIT) {
        high = high << 4 | low >>> 60;
        low = low << 4 | value;
      }
    }
    return seen >= 0 ? Optional.of(new UUID(high, low)) : Optional.empty();
  }

  UUID parse(String text) {
    return decode(text).orElseThrow(() -> malformed(text));
  }

  /** Says why {@link #decode} answers nothing for {@code text}. */
  MalformedIdException malformed(String text) {
    if (text.length() != template.length()) {
      return Malformed.length(what, text, template.length());
    }
    int wrong = 0;
    while (value(text, wrong) != MISFIT) {
      wrong++;
    }
    boolean digitExpected = template.charAt(wrong) == DIGIT;
    String expected = digitExpected ? "a hexadecimal digit" : "'" + template.charAt(wrong) + "'";
    return Malformed.character(what, text, wrong, expected);
  }

  /** The characters that hold some of the bits from {@code first} to below {@code end}. */
  Reading.Span span(int first, int end) {
    return new Reading.Span(indexOfDigit(first / 4), indexOfDigit((end - 1) / 4) + 1);
  }

  private int indexOfDigit(int number) {
    int index = template.indexOf(DIGIT);
    for (int i = 0; i < number; i++) {
      index = template.indexOf(DIGIT, index + 1);
    }
    return index;
  }

  /** What the character is worth where it is the right one, 0 for punctuation. */
  private int value(String text, int i) {
    char c = text.charAt(i);
    char expected = template.charAt(i);
    if (expected == DIGIT) {
      return c < VALUES.length ? VALUES[c] : MISFIT;
    }
    return c == expected || (c < VALUES.length && Character.toLowerCase(c) == expected)
        ? 0
        : MISFIT;
  }

  private static byte[] digitValues() {
    byte[] values = new byte[128];
    Arrays.fill(values, (byte) MISFIT);
    for (char c = 0; c < values.length; c++) {
      if (HexFormat.isHexDigit(c)) {
        values[c] = (byte) HexFormat.fromHexDigit(c);
      }
    }
    return values;
  }
}
