package dev.mintmark;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Optional;
import java.util.UUID;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The ways of writing 128 bits as 32 hexadecimal digits, each given by a template in which {@code
 * x} is a digit and all other characters are literal, letters in either case.
 */
enum HexNotation {
  HYPHENATED("UUID", "xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx"),
  PLAIN("hex", "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"),
  BRACED("braced UUID", "{xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx}"),
  URN("UUID URN", "urn:uuid:xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx"),
  PAIRS("bytes", "xx xx xx xx xx xx xx xx xx xx xx xx xx xx xx xx");

  /** The number of digits. */
  static final int DIGITS = 32;

  private static final char DIGIT = 'x';
  private static final int MISFIT = -1;

  /** The value of a character of one byte as a digit, or {@link #MISFIT}. */
  private static final byte[] VALUES = digitValues();

  private static final VarHandle PAIR =
      MethodHandles.byteArrayViewVarHandle(short[].class, ByteOrder.nativeOrder());

  private static final VarHandle FOUR =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);

  private static final VarHandle EIGHT =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  /** One in each byte: multiplied by a byte, that byte in each. */
  private static final long EACH = 0x0101_0101_0101_0101L;

  /** The two digits of every byte, in memory order. */
  private static final short[] DIGIT_PAIRS = digitPairs();

  private final String what;
  private final String template;

  /** The indexes of the digits in the template, and those of all other characters. */
  @SuppressWarnings("ImmutableEnumChecker") // Written here only.
  private final int[] digits;

  @SuppressWarnings("ImmutableEnumChecker") // Written here only.
  private final int[] punctuation;

  HexNotation(String what, String template) {
    this.what = what;
    this.template = template;
    this.digits = indicesWhere(c -> c == DIGIT);
    this.punctuation = indicesWhere(c -> c != DIGIT);
  }

  /** Returns the notation with the length of {@code text}: no two have the same length. */
  static Optional<HexNotation> byLengthOf(String text) {
    return Arrays.stream(values())
        .filter(notation -> notation.template.length() == text.length())
        .findFirst();
  }

  /** Returns the value of {@code text}; empty if it is malformed, see {@link #malformed}. */
  Optional<UUID> decode(String text) {
    return Optional.ofNullable(decoded(text));
  }

  UUID parse(String text) {
    UUID uuid = decoded(text);
    if (uuid == null) {
      throw malformed(text);
    }
    return uuid;
  }

  private @Nullable UUID decoded(String text) {
    if (text.length() != template.length()) {
      return null;
    }
    return this == HYPHENATED ? hyphenated(text) : templated(text);
  }

  /** The most frequent notation: constant indexes halve the time. */
  private static @Nullable UUID hyphenated(String text) {
    boolean isHyphenated =
        text.charAt(8) == '-'
            && text.charAt(13) == '-'
            && text.charAt(18) == '-'
            && text.charAt(23) == '-';
    if (!isHyphenated) {
      return null;
    }
    long timeLow = (long) quad(text, 0) << 16 | quad(text, 4);
    long timeMidAndHigh = (long) quad(text, 9) << 16 | quad(text, 14);
    long clockSeqAndNode = (long) quad(text, 19) << 16 | quad(text, 24);
    long node = (long) quad(text, 28) << 16 | quad(text, 32);
    boolean fits = (timeLow | timeMidAndHigh | clockSeqAndNode | node) >= 0;
    return fits ? new UUID(timeLow << 32 | timeMidAndHigh, clockSeqAndNode << 32 | node) : null;
  }

  /** The value of four adjacent digits; negative if one is invalid. */
  private static int quad(String text, int i) {
    return digit(text.charAt(i)) << 12
        | digit(text.charAt(i + 1)) << 8
        | digit(text.charAt(i + 2)) << 4
        | digit(text.charAt(i + 3));
  }

  /**
   * The value of the eight digits of one byte each from {@code from}; negative if one is invalid.
   */
  static long eight(byte[] text, int from) {
    return eight((long) EIGHT.get(text, from));
  }

  /** As above for two groups of four. */
  static long eight(byte[] text, int first, int second) {
    long lower = (int) FOUR.get(text, first) & 0xFFFF_FFFFL;
    long upper = (int) FOUR.get(text, second);
    return eight(lower | (upper << 32));
  }

  /**
   * Reads all eight at once; the first is in the lowest byte. They are digits if their value,
   * written again, is the same.
   */
  private static long eight(long digits) {
    long letters = (digits >>> 6) & EACH;
    long worth = (digits & 0xF * EACH) + 9 * letters;
    long lettersWritten = ((worth + 6 * EACH) >>> 4) & EACH;
    long written = worth + '0' * EACH + ('a' - '9' - 1) * lettersWritten;
    long inLowerCase = digits | (letters << 5);
    boolean fits = ((inLowerCase ^ written) | ((worth >>> 4) & EACH)) == 0;
    return fits ? packed(Long.reverseBytes(worth)) : MISFIT;
  }

  /** Joins the lower halves of all bytes. */
  private static long packed(long halves) {
    long bytes = (halves | halves >>> 4) & 0x00FF_00FF_00FF_00FFL;
    long shorts = (bytes | bytes >>> 8) & 0x0000_FFFF_0000_FFFFL;
    return (shorts | shorts >>> 16) & 0xFFFF_FFFFL;
  }

  /** Writes the lowest {@code count} digits of {@code bits}, an even number, in lower case. */
  static void encode(long bits, int count, byte[] text, int from) {
    int at = from;
    for (int shift = 4 * count - 8; shift >= 0; shift -= 8, at += 2) {
      PAIR.set(text, at, DIGIT_PAIRS[(int) (bits >>> shift) & 0xFF]);
    }
  }

  /** Writes the 36 characters of {@link #HYPHENATED} into {@code text} from {@code from}. */
  static void encodeHyphenated(long high, long low, byte[] text, int from) {
    encode(high >>> 32, 8, text, from);
    text[from + 8] = '-';
    encode(high >>> 16, 4, text, from + 9);
    text[from + 13] = '-';
    encode(high, 4, text, from + 14);
    text[from + 18] = '-';
    encode(low >>> 48, 4, text, from + 19);
    text[from + 23] = '-';
    encode(low, 12, text, from + 24);
  }

  private @Nullable UUID templated(String text) {
    int seen = 0;
    for (int i : punctuation) {
      seen |= value(text, i);
    }
    long high = 0;
    long low = 0;
    for (int i : digits) {
      int digit = digit(text.charAt(i));
      seen |= digit;
      high = high << 4 | low >>> 60;
      low = low << 4 | digit;
    }
    return seen >= 0 ? new UUID(high, low) : null;
  }

  /** Returns why {@link #decode} returns nothing for {@code text}. */
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

  /** The characters with bits from {@code first}, inclusive, to {@code end}, exclusive. */
  Reading.Span span(int first, int end) {
    return new Reading.Span(digits[first / 4], digits[(end - 1) / 4] + 1);
  }

  /** The value of a character at a valid place; 0 for punctuation. */
  private int value(String text, int i) {
    char c = text.charAt(i);
    char expected = template.charAt(i);
    if (expected == DIGIT) {
      return digit(c);
    }
    return c == expected || (c < VALUES.length && Character.toLowerCase(c) == expected)
        ? 0
        : MISFIT;
  }

  private static int digit(char c) {
    return c < VALUES.length ? VALUES[c] : MISFIT;
  }

  private int[] indicesWhere(IntPredicate isWanted) {
    return IntStream.range(0, template.length())
        .filter(i -> isWanted.test(template.charAt(i)))
        .toArray();
  }

  private static short[] digitPairs() {
    short[] pairs = new short[256];
    for (int number = 0; number < pairs.length; number++) {
      byte[] pair = HexFormat.of().toHexDigits((byte) number).getBytes(StandardCharsets.ISO_8859_1);
      pairs[number] = (short) PAIR.get(pair, 0);
    }
    return pairs;
  }

  private static byte[] digitValues() {
    byte[] values = new byte[256];
    Arrays.fill(values, (byte) MISFIT);
    for (char c = 0; c < values.length; c++) {
      if (HexFormat.isHexDigit(c)) {
        values[c] = (byte) HexFormat.fromHexDigit(c);
      }
    }
    return values;
  }
}
