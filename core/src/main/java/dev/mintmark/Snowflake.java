package dev.mintmark;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonValue;
import java.io.InvalidObjectException;
import java.io.ObjectInputStream;
import java.io.Serializable;
import java.time.Instant;
import java.util.Optional;

/**
 * A number of at most 64 bits that consists of the time of its creation, the node that made it and
 * a sequence, as defined by a {@link SnowflakeLayout}. The number does not contain its layout.
 *
 * <pre>
 *   175928847299117063 as DISCORD divides it
 *
 *   bits   0                             42           52              64
 *          |          41944705796        |     32     |       7       |
 *          2016-04-30T11:18:25.796Z       node         sequence
 * </pre>
 *
 * <p><b>Order.</b> {@link #compareTo} compares unsigned: by time first, then by node and sequence
 * in the order of the layout. The texts have the same order only if they have the same length.
 *
 * <p><b>Uniqueness</b> requires that no two running nodes have the same number. A pool with a lease
 * can allocate the numbers. See {@link Mint#ofSnowflakes}.
 *
 * <p><b>JavaScript</b> holds whole numbers up to 2^53-1 only: send the text.
 *
 * <p>Immutable and thread-safe.
 *
 * <pre>{@code
 * Snowflake id = Snowflake.parse("175928847299117063");
 * id.time(SnowflakeLayout.DISCORD);      // 2016-04-30T11:18:25.796Z
 * id.node(SnowflakeLayout.DISCORD);      // 32
 * id.sequence(SnowflakeLayout.DISCORD);  // 7
 * }</pre>
 */
public final class Snowflake implements Comparable<Snowflake>, Serializable {
  private static final long serialVersionUID = 1L;

  private static final String WHAT = "Snowflake";
  private static final String MAX = Long.toUnsignedString(-1);

  private final long bits;

  /** Ignored, or Jackson 2 would read numbers by it. */
  @JsonIgnore
  private Snowflake(long bits) {
    this.bits = bits;
  }

  /** Returns the Snowflake of these bits, taken as an unsigned number. */
  public static Snowflake of(long bits) {
    return new Snowflake(bits);
  }

  /**
   * Composes a Snowflake.
   *
   * @param time its time, truncated to the unit of the layout
   * @param node 0 to {@link SnowflakeLayout#nodeMax}
   * @param sequence 0 to {@link SnowflakeLayout#sequenceMax}
   * @throws IllegalArgumentException if one is out of its range in the layout
   */
  public static Snowflake of(SnowflakeLayout layout, Instant time, int node, int sequence) {
    checkPart("node", node, layout.nodeMax());
    checkPart("sequence", sequence, layout.sequenceMax());
    return new Snowflake(layout.join(layout.tickAt(time), node, sequence));
  }

  /**
   * Reads a decimal number from 0 to 2^64-1 without leading zeros.
   *
   * @throws MalformedIdException if it is not such a number
   */
  public static Snowflake parse(String text) {
    return tryParse(text).orElseThrow(() -> malformed(text));
  }

