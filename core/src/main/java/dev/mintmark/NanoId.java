package dev.mintmark;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import java.io.InvalidObjectException;
import java.io.ObjectInputStream;
import java.io.Serializable;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Optional;
import java.util.random.RandomGenerator;

/**
 * A text of random characters, as made by the nanoid libraries: {@code V1StGXR8_Z5jdHi6B-myT}.
 *
 * <pre>
 *   default   21 characters of A-Z a-z 0-9 _ -   6 bits each, 126 random bits
 *   any       1 to 255 characters of an alphabet of 2 to 94, see {@link Format}
 * </pre>
 *
 * <p><b>Uniqueness.</b> With 126 bits, an even chance of a collision requires 1.1e19 identifiers;
 * {@link Format#collisionOdds} computes it for other formats.
 *
 * <p><b>Order.</b> None: the text does not depend on the time. Letter case is significant.
 *
 * <p>Immutable and thread-safe.
 *
 * <pre>{@code
 * NanoId id = NanoId.mint();
 * NanoId.parse("V1StGXR8_Z5jdHi6B-myT");
 *
 * NanoId.Format vouchers = NanoId.Format.of("23456789ABCDEFGHJKLMNPQRSTUVWXYZ", 8);
 * vouchers.mint();             // 4WHXN7PJ, say
 * vouchers.randomBits();       // 40.0
 * }</pre>
 *
 * @see <a href="https://github.com/ai/nanoid">nanoid</a>
 */
public final class NanoId implements Serializable {
  private static final long serialVersionUID = 1L;

  private final String text;

  private NanoId(String text) {
    this.text = text;
  }

  /** Makes one in {@link Format#DEFAULT}, of 126 bits of {@link Entropy#strong}. */
  public static NanoId mint() {
    return Format.DEFAULT.mint();
  }

  /**
   * Reads one in {@link Format#DEFAULT}.
   *
   * @throws MalformedIdException if there are not 21 characters of {@code A-Z a-z 0-9 _ -}
   */
  public static NanoId parse(String text) {
    return Format.DEFAULT.parse(text);
  }

  /**
   * Reads what {@link #parse(String)} reads: {@link Format#DEFAULT} and no other format. Called by
   * frameworks that look for a factory of this name: Spring's conversion service, JAX-RS,
   * MicroProfile Config and Jackson.
   *
   * @throws MalformedIdException as {@link #parse(String)} throws it
   */
  @JsonCreator
  public static NanoId valueOf(String text) {
    return parse(text);
  }

  /** Reads what {@link #parse} reads; empty if it throws. */
  public static Optional<NanoId> tryParse(String text) {
    return Format.DEFAULT.tryParse(text);
  }

  @Override
  public boolean equals(Object o) {
    return o instanceof NanoId id && id.text.equals(text);
  }

  @Override
  public int hashCode() {
    return text.hashCode();
  }

  /** The characters. */
  @Override
  @JsonValue
  public String toString() {
    return text;
  }

  /**
   * Reads an identifier of any possible format.
   *
   * @throws MalformedIdException if there are not 1 to {@value Format#LENGTH_MAX} letters, digits
   *     and signs of ASCII
   */
  static NanoId ofAnyFormat(String text) {
    if (text.isEmpty() || text.length() > Format.LENGTH_MAX) {
      throw Malformed.because(
          Format.WHAT,
          text,
          "it has " + text.length() + " characters: expected 1 to " + Format.LENGTH_MAX);
    }
    for (int i = 0; i < text.length(); i++) {
      if (!Format.isSign(text.charAt(i))) {
        throw Malformed.character(Format.WHAT, text, i, "a letter, digit or sign of ASCII");
      }
    }
    return new NanoId(text);
  }

  /** Serializes a {@link SerializationProxy} instead of this. */
  private Object writeReplace() {
    return SerializationProxy.of(this);
  }

  private void readObject(ObjectInputStream stream) throws InvalidObjectException {
    throw SerializationProxy.required();
  }

  /**
   * An alphabet and a length. Immutable; make one and keep it.
   *
   * <p><b>No bias.</b> Each character takes as many random bits as the alphabet needs. If they
   * exceed its size, they are drawn again, so all characters are equally likely. The remainder of a
   * division would favour the first characters of an alphabet whose size is not a power of two.
   */
  public static final class Format {
    /** The fewest characters of an alphabet: with one, all identifiers would be equal. */
    public static final int ALPHABET_MIN = 2;

    /** The most characters of an alphabet: all printable ASCII except the space. */
    public static final int ALPHABET_MAX = 94;

    /** The greatest length. */
    public static final int LENGTH_MAX = 255;

    /** 21 characters of {@code A-Z a-z 0-9 _ -}, which need no escape in a URL. */
    public static final Format DEFAULT =
        of("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-", 21);

    private static final String WHAT = "NanoID";

    /** The surplus of random bytes over the average need, so that one draw usually suffices. */
    private static final double SURPLUS = 1.6;

    private final byte[] alphabet;
    private final int length;

    /** Whether each ASCII character is in the alphabet. */
    private final boolean[] known;

    /** The bits of a random byte that are used: the fewest that can index the alphabet. */
    private final int mask;

    /** Random bytes drawn at once. */
    private final int step;

