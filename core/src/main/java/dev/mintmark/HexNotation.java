package dev.mintmark;

import java.util.Arrays;
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
    for (int i = 0; i < text.length(); i++) {
      if (!fits(text, i)) {
        return Optional.empty();
      }
      if (template.charAt(i) == DIGIT) {
        high = high << 4 | low >>> 60;
        low = low << 4 | Character.digit(text.charAt(i), 16);
      }
    }
    return Optional.of(new UUID(high, low));
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
    while (fits(text, wrong)) {
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

  private boolean fits(String text, int i) {
    char c = text.charAt(i);
    // The bound keeps out the digits of other scripts, which Character.digit takes as well.
    boolean ascii = c < 128;
    return template.charAt(i) == DIGIT
        ? ascii && Character.digit(c, 16) >= 0
        : ascii && Character.toLowerCase(c) == template.charAt(i);
  }
}
