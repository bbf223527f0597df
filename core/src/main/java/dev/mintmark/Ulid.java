package dev.mintmark;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import java.io.InvalidObjectException;
import java.io.ObjectInputStream;
import java.io.Serializable;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import java.util.UUID;
import java.util.random.RandomGenerator;

/**
 * A universally unique lexicographically sortable identifier: 128 bits, the first 48 of which are
 * the time of its creation.
 *
 * <pre>
 *   bits   0                      48                                          128
 *          |      timestamp       |                 randomness                  |
 *   text   0 1 F Z G 9 6 Y P Z      K 4 S A N A G 1 Z M 5 T 2 K 9 Z
 *          48-bit milliseconds      80 bits, unpredictable unless chosen otherwise
 *          since 1970 (UTC)
 * </pre>
 *
 * <p><b>Order.</b> {@link #compareTo} compares unsigned. Values, their bytes, their canonical texts
 * and their times have the same order. Two ULIDs of the same millisecond are in random order if
 * {@link #mint} made them; an {@link #ascending} mint makes each greater than the one before.
 * {@link Mint#ofUlids} has other orders.
 *
 * <p><b>Uniqueness.</b> Within one millisecond, an even chance of a collision requires 1.3e12 ULIDs
 * in random order. {@link Order} states the random bits of the other orders.
 *
 * <p><b>Any 128 bits are a ULID</b>, also those of a UUID, see {@link #of(UUID)}. A UUIDv7 has its
 * time in the same bits.
 *
 * <p>Immutable and thread-safe.
 *
 * <pre>{@code
 * Ulid id = Ulid.parse("01FZG96YPZK4SANAG1ZM5T2K9Z");
 * id.time();    // 2022-03-31T15:23:55.999Z
 * id.toUuid();  // 017fe093-7adf-9932-aaaa-01fd0ba14d3f
 * }</pre>
 *
 * @see <a href="https://github.com/ulid/spec">The ULID specification</a>
 */
public final class Ulid implements Comparable<Ulid>, Serializable {
  /** The last millisecond that 48 bits can count: +10889-08-02T05:31:50.655Z. */
  public static final long TIME_MILLIS_MAX = 0xFFFF_FFFF_FFFFL;

  private static final long serialVersionUID = 1L;

  private static final int BYTES = 16;
  private static final int RANDOMNESS_BYTES = 10;
  private static final int TIMESTAMP_SHIFT = 16;

  private final long high;
  private final long low;

  private Ulid(long high, long low) {
    this.high = high;
    this.low = low;
  }

  /**
   * Reads the 26 characters of a ULID, in either letter case.
   *
   * @throws MalformedIdException if there are not 26, one is not of Crockford's base 32 (I, L, O
   *     and U are not), or the first is above 7
   */
  public static Ulid parse(String text) {
    return Crockford32.parse(text);
  }

  /**
   * Reads what {@link #parse(String)} reads. Called by frameworks that look for a factory of this
   * name: Spring's conversion service, JAX-RS, MicroProfile Config and Jackson.
   *
   * @throws MalformedIdException as {@link #parse(String)} throws it
   */
  @JsonCreator
  public static Ulid valueOf(String text) {
    return parse(text);
  }

  /** Reads what {@link #parse} reads; empty if it throws. */
  public static Optional<Ulid> tryParse(String text) {
    return Crockford32.decode(text);
  }

  /**
   * Reads a ULID as people type it, in either letter case. White space around it and hyphens are
   * ignored; I and L are read as 1 and O as 0, as in <a
   * href="https://www.crockford.com/base32.html">Crockford's base 32</a>.
   *
   * @throws MalformedIdException if there are not 26 such characters without hyphens, the first is
   *     above 7, or the text has more than {@value LooseText#LENGTH_MAX} characters
   */
  public static Ulid parseLoosely(String text) {
    LooseText loose = LooseText.of("ULID", text);
    return tryParse(Crockford32.withoutLookalikes(loose.digits()))
        .orElseThrow(
            () ->
                loose.malformed(
                    Crockford32.LENGTH, Crockford32::isLooseDigit, "Crockford base 32"));
  }

