package dev.mintmark;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Optional;

/**
 * 128 bits as 26 digits of Douglas Crockford's base 32, as the ULID specification uses it: no
 * hyphens, no check symbol, and none of the letters I, L, O and U, not even as a stand-in for the
 * digit that they resemble.
 *
 * <pre>
 *   digit   0   1   2  ...  12  13  14 ...  25
 *   bits    3   5   5        5   5   5       5     the first digit is at most 7
 *           '------- high ------- 1 4 --- low ---'
 * </pre>
 */
final class Crockford32 {
  static final int LENGTH = 26;

  private static final String ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
  private static final int NOT_A_DIGIT = -1;

  /** What an ASCII character is worth, or {@link #NOT_A_DIGIT}. */
  private static final byte[] VALUES = values();

  /** The two digits of every number of 10 bits, one behind the other. */
  private static final byte[] PAIRS = pairs();

  private static final int HALF = LENGTH / 2;

  private Crockford32() {}

  /** Returns what {@code text} writes, or empty where {@link #malformed} can tell what is wrong. */
  static Optional<Ulid> decode(String text) {
    if (text.length() != LENGTH) {
      return Optional.empty();
    }
    long high = 0;
    long low = 0;
    int seen = 0;
    for (int i = 0; i < HALF; i++) {
      int highDigit = value(text.charAt(i));
      int lowDigit = value(text.charAt(i + HALF));
      seen |= highDigit | lowDigit;
      high = high << 5 | highDigit;
      low = low << 5 | lowDigit;
    }
    // The first digit of the lower half straddles: its highest bit is the lowest of the upper one.
    int straddling = value(text.charAt(HALF));
    boolean fits = seen >= 0 && value(text.charAt(0)) <= 7;
    return fits ? Optional.of(Ulid.of(high << 1 | straddling >>> 4, low)) : Optional.empty();
  }

  /** Says why {@link #decode} answers nothing for {@code text}. */
  static MalformedIdException malformed(String text) {
    if (text.length() != LENGTH) {
      return Malformed.length("ULID", text, LENGTH);
    }
    for (int i = 0; i < LENGTH; i++) {
      if (value(text.charAt(i)) == NOT_A_DIGIT) {
        return Malformed.character("ULID", text, i, "Crockford base 32");
      }
    }
    return Malformed.because(
        "ULID", text, Malformed.character(text, 0) + " is above 7: it exceeds 128 bits");
  }

  /** Replaces the letters that people read for a digit: I and L for 1, O for 0. */
  static String withoutLookalikes(String text) {
    return text.replace('I', '1')
        .replace('i', '1')
        .replace('L', '1')
        .replace('l', '1')
        .replace('O', '0')
        .replace('o', '0');
  }

  static String encode(long high, long low) {
    byte[] text = new byte[LENGTH];
    for (int pair = 0, shift = 56; pair < 6; pair++, shift -= 10) {
      putPair(text, pair, (int) (high >>> shift));
    }
    putPair(text, 6, (int) (high << 4 | low >>> 60));
    for (int pair = 7, shift = 50; pair < HALF; pair++, shift -= 10) {
      putPair(text, pair, (int) (low >>> shift));
    }
    return new String(text, StandardCharsets.ISO_8859_1);
  }

  /** The characters that hold some of the bits from {@code first} to below {@code end}. */
  static Reading.Span span(int first, int end) {
    // Two bits are missing before bit 0: 26 digits would hold 130.
    return new Reading.Span((first + 2) / 5, (end + 1) / 5 + 1);
  }

  private static int value(char c) {
    return c < VALUES.length ? VALUES[c] : NOT_A_DIGIT;
  }

  private static void putPair(byte[] text, int pair, int tenBits) {
    int from = 2 * (tenBits & 0x3FF);
    text[2 * pair] = PAIRS[from];
    text[2 * pair + 1] = PAIRS[from + 1];
  }

  private static byte[] values() {
    byte[] values = new byte[128];
    Arrays.fill(values, (byte) NOT_A_DIGIT);
    for (int digit = 0; digit < ALPHABET.length(); digit++) {
      values[ALPHABET.charAt(digit)] = (byte) digit;
      values[Character.toLowerCase(ALPHABET.charAt(digit))] = (byte) digit;
    }
    return values;
  }

  private static byte[] pairs() {
    byte[] pairs = new byte[2 * 1024];
    for (int number = 0; number < 1024; number++) {
      pairs[2 * number] = (byte) ALPHABET.charAt(number >>> 5);
      pairs[2 * number + 1] = (byte) ALPHABET.charAt(number & 31);
    }
    return pairs;
  }
}