    private Format(byte[] alphabet, boolean[] known, int length) {
      this.alphabet = alphabet;
      this.known = known;
      this.length = length;
      mask = (Integer.highestOneBit(alphabet.length - 1) << 1) - 1;
      boolean allBytesFit = mask + 1 == alphabet.length;
      step =
          allBytesFit ? length : (int) Math.ceil(SURPLUS * (mask + 1) * length / alphabet.length);
    }

    /**
     * Returns the format of these characters, each once, and this length.
     *
     * @param alphabet {@value #ALPHABET_MIN} to {@value #ALPHABET_MAX} different characters, each a
     *     letter, digit or sign of ASCII ({@code !} to {@code ~})
     * @param length 1 to {@value #LENGTH_MAX}
     * @throws IllegalArgumentException if the alphabet or the length is invalid
     */
    public static Format of(String alphabet, int length) {
      if (alphabet.length() < ALPHABET_MIN || alphabet.length() > ALPHABET_MAX) {
        throw new IllegalArgumentException(
            "alphabet "
                + Quoted.of(alphabet)
                + ": it has "
                + Malformed.characters(alphabet.length())
                + ": expected "
                + ALPHABET_MIN
                + " to "
                + ALPHABET_MAX);
      }
      boolean[] known = new boolean[128];
      for (int i = 0; i < alphabet.length(); i++) {
        char c = alphabet.charAt(i);
        if (!isSign(c)) {
          throw unfit(alphabet, i, "is not a letter, digit or sign of ASCII");
        }
        if (known[c]) {
          throw unfit(alphabet, i, "is repeated");
        }
        known[c] = true;
      }
      if (length < 1 || length > LENGTH_MAX) {
        throw new IllegalArgumentException("length " + length + ": expected 1 to " + LENGTH_MAX);
      }
      return new Format(alphabet.getBytes(StandardCharsets.US_ASCII), known, length);
    }

    /** Whether it is printable ASCII and not a space. */
    private static boolean isSign(char c) {
      return c >= '!' && c <= '~';
    }

    private static IllegalArgumentException unfit(String alphabet, int index, String why) {
      return new IllegalArgumentException(
          "alphabet "
              + Quoted.of(alphabet)
              + ": "
              + Malformed.character(alphabet, index)
              + " "
              + why);
    }

    /** The alphabet: each character once. */
    public String alphabet() {
      return new String(alphabet, StandardCharsets.US_ASCII);
    }

    /** The number of characters of an identifier. */
    public int length() {
      return length;
    }

    /** The random bits of an identifier: the length times log2 of the size of the alphabet. */
    public double randomBits() {
      return length * (Math.log(alphabet.length) / Math.log(2));
    }

    /**
     * The probability that two of {@code count} identifiers are equal: 0.0 to 1.0. It is <i>1 -
     * e<sup>-n(n-1)/2N</sup></i> for <i>n</i> of <i>N</i> possible ones, the usual approximation of
     * the birthday problem.
     *
     * @param count the number of identifiers
     * @throws IllegalArgumentException if the count is negative
     */
    public double collisionOdds(long count) {
      if (count < 0) {
        throw new IllegalArgumentException("count " + count + ": expected 0 or more");
      }
      double possible = Math.pow(alphabet.length, length);
      return count > possible ? 1 : -Math.expm1(-0.5 * count * (count - 1.0) / possible);
    }

    /** Makes one of {@link Entropy#strong}. */
    public NanoId mint() {
      return mint(Entropy.strong());
    }

    /**
     * Makes one of this entropy, which must be cryptographically strong if the identifier must not
     * be guessable.
     */
    public NanoId mint(RandomGenerator entropy) {
      byte[] text = new byte[length];
      byte[] drawn = new byte[step];
      int filled = 0;
      while (filled < length) {
        entropy.nextBytes(drawn);
        for (int i = 0; i < step && filled < length; i++) {
          int index = drawn[i] & mask;
          if (index < alphabet.length) {
            text[filled++] = alphabet[index];
          }
        }
      }
      return new NanoId(new String(text, StandardCharsets.ISO_8859_1));
    }

    /**
     * Reads an identifier of this format; letter case is significant.
     *
     * @throws MalformedIdException if it has another length, or a character that is not in the
     *     alphabet
     */
    public NanoId parse(String text) {
      return tryParse(text).orElseThrow(() -> malformed(text));
    }

    /** Reads what {@link #parse} reads; empty if it throws. */
    public Optional<NanoId> tryParse(String text) {
      boolean fits = text.length() == length && firstUnknown(text) == length;
      return fits ? Optional.of(new NanoId(text)) : Optional.empty();
    }

    private MalformedIdException malformed(String text) {
      if (text.length() != length) {
        return Malformed.length(WHAT, text, length);
      }
      return Malformed.character(WHAT, text, firstUnknown(text), "of " + Quoted.of(alphabet()));
    }

    private int firstUnknown(String text) {
      int i = 0;
      while (i < text.length() && text.charAt(i) < known.length && known[text.charAt(i)]) {
        i++;
      }
      return i;
    }

    @Override
    public boolean equals(Object o) {
      return o instanceof Format other
          && other.length == length
          && Arrays.equals(other.alphabet, alphabet);
    }

    @Override
    public int hashCode() {
      return 31 * Arrays.hashCode(alphabet) + length;
    }

    /** Returns a description: {@code 21 of "ABC..."}. */
    @Override
    public String toString() {
      return length + " of " + Quoted.of(alphabet());
    }
  }
}
