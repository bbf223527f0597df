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
import java.util.HexFormat;
import java.util.Optional;

/**
 * An identifier of MongoDB: 96 bits in 24 hexadecimal digits.
 *
 * <pre>
 *   507f1f77bcf86cd799439011
 *
 *   bits   0           32                         72          96
 *          | timestamp |          random          |  counter  |
 *          seconds      of the process             from a random start
 *          since 1970, until 2106
 * </pre>
 *
 * <p><b>Order.</b> {@link #compareTo} compares unsigned. Values, bytes, canonical texts and times
 * have the same order. Those of one mint ascend, those of two mints have the order of their
 * seconds.
 *
 * <p><b>Uniqueness.</b> Each {@link Mint} draws the 40 bits of its process and the start of its
 * counter. Within one second, an even chance that two of a number of mints repeat an identifier
 * requires more than 1.2 million mints. A copy of a running process, as a restored checkpoint,
 * repeats its identifiers: make the mint after the copy.
 *
 * <p>Immutable and thread-safe.
 *
 * <pre>{@code
 * ObjectId id = ObjectId.parse("507f1f77bcf86cd799439011");
 * id.time();   // 2012-10-17T21:13:27Z
 * ObjectId.mint();
 * }</pre>
 *
 * @see <a href="https://www.mongodb.com/docs/manual/reference/bson-types/#objectid">MongoDB's
 *     manual</a>
 */
public final class ObjectId implements Comparable<ObjectId>, Serializable {
  private static final long serialVersionUID = 1L;

  private static final String WHAT = "ObjectId";
  private static final int BYTES = 12;
  private static final int LENGTH = 24;
  private static final int HIGH_LENGTH = 16;

  static final Digits DIGITS = new Digits(Alphabet.HEX, LENGTH, BYTES * Byte.SIZE, Padding.BEFORE);

  /** The second and the first 32 bits of the process. */
  private final long high;

  /** The last 8 bits of the process and the counter. */
  private final int low;

  private ObjectId(long high, int low) {
    this.high = high;
    this.low = low;
  }

  /** The mint of {@link #mint()}. */
  private static final class Shared {
    static final Mint<ObjectId> MINT = Mint.ofObjectIds(MintOptions.DEFAULT);
  }

  /**
   * Reads 24 hexadecimal digits, in either letter case.
   *
   * @throws MalformedIdException if there are not 24
   */
  public static ObjectId parse(String text) {
    return tryParse(text).orElseThrow(() -> malformed(text));
  }

  /**
   * Reads what {@link #parse(String)} reads. Called by frameworks that look for a factory of this
   * name: Spring's conversion service, JAX-RS, MicroProfile Config and Jackson.
   *
   * @throws MalformedIdException as {@link #parse(String)} throws it
   */
  @JsonCreator
  public static ObjectId valueOf(String text) {
    return parse(text);
  }

  /** Reads what {@link #parse} reads; empty if it throws. */
  public static Optional<ObjectId> tryParse(String text) {
    if (text.length() != LENGTH) {
      return Optional.empty();
    }
    long first = Alphabet.HEX.number(text, 0, LENGTH - HIGH_LENGTH);
    long middle = Alphabet.HEX.number(text, LENGTH - HIGH_LENGTH, HIGH_LENGTH);
    long last = Alphabet.HEX.number(text, HIGH_LENGTH, LENGTH);
    return (first | middle | last) >= 0
        ? Optional.of(new ObjectId(first << 32 | middle, (int) last))
        : Optional.empty();
  }

  /**
   * Returns the ObjectId of 12 bytes, the most significant first.
   *
   * @throws IllegalArgumentException if there are not 12
   */
  public static ObjectId fromBytes(byte[] bytes) {
    if (bytes.length != BYTES) {
      throw new IllegalArgumentException(
          "ObjectId of " + bytes.length + " bytes: expected " + BYTES);
    }
    ByteBuffer in = ByteBuffer.wrap(bytes);
    return new ObjectId(in.getLong(), in.getInt());
  }

  /**
   * Makes the next ObjectId of this process, of the system's clock. Each is greater than the one
   * before, across threads. {@link Mint#ofObjectIds} has other clocks and policies.
   */
  public static ObjectId mint() {
    return Shared.MINT.mint();
  }

  /** Returns the ObjectId of fields that are known to fit. */
  static ObjectId of(CounterMint.Fields fields) {
    return new ObjectId(
        (long) fields.seconds() << 32 | fields.process() >>> 8,
        (int) (fields.process() << 24 | fields.counter()));
  }

  /**
   * The least ObjectId of the instant's second.
   *
   * @throws IllegalArgumentException if the time is before 1970 or after 2106-02-07
   */
  public static ObjectId min(Instant time) {
    return new ObjectId((long) UnixSeconds.SINCE_1970.at(time) << 32, 0);
  }

  /**
   * The greatest ObjectId of the instant's second.
   *
   * @throws IllegalArgumentException if the time is before 1970 or after 2106-02-07
   */
  public static ObjectId max(Instant time) {
    return new ObjectId((long) UnixSeconds.SINCE_1970.at(time) << 32 | 0xFFFF_FFFFL, -1);
  }

  /**
   * The ObjectIds of all instants from {@code from}, inclusive, to {@code to}, exclusive, truncated
   * to seconds.
   *
   * @throws IllegalArgumentException if {@code from} is not before {@code to}, or one of them is
   *     before 1970 or after 2106-02-07; {@code to} may be the end
   */
  public static IdRange<ObjectId> range(Instant from, Instant to) {
    return IdRange.of(from, to, ObjectId::min, ObjectId::max);
  }

  /** The second of its creation, as an unsigned number: until 2106. */
  public Instant time() {
    return UnixSeconds.SINCE_1970.time((int) (high >>> 32));
  }

  /** Returns the 12 bytes, the most significant first, in a new array. */
  public byte[] toBytes() {
    return ByteBuffer.allocate(BYTES).putLong(high).putInt(low).array();
  }

  /** Compares as unsigned numbers, and so by time first. */
  @Override
  public int compareTo(ObjectId other) {
    int byHigh = Long.compareUnsigned(high, other.high);
    return byHigh != 0 ? byHigh : Integer.compareUnsigned(low, other.low);
  }

  @Override
  public boolean equals(Object o) {
    return o instanceof ObjectId id && id.high == high && id.low == low;
  }

  @Override
  public int hashCode() {
    return Long.hashCode(high) ^ low;
  }

  /** The canonical text: 24 hexadecimal digits, lower case. */
  @Override
  @JsonValue
  public String toString() {
    HexFormat hex = HexFormat.of();
    return hex.toHexDigits(high) + hex.toHexDigits(low);
  }

  private static MalformedIdException malformed(String text) {
    return DIGITS.malformed(WHAT, text, "a hexadecimal digit", "");
  }

  /** Serializes a {@link SerializationProxy} instead of this. */
  private Object writeReplace() {
    return SerializationProxy.of(this);
  }

  private void readObject(ObjectInputStream stream) throws InvalidObjectException {
    throw SerializationProxy.required();
  }
}