  /**
   * Reads a decimal number that fits the bits of the layout.
   *
   * @throws MalformedIdException if it is not such a number
   */
  public static Snowflake parse(SnowflakeLayout layout, String text) {
    Snowflake id = parse(text);
    if (!layout.holds(id.bits)) {
      throw Malformed.because(WHAT, text, "it exceeds " + layout.bits() + " bits");
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
  public static Snowflake valueOf(String text) {
    return parse(text);
  }

  /** Reads what {@link #parse(String)} reads; empty if it throws. */
  public static Optional<Snowflake> tryParse(String text) {
    boolean fits =
        !text.isEmpty()
            && (text.length() < MAX.length()
                || (text.length() == MAX.length() && text.compareTo(MAX) <= 0))
            && (text.charAt(0) != '0' || text.length() == 1)
            && firstThatIsNoDigit(text) == text.length();
    return fits ? Optional.of(new Snowflake(Long.parseUnsignedLong(text))) : Optional.empty();
  }

  /**
   * The least Snowflake of the unit of time that the instant falls in.
   *
   * @throws IllegalArgumentException if the time is out of the layout's range
   */
  public static Snowflake min(SnowflakeLayout layout, Instant time) {
    return new Snowflake(layout.join(layout.tickAt(time), 0, 0));
  }

  /**
   * The greatest Snowflake of the unit of time that the instant falls in.
   *
   * @throws IllegalArgumentException if the time is out of the layout's range
   */
  public static Snowflake max(SnowflakeLayout layout, Instant time) {
    return new Snowflake(layout.join(layout.tickAt(time), layout.nodeMax(), layout.sequenceMax()));
  }

  /**
   * The Snowflakes of all instants from {@code from}, inclusive, to {@code to}, exclusive,
   * truncated to the unit of the layout.
   *
   * @throws IllegalArgumentException if {@code from} is not before {@code to}, or one of them is
   *     out of the layout's range; {@code to} may be its end
   */
  public static IdRange<Snowflake> range(SnowflakeLayout layout, Instant from, Instant to) {
    return IdRange.of(from, to, time -> min(layout, time), time -> max(layout, time));
  }

  /** The bits of the unsigned number: negative from 2^63 on. */
  public long toLong() {
    return bits;
  }

  /**
   * The time of its creation: the start of the unit of time.
   *
   * @throws IllegalArgumentException if it has more bits than the layout
   */
  public Instant time(SnowflakeLayout layout) {
    return Instant.ofEpochMilli(layout.millis(layout.tick(checked(layout))));
  }

  /**
   * The node that made it: 0 to {@link SnowflakeLayout#nodeMax}.
   *
   * @throws IllegalArgumentException if it has more bits than the layout
   */
  public int node(SnowflakeLayout layout) {
    return layout.node(checked(layout));
  }

  /**
   * Its number within its node and unit of time: 0 to {@link SnowflakeLayout#sequenceMax}.
   *
   * @throws IllegalArgumentException if it has more bits than the layout
   */
  public int sequence(SnowflakeLayout layout) {
    return layout.sequence(checked(layout));
  }

  /** Compares as unsigned numbers, and so by time first. */
  @Override
  public int compareTo(Snowflake other) {
    return Long.compareUnsigned(bits, other.bits);
  }

  @Override
  public boolean equals(Object o) {
    return o instanceof Snowflake id && id.bits == bits;
  }

  @Override
  public int hashCode() {
    return Long.hashCode(bits);
  }

  /** The unsigned number in decimal. */
  @Override
  @JsonValue
  public String toString() {
    return Long.toUnsignedString(bits);
  }

  static void checkPart(String what, int number, int max) {
    if (number < 0 || number > max) {
      throw new IllegalArgumentException(what + " " + number + ": expected 0 to " + max);
    }
  }

  private long checked(SnowflakeLayout layout) {
    if (!layout.holds(bits)) {
      throw new IllegalArgumentException(
          "Snowflake " + this + ": it exceeds the " + layout.bits() + " bits of its layout");
    }
    return bits;
  }

  private static MalformedIdException malformed(String text) {
    if (text.isEmpty()) {
      return Malformed.because(WHAT, text, "it has no digits");
    }
    int wrong = firstThatIsNoDigit(text);
    if (wrong < text.length()) {
      return Malformed.character(WHAT, text, wrong, "a digit");
    }
    if (text.charAt(0) == '0') {
      return Malformed.because(WHAT, text, "it has leading zeros");
    }
    return Malformed.because(WHAT, text, "it exceeds 64 bits");
  }

  private static int firstThatIsNoDigit(String text) {
    int i = 0;
    while (i < text.length() && text.charAt(i) >= '0' && text.charAt(i) <= '9') {
      i++;
    }
    return i;
  }

  /** Serializes a {@link SerializationProxy} instead of this. */
  private Object writeReplace() {
    return SerializationProxy.of(this);
  }

  private void readObject(ObjectInputStream stream) throws InvalidObjectException {
    throw SerializationProxy.required();
  }
}
