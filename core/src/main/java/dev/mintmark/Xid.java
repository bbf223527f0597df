package dev.mintmark;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import dev.mintmark.Digits.Alphabet;
import dev.mintmark.Digits.Padding;
import java.io.InvalidObjectException;
import java.io.ObjectInputStream;
import java.io.Serializable;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Optional;

/**
 * An identifier of the library xid: the 96 bits of an {@link ObjectId} in 20 characters of base 32.
 *
 * <pre>
 *   9m4e2mr0ui3e8a215n4g
 *
 *   bits   0           32              56         72          96
 *          | timestamp |    machine    |   pid    |  counter  |
 *          seconds      here: 40 random bits       from a random start
 *          since 1970, until 2106
 * </pre>
 *
 * <p><b>Machine and process.</b> A {@link Mint} draws both at random, as the library does where it
 * cannot find the name of the machine. So containers with equal names and process numbers differ,
 * and an identifier does not reveal them.
 *
 * <p><b>Order.</b> {@link #compareTo} compares unsigned. Values, bytes, texts and times have the
 * same order. Those of one mint ascend, those of two mints have the order of their seconds.
 *
 * <p><b>Uniqueness.</b> Within one second, an even chance that two of a number of mints repeat an
 * identifier requires more than 1.2 million mints. A copy of a running process, as a restored
 * checkpoint, repeats its identifiers: make the mint after the copy.
 *
 * <p>Immutable and thread-safe.
 *
 * <pre>{@code
 * Xid id = Xid.parse("9m4e2mr0ui3e8a215n4g");
 * id.time();   // 2011-03-22T17:50:19Z
 * Xid.mint();
 * }</pre>
 *
 * @see <a href="https://github.com/rs/xid">rs/xid</a>
 */
public final class Xid implements Comparable<Xid>, Serializable {
  private static final long serialVersionUID = 1L;

  private static final String WHAT = "Xid";
  private static final int BYTES = 12;
  private static final int LENGTH = 20;
  private static final int HIGH_LENGTH = 12;

  /** Bits of the last character that are always 0. */
  private static final int UNUSED_BITS = 4;

  /** The text: base 32 of RFC 4648 section 7 without padding, in lower case. */
  static final Digits DIGITS =
      new Digits(Alphabet.BASE32HEX, LENGTH, BYTES * Byte.SIZE, Padding.AFTER);

  /** The second and the first 32 bits of the process. */
  private final long high;

  /** The last 8 bits of the process and the counter. */
  private final int low;

  private Xid(long high, int low) {
    this.high = high;
    this.low = low;
  }

  /** The mint of {@link #mint()}. */
  private static final class Shared {
    static final Mint<Xid> MINT = Mint.ofXids(MintOptions.DEFAULT);
  }

  /**
   * Reads 20 characters from {@code 0-9 a-v}, in lower case.
   *
   * @throws MalformedIdException if there are not 20 of them, or the last is not 0 or g: it
   *     contains one bit
   */
  public static Xid parse(String text) {
    return tryParse(text).orElseThrow(() -> malformed(text));
  }

  /**
   * Reads what {@link #parse(String)} reads. Called by frameworks that look for a factory of this
   * name: Spring's conversion service, JAX-RS, MicroProfile Config and Jackson.
   *
   * @throws MalformedIdException as {@link #parse(String)} throws it
   */
  @JsonCreator
  public static Xid valueOf(String text) {
    return parse(text);
  }

  /** Reads what {@link #parse} reads; empty if it throws. */
  public static Optional<Xid> tryParse(String text) {
    if (text.length() != LENGTH) {
      return Optional.empty();
    }
    long first = Alphabet.BASE32HEX.number(text, 0, HIGH_LENGTH);
    long last = Alphabet.BASE32HEX.number(text, HIGH_LENGTH, LENGTH);
    boolean fits = (first | last) >= 0 && Long.numberOfTrailingZeros(last) >= UNUSED_BITS;
    return fits
        ? Optional.of(new Xid(first << 4 | last >>> 36, (int) (last >>> UNUSED_BITS)))
        : Optional.empty();
  }

  /**
   * Returns the Xid of 12 bytes, the most significant first.
   *
   * @throws IllegalArgumentException if there are not 12
   */
  public static Xid fromBytes(byte[] bytes) {
    if (bytes.length != BYTES) {
      throw new IllegalArgumentException("Xid of " + bytes.length + " bytes: expected " + BYTES);
    }
    ByteBuffer in = ByteBuffer.wrap(bytes);
    return new Xid(in.getLong(), in.getInt());
  }

  /**
   * Makes the next Xid of this process, of the system's clock. Each is greater than the one before,
   * across threads. {@link Mint#ofXids} has other clocks and policies.
   */
  public static Xid mint() {
    return Shared.MINT.mint();
  }

  /** Returns the Xid of fields that are known to fit. */
  static Xid of(CounterMint.Fields fields) {
    return new Xid(
        (long) fields.seconds() << 32 | fields.process() >>> 8,
        (int) (fields.process() << 24 | fields.counter()));
  }

  /**
   * The least Xid of the instant's second.
   *
   * @throws IllegalArgumentException if the time is before 1970 or after 2106-02-07
   */
  public static Xid min(Instant time) {
    return new Xid((long) UnixSeconds.SINCE_1970.at(time) << 32, 0);
  }

  /**
   * The greatest Xid of the instant's second.
   *
   * @throws IllegalArgumentException if the time is before 1970 or after 2106-02-07
   */
  public static Xid max(Instant time) {
    return new Xid((long) UnixSeconds.SINCE_1970.at(time) << 32 | 0xFFFF_FFFFL, -1);
  }

  /**
   * The Xids of all instants from {@code from}, inclusive, to {@code to}, exclusive, truncated to
   * seconds.
   *
   * @throws IllegalArgumentException if {@code from} is not before {@code to}, or one of them is
   *     before 1970 or after 2106-02-07; {@code to} may be the end
   */
  public static IdRange<Xid> range(Instant from, Instant to) {
    return IdRange.of(from, to, Xid::min, Xid::max);
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
  public int compareTo(Xid other) {
    int byHigh = Long.compareUnsigned(high, other.high);
    return byHigh != 0 ? byHigh : Integer.compareUnsigned(low, other.low);
  }

  @Override
  public boolean equals(Object o) {
    return o instanceof Xid id && id.high == high && id.low == low;
  }

  @Override
  public int hashCode() {
    return Long.hashCode(high) ^ low;
  }

  /** The 20 characters. */
  @Override
  @JsonValue
  public String toString() {
    byte[] text = new byte[LENGTH];
    Alphabet.BASE32HEX.write(high >>> 4, text, 0, HIGH_LENGTH);
    long rest = (high & 0xF) << 32 | Integer.toUnsignedLong(low);
    Alphabet.BASE32HEX.write(rest << UNUSED_BITS, text, HIGH_LENGTH, LENGTH);
    return new String(text, StandardCharsets.ISO_8859_1);
  }

  private static MalformedIdException malformed(String text) {
    String surplus =
        text.isEmpty()
            ? ""
            : Malformed.character(text, text.length() - 1) + " is not 0 or g: it exceeds 96 bits";
    return DIGITS.malformed(WHAT, text, "base 32 of 0-9 and a-v", surplus);
  }

  /** Serializes a {@link SerializationProxy} instead of this. */
  private Object writeReplace() {
    return SerializationProxy.of(this);
  }

  private void readObject(ObjectInputStream stream) throws InvalidObjectException {
    throw SerializationProxy.required();
  }
}
