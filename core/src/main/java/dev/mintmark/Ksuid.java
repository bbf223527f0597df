package dev.mintmark;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import dev.mintmark.Digits.Alphabet;
import dev.mintmark.Digits.Padding;
import java.io.InvalidObjectException;
import java.io.ObjectInputStream;
import java.io.Serializable;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import java.util.random.RandomGenerator;

/**
 * A K-sortable unique identifier: 160 bits, of which the first 32 are the second of its creation
 * and the others random, written in base 62.
 *
 * <pre>
 *   0ujtsYcgvSTl8PAuAdqWYSMnLOv
 *
 *   bits   0                32                                          160
 *          |   timestamp    |                  payload                   |
 *          seconds since     128 random bits
 *          2014-05-13T16:53:20Z, until 2150
 * </pre>
 *
 * <p><b>Order.</b> {@link #compareTo} compares unsigned. Values, bytes, texts and times have the
 * same order; texts only if they are compared by byte, as PostgreSQL does with {@code collate "C"}.
 * Two KSUIDs of one second are in random order. Letter case is significant.
 *
 * <p><b>Uniqueness.</b> Within one second, an even chance of a collision requires 2.2e19 KSUIDs.
 *
 * <p>Immutable and thread-safe.
 *
 * <pre>{@code
 * Ksuid id = Ksuid.parse("0ujtsYcgvSTl8PAuAdqWYSMnLOv");
 * id.time();   // 2017-10-10T04:00:47Z
 * Ksuid.mint();
 * }</pre>
 *
 * @see <a href="https://github.com/segmentio/ksuid">segmentio/ksuid</a>
 */
public final class Ksuid implements Comparable<Ksuid>, Serializable {
  private static final long serialVersionUID = 1L;

  private static final String WHAT = "KSUID";

  static final Digits DIGITS =
      new Digits(Alphabet.BASE62, Base62.LENGTH, Base62.BYTES * Byte.SIZE, Padding.BEFORE);

  private final int seconds;
  private final long high;
  private final long low;

  private Ksuid(int seconds, long high, long low) {
    this.seconds = seconds;
    this.high = high;
    this.low = low;
  }

  private static Ksuid of(int seconds, Ulid payload) {
    return new Ksuid(seconds, payload.mostSignificantBits(), payload.leastSignificantBits());
  }

  /**
   * Reads 27 digits of base 62. Letter case is significant.
   *
   * @throws MalformedIdException if there are not 27 digits and letters of ASCII, or they exceed
   *     160 bits: {@code aWgEPTl1tmebfsQzFP4bxwgy80V} is the last
   */
  public static Ksuid parse(String text) {
    return tryParse(text).orElseThrow(() -> malformed(text));
  }

  /**
   * Reads what {@link #parse(String)} reads. Called by frameworks that look for a factory of this
   * name: Spring's conversion service, JAX-RS, MicroProfile Config and Jackson.
   *
   * @throws MalformedIdException as {@link #parse(String)} throws it
   */
  @JsonCreator
  public static Ksuid valueOf(String text) {
    return parse(text);
  }

  /** Reads what {@link #parse} reads; empty if it throws. */
  public static Optional<Ksuid> tryParse(String text) {
    return Base62.decode(text).map(Ksuid::fromBytes);
  }

  /**
   * Returns the KSUID of 20 bytes, the most significant first.
   *
   * @throws IllegalArgumentException if there are not 20
   */
  public static Ksuid fromBytes(byte[] bytes) {
    if (bytes.length != Base62.BYTES) {
      throw new IllegalArgumentException(
          "KSUID of " + bytes.length + " bytes: expected " + Base62.BYTES);
    }
    ByteBuffer in = ByteBuffer.wrap(bytes);
    return new Ksuid(in.getInt(), in.getLong(), in.getLong());
  }

  /** Makes a KSUID of the present second and 128 bits of {@link Entropy#strong}. */
  public static Ksuid mint() {
    return mint(InstantSource.system(), Entropy.strong());
  }

  /**
   * Makes a KSUID of the clock's second and 128 bits of the given entropy.
   *
   * @throws IllegalArgumentException if the time is before 2014-05-13T16:53:20Z or after 2150-06-19
   */
  public static Ksuid mint(InstantSource clock, RandomGenerator entropy) {
    return of(UnixSeconds.SINCE_2014.at(clock.instant()), Entropy.draw128(entropy));
  }

  /**
   * Makes a KSUID of a time, truncated to its second, for rows that are older than their
   * identifiers.
   *
   * @throws IllegalArgumentException if the time is before 2014-05-13T16:53:20Z or after 2150-06-19
   */
  public static Ksuid mint(Instant time) {
    return mint(InstantSource.fixed(time), Entropy.strong());
  }

  /**
   * The least KSUID of the instant's second.
   *
   * @throws IllegalArgumentException if the time is before 2014-05-13T16:53:20Z or after 2150-06-19
   */
  public static Ksuid min(Instant time) {
    return new Ksuid(UnixSeconds.SINCE_2014.at(time), 0, 0);
  }

  /**
   * The greatest KSUID of the instant's second.
   *
   * @throws IllegalArgumentException if the time is before 2014-05-13T16:53:20Z or after 2150-06-19
   */
  public static Ksuid max(Instant time) {
    return new Ksuid(UnixSeconds.SINCE_2014.at(time), -1, -1);
  }

  /**
   * The KSUIDs of all instants from {@code from}, inclusive, to {@code to}, exclusive, truncated to
   * seconds.
   *
   * @throws IllegalArgumentException if {@code from} is not before {@code to}, or one of them is
   *     out of range; {@code to} may be its end
   */
  public static IdRange<Ksuid> range(Instant from, Instant to) {
    return IdRange.of(from, to, Ksuid::min, Ksuid::max);
  }

  /** The second of its creation. */
  public Instant time() {
    return UnixSeconds.SINCE_2014.time(seconds);
  }

  /** Returns the 20 bytes, the most significant first, in a new array. */
  public byte[] toBytes() {
    return ByteBuffer.allocate(Base62.BYTES).putInt(seconds).putLong(high).putLong(low).array();
  }

  /** Compares as unsigned numbers, and so by time first. */
  @Override
  public int compareTo(Ksuid other) {
    int bySeconds = Integer.compareUnsigned(seconds, other.seconds);
    if (bySeconds != 0) {
      return bySeconds;
    }
    int byHigh = Long.compareUnsigned(high, other.high);
    return byHigh != 0 ? byHigh : Long.compareUnsigned(low, other.low);
  }

  @Override
  public boolean equals(Object o) {
    return o instanceof Ksuid id && id.seconds == seconds && id.high == high && id.low == low;
  }

  @Override
  public int hashCode() {
    return Long.hashCode(high ^ low) ^ seconds;
  }

  /** The 27 digits. */
  @Override
  @JsonValue
  public String toString() {
    return Base62.encode(toBytes());
  }

  private static MalformedIdException malformed(String text) {
    return DIGITS.malformed(WHAT, text, "a digit of base 62", "it exceeds 160 bits");
  }

  /** Serializes a {@link SerializationProxy} instead of this. */
  private Object writeReplace() {
    return SerializationProxy.of(this);
  }

  private void readObject(ObjectInputStream stream) throws InvalidObjectException {
    throw SerializationProxy.required();
  }
}
