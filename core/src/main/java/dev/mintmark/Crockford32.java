package dev.mintmark;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * 128 bits as 26 digits of Douglas Crockford's base 32, as the ULID specification uses it: no
 * hyphens, no check symbol, and none of the letters I, L, O and U, also not in place of the digit
 * that they resemble.
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
  private static final String LOWER_ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz";
  private static final int NOT_A_DIGIT = -1;

  /** The value of a character of one byte, or {@link #NOT_A_DIGIT}. */
  private static final byte[] VALUES = values(ALPHABET, LOWER_ALPHABET);

  private static final byte[] LOWER_VALUES = values(LOWER_ALPHABET);

  private static final VarHandle PAIR =
      MethodHandles.byteArrayViewVarHandle(short[].class, ByteOrder.nativeOrder());

  /** The two digits of every number of 10 bits, in memory order. */
  private static final short[] PAIRS = pairs(ALPHABET);

  private static final short[] LOWER_PAIRS = pairs(LOWER_ALPHABET);

  private Crockford32() {}

  /** Returns the value of {@code text}; empty if it is malformed, see {@link #malformed}. */
  static Optional<Ulid> decode(String text) {
    return text.length() == LENGTH ? decode(text, 0, VALUES) : Optional.empty();
  }

  /** As above for the {@value #LENGTH} characters from {@code from}. */
  static Optional<Ulid> decode(String text, int from) {
    return decode(text, from, VALUES);
  }

  /**
   * Returns the value of the {@value #LENGTH} digits from {@code from}, in lower case only; null if
   * they are malformed, see {@link #malformedLower}.
   */
  static @Nullable Ulid decodeLower(String text, int from) {
    return decoded(text, from, LOWER_VALUES);
  }

  private static Optional<Ulid> decode(String text, int from, byte[] values) {
    return Optional.ofNullable(decoded(text, from, values));
  }

  /** Reads three independent groups of digits. */
  private static @Nullable Ulid decoded(String text, int from, byte[] values) {
    long time = digits(text, from, 10, values);
    long upper = digits(text, from + 10, 8, values);
    long lower = digits(text, from + 18, 8, values);
    boolean fits = time >>> 48 == 0 && (upper | lower) >= 0;
    return fits ? Ulid.of(time << 16 | upper >>> 24, upper << 40 | lower) : null;
  }

  /** The value of a number of digits; negative if one is invalid. */
  private static long digits(String text, int from, int count, byte[] values) {
    long bits = 0;
    for (int i = from; i < from + count; i++) {
      bits = bits << 5 | value(text.charAt(i), values);
    }
    return bits;
  }

  /** As above for at most 12 digits of one byte each, in either letter case. */
  static long digits(byte[] text, int from, int count) {
    long bits = 0;
    for (int i = from; i < from + count; i++) {
      bits = bits << 5 | VALUES[text[i] & 0xFF];
    }
    return bits;
  }

  static Ulid parse(String text) {
    Ulid ulid = text.length() == LENGTH ? decoded(text, 0, VALUES) : null;
    if (ulid == null) {
      throw malformed(text);
    }
    return ulid;
  }

  /** Returns why {@link #decode} returns nothing for {@code text}. */
  static MalformedIdException malformed(String text) {
    return text.length() == LENGTH
        ? malformed("ULID", text, 0)
        : Malformed.length("ULID", text, LENGTH);
  }

  /** Returns why {@link #decode(String, int)} returns nothing for {@code text}. */
  static MalformedIdException malformed(String what, String text, int from) {
    return malformed(what, text, from, VALUES, "Crockford base 32");
  }

  /** Returns why {@link #decodeLower} returns nothing for {@code text}. */
  static MalformedIdException malformedLower(String what, String text, int from) {
    return malformed(what, text, from, LOWER_VALUES, "Crockford base 32 in lower case");
  }

  private static MalformedIdException malformed(
      String what, String text, int from, byte[] values, String expected) {
    for (int i = from; i < from + LENGTH; i++) {
      if (value(text.charAt(i), values) == NOT_A_DIGIT) {
        return Malformed.character(what, text, i, expected);
      }
    }
    return Malformed.because(
        what, text, Malformed.character(text, from) + " is above 7: it exceeds 128 bits");
  }

  /** Whether it is a digit, or a letter that {@link #withoutLookalikes} replaces by one. */
  static boolean isLooseDigit(int c) {
    return "ILOilo".indexOf(c) >= 0 || value((char) c, VALUES) != NOT_A_DIGIT;
  }

  /** Replaces letters that look like digits: I and L by 1, O by 0. */
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
    encode(high, low, text, 0);
    return new String(text, StandardCharsets.ISO_8859_1);
  }

  /** Writes {@value #LENGTH} digits into {@code text} from {@code from}. */
  static void encode(long high, long low, byte[] text, int from) {
    encode(high, low, PAIRS, text, from);
  }

  /** As above in lower case. */
  static void encodeLower(long high, long low, byte[] text, int from) {
    encode(high, low, LOWER_PAIRS, text, from);
  }

  private static void encode(long high, long low, short[] pairs, byte[] text, int from) {
    int at = from;
    for (int shift = 56; shift >= 6; shift -= 10, at += 2) {
      putPair(pairs, (int) (high >>> shift), text, at);
    }
    putPair(pairs, (int) (high << 4 | low >>> 60), text, at);
    at += 2;
    for (int shift = 50; shift >= 0; shift -= 10, at += 2) {
      putPair(pairs, (int) (low >>> shift), text, at);
    }
  }

  private static int value(char c, byte[] values) {
    return c < values.length ? values[c] : NOT_A_DIGIT;
  }

  private static void putPair(short[] pairs, int tenBits, byte[] text, int at) {
    PAIR.set(text, at, pairs[tenBits & 0x3FF]);
  }

  private static byte[] values(String... alphabets) {
    byte[] values = new byte[256];
    Arrays.fill(values, (byte) NOT_A_DIGIT);
    for (String alphabet : alphabets) {
      for (int digit = 0; digit < alphabet.length(); digit++) {
        values[alphabet.charAt(digit)] = (byte) digit;
      }
    }
    return values;
  }

  private static short[] pairs(String alphabet) {
    short[] pairs = new short[1024];
    byte[] pair = new byte[2];
    for (int number = 0; number < pairs.length; number++) {
      pair[0] = (byte) alphabet.charAt(number >>> 5);
      pair[1] = (byte) alphabet.charAt(number & 31);
      pairs[number] = (short) PAIR.get(pair, 0);
    }
    return pairs;
  }
}
