package dev.mintmark;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import java.io.InvalidObjectException;
import java.io.ObjectInputStream;
import java.io.Serializable;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import java.util.UUID;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * A UUID after the name of its type: {@code user_01h455vb4pex5vsknk084sn02q}.
 *
 * <pre>
 *   user        _          01h455vb4pex5vsknk084sn02q
 *   prefix      separator  128 bits, mostly of a UUIDv7, in 26 digits of Crockford's base 32
 *   0 to 63 of  none if    lower case only, the first at most 7
 *   a-z and _   no prefix
 * </pre>
 *
 * <p>A prefix neither starts nor ends with {@code _}.
 *
 * <p><b>Order.</b> {@link #compareTo} compares the prefixes, then the 128 bits unsigned. Values and
 * their texts have the same order. With one prefix and UUIDv7, it is the order of time.
 *
 * <p><b>Uniqueness</b> is that of the UUID.
 *
 * <p>Immutable and thread-safe.
 *
 * <pre>{@code
 * TypeId id = TypeId.parse("user", "user_01h455vb4pex5vsknk084sn02q");
 * id.uuid();  // 01890a5d-ac96-774b-bcce-b302099a8057
 * id.time();  // 2023-06-30T03:34:18.518Z, in an Optional
 * TypeId.parse("order", id.toString());
 * // malformed TypeID "user_01h...": expected prefix "order", found "user"
 * }</pre>
 *
 * @see <a href="https://github.com/jetify-com/typeid/tree/main/spec">The TypeID specification,
 *     version 0.3</a>
 */
public final class TypeId implements Comparable<TypeId>, Serializable {
  /** The most characters of a prefix. */
  public static final int PREFIX_LENGTH_MAX = 63;

  private static final long serialVersionUID = 1L;

  private static final String WHAT = "TypeID";
  private static final char SEPARATOR = '_';

  private final String prefix;
  private final long high;
  private final long low;

  private TypeId(String prefix, Ulid bits) {
    this(prefix, bits.mostSignificantBits(), bits.leastSignificantBits());
  }

  private TypeId(String prefix, long high, long low) {
    this.prefix = prefix;
    this.high = high;
    this.low = low;
  }

  /**
   * Returns the TypeID of a UUID of any version.
   *
   * @throws IllegalArgumentException if the prefix is malformed
   */
  public static TypeId of(String prefix, UUID uuid) {
    return new TypeId(
        checkPrefix(prefix), uuid.getMostSignificantBits(), uuid.getLeastSignificantBits());
  }

  /**
   * Makes a TypeID of a new UUIDv7, in random order among those of its millisecond; for TypeIDs
   * that ascend, keep a mint: {@code Mint.of(IdType.typeIds(prefix),
   * MintSettings.NONE.withOrder(Order.ASCENDING), MintOptions.DEFAULT)}.
   *
   * @throws IllegalArgumentException if the prefix is malformed
   */
  public static TypeId mint(String prefix) {
    return of(prefix, Uuids.mintV7());
  }

  /**
   * Makes a TypeID of a UUIDv7 with the clock's time and 74 bits of entropy.
   *
   * @throws IllegalArgumentException if the prefix is malformed, or the clock is before 1970 or
   *     after {@link Ulid#TIME_MILLIS_MAX}
   */
  public static TypeId mint(String prefix, InstantSource clock, RandomGenerator entropy) {
    return of(prefix, Uuids.mintV7(clock, entropy));
  }

  /**
   * Reads a TypeID of any type.
   *
   * @throws MalformedIdException if the prefix is malformed, or it is not followed by 26 digits of
   *     base 32 in lower case, the first at most 7
   */
  public static TypeId parse(String text) {
    TypeId id = parsed(text);
    if (id == null) {
      throw malformed(text);
    }
    return id;
  }

  /**
   * Reads a TypeID of one type and rejects all others.
   *
   * @param expectedPrefix the type; may be empty
   * @throws MalformedIdException if {@link #parse(String)} throws it, or the prefix differs
   */
  public static TypeId parse(String expectedPrefix, String text) {
    TypeId id = parse(text);
    if (!id.prefix.equals(expectedPrefix)) {
      throw Malformed.because(
          WHAT,
          text,
          "expected "
              + (expectedPrefix.isEmpty() ? "no prefix" : "prefix " + Quoted.of(expectedPrefix))
              + ", found "
              + (id.prefix.isEmpty() ? "none" : Quoted.of(id.prefix)));
    }
    return id;
  }

  /**
   * Reads what {@link #parse(String)} reads. Called by frameworks that look for a factory of this
   * name: Spring's conversion service, JAX-RS, MicroProfile Config and Jackson.
   *
   * @throws MalformedIdException as {@link #parse(String)} throws it
   */
  @JsonCreator
  public static TypeId valueOf(String text) {
    return parse(text);
  }

  /** Reads what {@link #parse(String)} reads; empty if it throws. */
  public static Optional<TypeId> tryParse(String text) {
    return Optional.ofNullable(parsed(text));
  }

  private static @Nullable TypeId parsed(String text) {
    int suffix = text.length() - Crockford32.LENGTH;
    if (suffix < 0 || suffix == 1 || suffix > PREFIX_LENGTH_MAX + 1) {
      return null;
    }
    int separator = suffix - 1;
    boolean hasPrefix = suffix > 0;
    if (hasPrefix && (text.charAt(separator) != SEPARATOR || !isPrefix(text, separator))) {
      return null;
    }
    Ulid bits = Crockford32.decodeLower(text, suffix);
    if (bits == null) {
      return null;
    }
    return new TypeId(hasPrefix ? text.substring(0, separator) : "", bits);
  }

  /**
   * The least TypeID of a UUIDv7 of the instant's millisecond.
   *
   * @throws IllegalArgumentException if the prefix is malformed, or the time is before 1970 or
   *     after {@link Ulid#TIME_MILLIS_MAX}
   */
  public static TypeId min(String prefix, Instant time) {
    return of(prefix, Uuids.minV7(time));
  }

  /**
   * The greatest TypeID of a UUIDv7 of the instant's millisecond.
   *
   * @throws IllegalArgumentException as {@link #min} does
   */
  public static TypeId max(String prefix, Instant time) {
    return of(prefix, Uuids.maxV7(time));
  }

  /**
   * The TypeIDs of a UUIDv7 of all instants from {@code from}, inclusive, to {@code to}, exclusive,
   * truncated to milliseconds.
   *
   * @throws IllegalArgumentException if {@code from} is not before {@code to}, or as {@link #min}
   *     does
   */
  public static IdRange<TypeId> range(String prefix, Instant from, Instant to) {
    return IdRange.of(from, to, time -> min(prefix, time), time -> max(prefix, time));
  }

  /** The name of the type; empty if it has none. */
  public String prefix() {
    return prefix;
  }

  /** The UUID of the same 128 bits. */
  public UUID uuid() {
    return new UUID(high, low);
  }

  /** The time of the UUID; empty if its version has none, see {@link Uuids#time}. */
  public Optional<Instant> time() {
    return Uuids.time(uuid());
  }

  /** Compares by prefix, then by the 128 bits as unsigned numbers. */
  @Override
  public int compareTo(TypeId other) {
    int byPrefix = prefix.compareTo(other.prefix);
    if (byPrefix != 0) {
      return byPrefix;
    }
    int byHigh = Long.compareUnsigned(high, other.high);
    return byHigh != 0 ? byHigh : Long.compareUnsigned(low, other.low);
  }

  @Override
  public boolean equals(Object o) {
    return o instanceof TypeId id && id.high == high && id.low == low && id.prefix.equals(prefix);
  }

  @Override
  public int hashCode() {
    return 31 * prefix.hashCode() + Long.hashCode(high ^ low);
  }

  /** The canonical text, which is the only one. */
  @Override
  @JsonValue
  public String toString() {
    int suffix = prefix.isEmpty() ? 0 : prefix.length() + 1;
    byte[] text = new byte[suffix + Crockford32.LENGTH];
    for (int i = 0; i < prefix.length(); i++) {
      text[i] = (byte) prefix.charAt(i);
    }
    if (suffix > 0) {
      text[suffix - 1] = SEPARATOR;
    }
    Crockford32.encodeLower(high, low, text, suffix);
    return new String(text, StandardCharsets.ISO_8859_1);
  }

  /**
   * Returns {@code prefix} if it is well formed.
   *
   * @throws IllegalArgumentException if it is malformed
   */
  static String checkPrefix(String prefix) {
    boolean fits =
        prefix.isEmpty()
            || (prefix.length() <= PREFIX_LENGTH_MAX && isPrefix(prefix, prefix.length()));
    if (!fits) {
      throw new IllegalArgumentException(
          "malformed prefix "
              + Quoted.of(prefix)
              + ": expected at most "
              + PREFIX_LENGTH_MAX
              + " of a-z and '_', the first and the last a letter");
    }
    return prefix;
  }

  /** Whether the characters before {@code end}, at least one, form a prefix. */
  private static boolean isPrefix(String text, int end) {
    for (int i = 0; i < end; i++) {
      char c = text.charAt(i);
      if (!isLetter(c) && c != SEPARATOR) {
        return false;
      }
    }
    return isLetter(text.charAt(0)) && isLetter(text.charAt(end - 1));
  }

  private static boolean isLetter(char c) {
    return c >= 'a' && c <= 'z';
  }

  private static MalformedIdException malformed(String text) {
    // A digit is never a '_': the last '_' separates the prefix from the suffix.
    int separator = text.lastIndexOf(SEPARATOR);
    if (separator >= 0) {
      Optional<MalformedIdException> fault = prefixFault(text, separator);
      if (fault.isPresent()) {
        return fault.get();
      }
    }
    int suffix = separator + 1;
    int digits = text.length() - suffix;
    if (digits != Crockford32.LENGTH) {
      return Malformed.because(
          WHAT,
          text,
          "it has "
              + Malformed.characters(digits)
              + (separator < 0 ? "" : " after the prefix")
              + ": expected "
              + Crockford32.LENGTH);
    }
    return Crockford32.malformedLower(WHAT, text, suffix);
  }

  /** Returns the error of the prefix that ends before {@code separator}; empty if it is valid. */
  private static Optional<MalformedIdException> prefixFault(String text, int separator) {
    if (separator == 0) {
      return fault(text, "it starts with '_': without a prefix there is no separator");
    }
    if (separator > PREFIX_LENGTH_MAX) {
      return fault(
          text,
          "its prefix has " + separator + " characters: expected at most " + PREFIX_LENGTH_MAX);
    }
    for (int i = 0; i < separator; i++) {
      char c = text.charAt(i);
      if (!isLetter(c) && c != SEPARATOR) {
        return Optional.of(Malformed.character(WHAT, text, i, "a-z or '_', as in a prefix"));
      }
    }
    if (text.charAt(0) == SEPARATOR) {
      return fault(text, "its prefix starts with '_'");
    }
    return text.charAt(separator - 1) == SEPARATOR
        ? fault(text, "its prefix ends with '_'")
        : Optional.empty();
  }

  private static Optional<MalformedIdException> fault(String text, String why) {
    return Optional.of(Malformed.because(WHAT, text, why));
  }

  /** Serializes a {@link SerializationProxy} instead of this. */
  private Object writeReplace() {
    return SerializationProxy.of(this);
  }

  private void readObject(ObjectInputStream stream) throws InvalidObjectException {
    throw SerializationProxy.required();
  }
}
