package dev.mintmark;

import com.fasterxml.jackson.annotation.JsonValue;
import java.io.InvalidObjectException;
import java.io.ObjectInputStream;
import java.io.Serializable;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * A number of a database sequence, shown after a prefix and padded with zeros: {@code PM000123}.
 *
 * <pre>
 *   P M 0 0 0 1 2 3        prefix "PM", width 6, number 123
 *   P M 1 2 3 4 5 6 7      a number with more digits than the width is shown in full
 * </pre>
 *
 * <p><b>One text.</b> In its {@link Format} a number has one canonical text, and {@link
 * Format#parse} reads no other. The SQL function {@code prefixed(prefix, number, width)} returns
 * the same text, and {@code unprefixed(prefix, text)} reads it.
 *
 * <p><b>Equality and order.</b> Two are equal if their prefixes and numbers are equal; the width
 * does not count. They are ordered by prefix, then by number. The texts have the same order only up
 * to the width: {@code PM1234567} sorts before {@code PM999999}.
 *
 * <p><b>Uniqueness</b> is that of the sequence. A number reveals how many there are, and its
 * neighbours can be guessed.
 *
 * <p><b>A text alone is not enough</b>: prefix and width are missing. So there is no {@code
 * valueOf(String)}, and Jackson writes a sequence id but does not read one. Read it with {@link
 * Format#parse}, or with an {@code IdType}, which has the format.
 *
 * <p>Immutable and thread-safe.
 *
 * <pre>{@code
 * SequenceId.Format payments = new SequenceId.Format("PM", 6);
 * payments.of(123);                      // PM000123
 * payments.of(1_234_567);                // PM1234567
 * payments.parse("PM000123").number();   // 123
 * }</pre>
 */
public final class SequenceId implements Comparable<SequenceId>, Serializable {
  private static final long serialVersionUID = 1L;

  @SuppressWarnings("serial") // The proxy is serialized instead.
  private final Format format;

  private final long number;

  private SequenceId(Format format, long number) {
    this.format = format;
    this.number = number;
  }

  /** The text before the number; may be empty. */
  public String prefix() {
    return format.prefix();
  }

  /** The number of the sequence: 0 to 2^63-1. */
  public long number() {
    return number;
  }

  /** Compares by prefix, then by number. */
  @Override
  public int compareTo(SequenceId other) {
    int byPrefix = prefix().compareTo(other.prefix());
    return byPrefix != 0 ? byPrefix : Long.compare(number, other.number);
  }

  @Override
  public boolean equals(Object o) {
    return o instanceof SequenceId id && id.number == number && id.prefix().equals(prefix());
  }

  @Override
  public int hashCode() {
    return 31 * prefix().hashCode() + Long.hashCode(number);
  }

  /** The canonical text in its format. */
  @Override
  @JsonValue
  public String toString() {
    return format.write(number);
  }

  /** The minimum number of digits. */
  int width() {
    return format.width();
  }

  /** Serializes a {@link SerializationProxy} instead of this. */
  private Object writeReplace() {
    return SerializationProxy.of(this);
  }

  private void readObject(ObjectInputStream stream) throws InvalidObjectException {
    throw SerializationProxy.required();
  }

  /**
   * The text format of the numbers of one sequence. Immutable.
   *
   * @param prefix at most {@value #PREFIX_LENGTH_MAX} of {@code A-Z a-z 0-9 - _}, the first a
   *     letter and the last not a digit, so that the start of the number is unambiguous; may be
   *     empty
   * @param width the minimum number of digits: 0 to {@value #WIDTH_MAX}; 0 for no padding
   */
  public record Format(String prefix, int width) {
    /** The most characters of a prefix. */
    public static final int PREFIX_LENGTH_MAX = 16;

    /** The greatest width: one digit less than 2^63-1. */
    public static final int WIDTH_MAX = 18;

    private static final Pattern PREFIX = Pattern.compile("([A-Za-z]([A-Za-z0-9_-]*[A-Za-z_-])?)?");
    private static final String WHAT = "sequence id";
    private static final int DIGITS_MAX = 19;
    private static final long MISFIT = -1;

    /**
     * Checks the components.
     *
     * @throws IllegalArgumentException if the prefix is malformed or the width is out of range
     */
    public Format {
      if (prefix.length() > PREFIX_LENGTH_MAX || !PREFIX.matcher(prefix).matches()) {
        throw new IllegalArgumentException(
            "malformed prefix "
                + Quoted.of(prefix)
                + ": expected at most "
                + PREFIX_LENGTH_MAX
                + " of A-Z, a-z, 0-9, '-' and '_', the first a letter and the last not a digit");
      }
      if (width < 0 || width > WIDTH_MAX) {
        throw new IllegalArgumentException(
            "width " + width + ": expected 0 to " + WIDTH_MAX + " digits");
      }
    }

    /**
     * Returns the identifier of a number.
     *
     * @throws IllegalArgumentException if the number is negative
     */
    public SequenceId of(long number) {
      if (number < 0) {
        throw new IllegalArgumentException(
            "number " + number + ": expected 0 to " + Long.MAX_VALUE);
      }
      return new SequenceId(this, number);
    }

    /**
     * Reads the canonical text of a number and no other text.
     *
     * @throws MalformedIdException if the prefix differs, a character after it is not an ASCII
     *     digit, the number is padded to more or fewer digits than the width, or it exceeds 2^63-1
     */
    public SequenceId parse(String text) {
      return tryParse(text).orElseThrow(() -> malformed(text));
    }

    /** Reads what {@link #parse} reads; empty if it throws. */
    public Optional<SequenceId> tryParse(String text) {
      long number = text.startsWith(prefix) ? decode(text, prefix.length()) : MISFIT;
      boolean canonical = number >= 0 && text.length() == lengthOf(number);
      return canonical ? Optional.of(new SequenceId(this, number)) : Optional.empty();
    }

    /**
     * Reads what people type: with any number of leading zeros, the prefix in either letter case,
     * and white space around it.
     *
     * @throws MalformedIdException if it has more than 80 characters, the prefix differs, a
     *     character after it is not an ASCII digit, or the number exceeds 2^63-1
     */
    public SequenceId parseLoosely(String text) {
      return parsePadded(LooseText.of(WHAT, text).toString());
    }

    /**
     * Reads a text with any number of leading zeros and the prefix in either letter case, without
     * white space and of any length.
     *
     * @throws MalformedIdException if the prefix differs, a character after it is not an ASCII
     *     digit, or the number exceeds 2^63-1
     */
    SequenceId parsePadded(String text) {
      long number = hasPrefix(text) ? decode(text, prefix.length()) : MISFIT;
      if (number < 0) {
        throw malformed(text);
      }
      return new SequenceId(this, number);
    }

    /** The canonical text of a number that is not negative. */
    private String write(long number) {
      String digits = Long.toString(number);
      StringBuilder text = new StringBuilder(prefix.length() + DIGITS_MAX).append(prefix);
      for (int padded = digits.length(); padded < width; padded++) {
        text.append('0');
      }
      return text.append(digits).toString();
    }

    /** The length of the canonical text of a number. */
    private int lengthOf(long number) {
      int digits = 1;
      for (long rest = number; rest > 9; rest /= 10) {
        digits++;
      }
      return prefix.length() + Math.max(width, digits);
    }

    /** Returns the number of the digits from {@code from}, or a misfit. */
    private static long decode(String text, int from) {
      long number = 0;
      for (int i = from; i < text.length(); i++) {
        int digit = text.charAt(i) - '0';
        boolean fits = digit >= 0 && digit <= 9 && number <= (Long.MAX_VALUE - digit) / 10;
        if (!fits) {
          return MISFIT;
        }
        number = 10 * number + digit;
      }
      return from < text.length() ? number : MISFIT;
    }

    private MalformedIdException malformed(String text) {
      int from = prefix.length();
      if (!hasPrefix(text) || (from < text.length() && !isDigit(text.charAt(from)))) {
        return otherPrefix(text);
      }
      if (from == text.length()) {
        return Malformed.because(WHAT, text, "it has no digits");
      }
      for (int i = from; i < text.length(); i++) {
        if (!isDigit(text.charAt(i))) {
          return Malformed.character(WHAT, text, i, "a digit");
        }
      }
      long number = decode(text, from);
      if (number < 0) {
        return Malformed.because(WHAT, text, "its number exceeds " + Long.MAX_VALUE);
      }
      return text.startsWith(prefix)
          ? Malformed.because(
              WHAT, text, "expected " + Quoted.of(write(number)) + " at width " + width)
          : otherPrefix(text);
    }

    /** Returns the text before the trailing digits as the prefix. */
    private MalformedIdException otherPrefix(String text) {
      int end = text.length();
      while (end > 0 && isDigit(text.charAt(end - 1))) {
        end--;
      }
      String expected =
          "expected " + (prefix.isEmpty() ? "no prefix" : "prefix " + Quoted.of(prefix));
      if (end > PREFIX_LENGTH_MAX) {
        return Malformed.because(WHAT, text, expected);
      }
      String found = end == 0 ? "none" : Quoted.of(text.substring(0, end));
      return Malformed.because(WHAT, text, expected + ", found " + found);
    }

    /** Whether the text starts with the prefix, in either letter case. */
    private boolean hasPrefix(String text) {
      if (text.length() < prefix.length()) {
        return false;
      }
      for (int i = 0; i < prefix.length(); i++) {
        char c = text.charAt(i);
        // ASCII only: the Kelvin sign in lower case is a k.
        if (c >= 128 || Character.toLowerCase(c) != Character.toLowerCase(prefix.charAt(i))) {
          return false;
        }
      }
      return true;
    }

    private static boolean isDigit(char c) {
      return c >= '0' && c <= '9';
    }
  }
}
