package dev.mintmark;

import com.fasterxml.jackson.annotation.JsonValue;
import java.io.InvalidObjectException;
import java.io.ObjectInputStream;
import java.io.Serializable;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * A number of a database sequence, shown behind a prefix and padded with zeros: {@code PM000123}.
 *
 * <pre>
 *   P M 0 0 0 1 2 3        prefix "PM", width 6, number 123
 *   P M 1 2 3 4 5 6 7      a number with more digits than the width is shown in full
 * </pre>
 *
 * <p><b>One text.</b> In its {@link Format} a number has one canonical text, and {@link
 * Format#parse} reads no other. The SQL function {@code prefixed(prefix, number, width)} writes the
 * same, and {@code unprefixed(prefix, text)} reads what it wrote.
 *
 * <p><b>Equality and order.</b> Two are equal if their prefixes and numbers are, whatever the width
 * they are shown in. They are in order of their prefix, then of their number. The order of their
 * texts is the same only up to the width: {@code PM1234567} stands before {@code PM999999}.
 *
 * <p><b>Uniqueness</b> is that of the sequence. A number tells how many there are, and its
 * neighbours can be guessed.
 *
 * <p><b>A text alone does not determine one</b>: prefix and width are missing. So there is no
 * {@code valueOf(String)}, and Jackson writes a sequence id but does not read one. Read it with
 * {@link Format#parse}, or let an {@code IdType} do so, which knows the format.
 *
 * <p>Immutable, and so safe in any number of threads.
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

  @SuppressWarnings("serial") // Its proxy is what is serialized.
  private final Format format;

  private final long number;

  private SequenceId(Format format, long number) {
    this.format = format;
    this.number = number;
  }

  /** What is shown before the number; may be empty. */
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

  /** How many digits are shown at least. */
  int width() {
    return format.width();
  }

  /** Puts a {@link SerializationProxy} into the stream. */
  private Object writeReplace() {
    return SerializationProxy.of(this);
  }

  private void readObject(ObjectInputStream stream) throws InvalidObjectException {
    throw SerializationProxy.required();
  }

  /**
   * How the numbers of one sequence are shown. Immutable.
   *
   * @param prefix at most {@value #PREFIX_LENGTH_MAX} of {@code A-Z a-z 0-9 - _}, the first a
   *     letter and the last no digit, for nobody could tell where the number begins; may be empty
   * @param width how many digits are shown at least: 0 to {@value #WIDTH_MAX}; 0 pads nothing
   */
  public record Format(String prefix, int width) {
    /** Characters that a prefix has at most. */
    public static final int PREFIX_LENGTH_MAX = 16;

    /** The greatest width: one digit less than 2^63-1 has. */
    public static final int WIDTH_MAX = 18;

    private static final Pattern PREFIX = Pattern.compile("([A-Za-z]([A-Za-z0-9_-]*[A-Za-z_-])?)?");
    private static final String WHAT = "sequence id";
    private static final int DIGITS_MAX = 19;
    private static final long MISFIT = -1;

    /**
     * Checks the components.
     *
     * @throws IllegalArgumentException if the prefix is malformed or the width out of its range
     */
    public Format {
      if (prefix.length() > PREFIX_LENGTH_MAX || !PREFIX.matcher(prefix).matches()) {
        throw new IllegalArgumentException(
            "malformed prefix "
                + Quoted.of(prefix)
                + ": expected at most "
                + PREFIX_LENGTH_MAX
                + " of A-Z, a-z, 0-9, '-' and '_', the first a letter and the last no digit");
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
     * Reads the canonical text of a number, and no other.
     *
     * @throws MalformedIdException if the prefix is another one, a character behind it is no ASCII
     *     digit, the number is padded to more or fewer digits than the width, or it exceeds 2^63-1
     */
    public SequenceId parse(String text) {
      return tryParse(text).orElseThrow(() -> malformed(text));
    }

    /** Reads what {@link #parse} reads; empty where it throws. */
    public Optional<SequenceId> tryParse(String text) {
      long number = text.startsWith(prefix) ? decode(text, prefix.length()) : MISFIT;
      boolean canonical = number >= 0 && text.length() == lengthOf(number);
      return canonical ? Optional.of(new SequenceId(this, number)) : Optional.empty();
    }

    /**
     * Reads what people type: with any number of leading zeros or none, the prefix in either letter
     * case, and white space around it.
     *
     * @throws MalformedIdException if it has more than 80 characters, the prefix is another one, a
     *     character behind it is no ASCII digit, or the number exceeds 2^63-1
     */
    public SequenceId parseLoosely(String text) {
      return parsePadded(LooseText.of(WHAT, text).toString());
    }

    /**
     * Reads any number of leading zeros or none, and the prefix in either letter case; no white
     * space, and a text of any length.
     *
     * @throws MalformedIdException if the prefix is another one, a character behind it is no ASCII
     *     digit, or the number exceeds 2^63-1
     */
    SequenceId parsePadded(String text) {
      long number = hasPrefix(text) ? decode(text, prefix.length()) : MISFIT;
      if (number < 0) {
        throw malformed(text);
      }
      return new SequenceId(this, number);
    }

    /** The canonical text of a number from 0 up. */
    private String write(long number) {
      String digits = Long.toString(number);
      StringBuilder text = new StringBuilder(prefix.length() + DIGITS_MAX).append(prefix);
      for (int padded = digits.length(); padded < width; padded++) {
        text.append('0');
      }
      return text.append(digits).toString();
    }

    /** How long the canonical text of a number is. */
    private int lengthOf(long number) {
      int digits = 1;
      for (long rest = number; rest > 9; rest /= 10) {
        digits++;
      }
      return prefix.length() + Math.max(width, digits);
    }

    /** Returns the number that the digits from {@code from} on write, or a misfit. */
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

    /** Takes for the prefix what stands before the last digits. */
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
        // Of ASCII: the Kelvin sign is a K in lower case.
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