  /** Returns the ULID of the same 128 bits, for a UUID of any version. */
  public static Ulid of(UUID uuid) {
    return new Ulid(uuid.getMostSignificantBits(), uuid.getLeastSignificantBits());
  }

  /** Returns the ULID of these bits, the more significant half first. */
  public static Ulid of(long mostSignificantBits, long leastSignificantBits) {
    return new Ulid(mostSignificantBits, leastSignificantBits);
  }

  /**
   * Reads 16 bytes, the most significant first.
   *
   * @throws MalformedIdException if there are not 16
   */
  public static Ulid fromBytes(byte[] bytes) {
    if (bytes.length != BYTES) {
      throw new MalformedIdException(
          "malformed ULID: it has " + bytes.length + " bytes: expected " + BYTES);
    }
    ByteBuffer buffer = ByteBuffer.wrap(bytes);
    return new Ulid(buffer.getLong(), buffer.getLong());
  }

  /**
   * Makes a ULID of the present time and of randomness from the caller.
   *
   * @throws MalformedIdException if there are not 10 bytes
   */
  public static Ulid fromRandomness(byte[] randomness) {
    return fromRandomness(InstantSource.system().instant(), randomness);
  }

  /**
   * Makes a ULID of a time, truncated to its millisecond, and of randomness from the caller.
   *
   * @throws MalformedIdException if there are not 10 bytes
   * @throws IllegalArgumentException if the time is before 1970 or after {@link #TIME_MILLIS_MAX}
   */
  public static Ulid fromRandomness(Instant time, byte[] randomness) {
    if (randomness.length != RANDOMNESS_BYTES) {
      throw new MalformedIdException(
          "malformed randomness: it has "
              + randomness.length
              + " bytes: expected "
              + RANDOMNESS_BYTES);
    }
    ByteBuffer buffer = ByteBuffer.wrap(randomness);
    Ulid random = new Ulid(buffer.getShort(), buffer.getLong());
    return MillisecondLayout.ULID.random(MillisecondLayout.millis(time), random);
  }

  /**
   * Makes a ULID that is in random order among those of its millisecond; for ULIDs that ascend,
   * keep the mint of {@link #ascending()}. It has the system's time and 80 bits of {@link
   * Entropy#strong}. Do not use it for rows that are read in pages by minted id: an id that is
   * minted before the first statement of its transaction is older than the transaction, and readers
   * lose the row. Have the server mint it: the default of the column, or {@code ServerMint} of the
   * postgres module.
   */
  public static Ulid mint() {
    return mint(InstantSource.system(), Entropy.strong());
  }

  /**
   * Makes a ULID that is in random order among those of its millisecond, of the clock's time and 80
   * bits of entropy; for ULIDs that ascend, keep the mint of {@link #ascending(InstantSource,
   * RandomGenerator)}. An id that leaves the process needs cryptographically strong entropy.
   * Threads may share the entropy only if it is thread-safe.
   *
   * @throws IllegalArgumentException if the clock is before 1970 or after {@link #TIME_MILLIS_MAX}
   */
  public static Ulid mint(InstantSource clock, RandomGenerator entropy) {
    long now = MillisecondLayout.now(clock);
    return MillisecondLayout.ULID.random(now, Entropy.draw80(entropy, clock, now));
  }

  /**
   * Makes a ULID of a time, truncated to its millisecond, and 80 bits of {@link Entropy#strong}:
   * for rows that are older than their identifiers. Two of the same millisecond are in random
   * order.
   *
   * @throws IllegalArgumentException if the time is before 1970 or after {@link #TIME_MILLIS_MAX}
   */
  public static Ulid mint(Instant time) {
    return MillisecondLayout.ULID.random(
        MillisecondLayout.millis(time), Entropy.draw80(Entropy.strong()));
  }

