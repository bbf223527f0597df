package dev.mintmark;

import java.math.BigInteger;

/** The ways of writing 128 bits as one number without leading zeros. */
enum Numeral {
  BINARY("binary number", "0b", 2, 128),
  OCTAL("octal number", "0o", 8, 43),
  DECIMAL("decimal number", "", 10, 39);

  private final String what;
  private final String prefix;
  private final int radix;

  /** The number of digits of 2^128-1. */
  private final int digitsMax;

  Numeral(String what, String prefix, int radix, int digitsMax) {
    this.what = what;
    this.prefix = prefix;
    this.radix = radix;
    this.digitsMax = digitsMax;
  }

  String write(Ulid id) {
    return prefix + id.toBigInteger().toString(radix);
  }

  /** Whether {@code text} is the prefix followed by any number of digits. */
  boolean isShapeOf(String text) {
    return text.startsWith(prefix)
        && text.length() > prefix.length()
        && firstThatIsNoDigit(text) == text.length();
  }

  Ulid read(String text) {
    if (!text.startsWith(prefix) || text.length() == prefix.length()) {
      throw Malformed.because(what, text, "expected " + expected());
    }
    int digits = text.length() - prefix.length();
    if (digits > digitsMax) {
      throw Malformed.because(what, text, "it has " + digits + " digits: expected " + expected());
    }
    int wrong = firstThatIsNoDigit(text);
    if (wrong < text.length()) {
      throw Malformed.character(what, text, wrong, "a digit of base " + radix);
    }
    if (digits > 1 && text.charAt(prefix.length()) == '0') {
      throw Malformed.because(what, text, "it has leading zeros");
    }
    BigInteger number = new BigInteger(text.substring(prefix.length()), radix);
    if (number.bitLength() > 128) {
      throw Malformed.because(what, text, "it exceeds 128 bits");
    }
    return Ulid.from(number);
  }

  private String expected() {
    String after = prefix.isEmpty() ? "" : " after " + prefix;
    return "1 to " + digitsMax + " digits" + after;
  }

  private int firstThatIsNoDigit(String text) {
    int i = prefix.length();
    while (i < text.length() && text.charAt(i) >= '0' && text.charAt(i) < '0' + radix) {
      i++;
    }
    return i;
  }
}
