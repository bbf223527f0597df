package dev.mintmark;

import java.math.BigInteger;
import java.util.Arrays;
import java.util.Optional;

/**
 * A fixed number of digits of an alphabet, which contain a fixed number of bits. If the digits
 * could contain more, the surplus bits are zero, so that a number has only one text.
 *
 * @param alphabet the digits from zero up
 * @param length the number of digits
 * @param width the number of bits
 * @param padding the side of the surplus bits; irrelevant for an alphabet whose size is not a power
 *     of two, because every digit then depends on every bit
 */
record Digits(Alphabet alphabet, int length, int width, Padding padding) implements Notation.Codec {

  /** The side of the identifier with the surplus bits. */
  enum Padding {
    BEFORE,
    AFTER
  }

  /** The characters of the digits. */
  enum Alphabet {
    HEX("0123456789ABCDEF", true),
    CROCKFORD("0123456789ABCDEFGHJKMNPQRSTVWXYZ", true),
    /** Crockford's in lower case, as in the TypeID specification. */
    CROCKFORD_LOWER("0123456789abcdefghjkmnpqrstvwxyz", false),
    /** RFC 4648 section 7, in lower case. */
    BASE32HEX("0123456789abcdefghijklmnopqrstuv", false),
    /** Of several formats: the digits, then the letters in lower case. */
    BASE36("0123456789abcdefghijklmnopqrstuvwxyz", false),
    /** RFC 4648 section 6, in lower case. */
    BASE32("abcdefghijklmnopqrstuvwxyz234567", false),
    /** {@link #BASE32} in the order of ASCII, as the AT Protocol has it. */
    SORTABLE32("234567abcdefghijklmnopqrstuvwxyz", false),
    /** Of ShortUUID: without 0, 1, I, O and l. */
    BASE57("23456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz", false),
    /** Of Bitcoin and IPFS: without 0, I, O and l. */
    BASE58("123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz", false),
    /** Of Firebase: in the order of ASCII. */
    PUSH_ID("-0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz", false),
    BASE62("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz", false),
    /** The order of nanoid 3 and 4; other versions have the same characters in another order. */
    NANOID("useandom-26T198340PX75pxJACKVERYMINDBUSHWOLF_GQZbfghjklqvwyzrict", false),
    /** RFC 4648 section 5. */
    BASE64URL("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_", false);

    private static final int NOT_A_DIGIT = -1;

    private final String digits;

    /** The value of each ASCII character, or {@link #NOT_A_DIGIT}. */
    @SuppressWarnings("ImmutableEnumChecker") // Nothing writes it after the constructor.
    private final byte[] values = new byte[128];

    Alphabet(String digits, boolean isOfEitherCase) {
      this.digits = digits;
      Arrays.fill(values, (byte) NOT_A_DIGIT);
      for (int value = 0; value < digits.length(); value++) {
        values[digits.charAt(value)] = (byte) value;
        if (isOfEitherCase) {
          values[AsciiCase.lower(digits.charAt(value))] = (byte) value;
        }
      }
    }

    /** The number of digits there are. */
    int size() {
      return digits.length();
    }

    /** The value of a digit; negative if it is none. */
    int value(char c) {
      return c < values.length ? values[c] : NOT_A_DIGIT;
    }

    /** The digit of a value. */
    byte digit(int value) {
      return (byte) digits.charAt(value);
    }

    /** The number of digits of at most 60 bits, each of whole bits; negative if one is none. */
    long number(String text, int from, int end) {
      long number = 0;
      for (int i = from; i < end; i++) {
        number = number << bitsPerDigit() | value(text.charAt(i));
      }
      return number;
    }

    /** Writes the digits of a number, each of whole bits. */
    void write(long number, byte[] text, int from, int end) {
      long rest = number;
      for (int i = end - 1; i >= from; i--) {
        text[i] = digit((int) rest & (digits.length() - 1));
        rest >>>= bitsPerDigit();
      }
    }

    /** The bits of a digit, if their number is whole. */
    private int bitsPerDigit() {
      return Integer.numberOfTrailingZeros(digits.length());
    }

    /** Whether each bit is in one digit only: the size of the alphabet is a power of two. */
    private boolean hasWholeBits() {
      return Integer.bitCount(digits.length()) == 1;
    }
  }

  @Override
  public Optional<BigInteger> decode(String text) {
    if (text.length() != length) {
      return Optional.empty();
    }
    BigInteger radix = BigInteger.valueOf(alphabet.digits.length());
    BigInteger number = BigInteger.ZERO;
    for (int i = 0; i < length; i++) {
      int value = alphabet.value(text.charAt(i));
      if (value == Alphabet.NOT_A_DIGIT) {
        return Optional.empty();
      }
      number = number.multiply(radix).add(BigInteger.valueOf(value));
    }
    int unused = paddingBits();
    boolean fits = number.bitLength() <= width + unused && isZero(number, unused);
    return fits ? Optional.of(number.shiftRight(unused)) : Optional.empty();
  }

  /**
   * Returns why a text is not such digits: its length, or the first character that is no digit.
   *
   * @param expected what the digits are called in the message
   * @param otherwise why it is malformed if all are digits
   */
  MalformedIdException malformed(String what, String text, String expected, String otherwise) {
    if (text.length() != length) {
      return Malformed.length(what, text, length);
    }
    for (int i = 0; i < length; i++) {
      if (alphabet.value(text.charAt(i)) == Alphabet.NOT_A_DIGIT) {
        return Malformed.character(what, text, i, expected);
      }
    }
    return Malformed.because(what, text, otherwise);
  }

  @Override
  public Reading.Span span(String text, int first, int end) {
    if (!alphabet.hasWholeBits()) {
      return new Reading.Span(0, length);
    }
    int bits = alphabet.bitsPerDigit();
    int before = length * bits - width - paddingBits();
    return new Reading.Span((first + before) / bits, (end - 1 + before) / bits + 1);
  }

  private int paddingBits() {
    return padding == Padding.AFTER ? length * alphabet.bitsPerDigit() - width : 0;
  }

  /** Whether the lowest bits are all zero. */
  private static boolean isZero(BigInteger number, int bits) {
    return number.signum() == 0 || number.getLowestSetBit() >= bits;
  }
}