  /** Returns a mint of ascending ULIDs, of the system's clock and {@link Entropy#strong}. */
  public static Mint<Ulid> ascending() {
    return Mint.ofUlids(Order.ASCENDING);
  }

  /** Returns a mint of ascending ULIDs, of the given clock and entropy. */
  public static Mint<Ulid> ascending(InstantSource clock, RandomGenerator entropy) {
    return Mint.ofUlids(Order.ASCENDING, MintOptions.DEFAULT.withClock(clock).withEntropy(entropy));
  }

  /**
   * The least ULID of the instant's millisecond.
   *
   * @throws IllegalArgumentException if the time is before 1970 or after {@link #TIME_MILLIS_MAX}
   */
  public static Ulid min(Instant time) {
    return MillisecondLayout.ULID.min(MillisecondLayout.millis(time));
  }

  /**
   * The greatest ULID of the instant's millisecond.
   *
   * @throws IllegalArgumentException if the time is before 1970 or after {@link #TIME_MILLIS_MAX}
   */
  public static Ulid max(Instant time) {
    return MillisecondLayout.ULID.max(MillisecondLayout.millis(time));
  }

  /**
   * The ULIDs of all instants from {@code from}, inclusive, to {@code to}, exclusive, truncated to
   * milliseconds.
   *
   * @throws IllegalArgumentException if {@code from} is not before {@code to}, or one of them is
   *     before 1970 or too late for a ULID
   */
  public static IdRange<Ulid> range(Instant from, Instant to) {
    return IdRange.of(from, to, Ulid::min, Ulid::max);
  }

  /** The time in the first 48 bits, in whole milliseconds. */
  public Instant time() {
    return Instant.ofEpochMilli(timeMillis());
  }

  /** The first 48 bits, milliseconds since 1970: 0 to {@link #TIME_MILLIS_MAX}. */
  public long timeMillis() {
    return high >>> TIMESTAMP_SHIFT;
  }

  /** Bits 0 to 63. */
  public long mostSignificantBits() {
    return high;
  }

  /** Bits 64 to 127. */
  public long leastSignificantBits() {
    return low;
  }

  /** Returns the UUID of the same 128 bits; its version and variant may be undefined. */
  public UUID toUuid() {
    return new UUID(high, low);
  }

  /** Returns the 16 bytes, the most significant first, in a new array. */
  public byte[] toBytes() {
    return ByteBuffer.allocate(BYTES).putLong(high).putLong(low).array();
  }

  /**
   * Writes this id in the given form.
   *
   * @throws IllegalArgumentException for {@link Form#PURI}, which requires a collection
   */
  public String to(Form form) {
    return form.write(this);
  }

  /** Compares as unsigned numbers, and so by time first. */
  @Override
  public int compareTo(Ulid other) {
    int byHigh = Long.compareUnsigned(high, other.high);
    return byHigh != 0 ? byHigh : Long.compareUnsigned(low, other.low);
  }

  @Override
  public boolean equals(Object o) {
    return o instanceof Ulid ulid && ulid.high == high && ulid.low == low;
  }

  @Override
  public int hashCode() {
    return Long.hashCode(high ^ low);
  }

  /** The canonical text: 26 characters, upper case. */
  @Override
  @JsonValue
  public String toString() {
    return Crockford32.encode(high, low);
  }

  /** The 128 bits as an unsigned number. */
  BigInteger toBigInteger() {
    return new BigInteger(1, toBytes());
  }

  /** Returns the ULID of a number from 0 to 2^128-1. */
  static Ulid from(BigInteger number) {
    return new Ulid(number.shiftRight(Long.SIZE).longValue(), number.longValue());
  }

  /** Serializes a {@link SerializationProxy} instead of this. */
  private Object writeReplace() {
    return SerializationProxy.of(this);
  }

  private void readObject(ObjectInputStream stream) throws InvalidObjectException {
    throw SerializationProxy.required();
  }
}
