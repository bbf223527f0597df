package dev.mintmark;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonValue;
import dev.mintmark.Digits.Alphabet;
import dev.mintmark.Digits.Padding;
import java.io.InvalidObjectException;
import java.io.ObjectInputStream;
import java.io.Serializable;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Optional;

/**
 * A time-sorted unique identifier of 64 bits: a Snowflake since 2020, written in Crockford's base
 * 32, as made by tsid-creator and hypersistence-tsid.
 *
 * <pre>
 *   01226N0640J7Q
 *
 *   bits   0                             42                      64
 *          |          timestamp          | node and counter, or  |
 *          |                             | random bits           |
 *          milliseconds since 2020-01-01T00:00:00Z, until 2159
 * </pre>
 *
 * <p>The number does not contain how the last 22 bits are divided. {@link SnowflakeLayout#TSID}
 * divides them as those libraries do by default: 10 bits of the node before 12 of a counter.
 *
 * <p><b>Order.</b> {@link #compareTo} compares unsigned. Values, canonical texts and times have the
 * same order. From 2089-09-06 on a number exceeds 2^63-1, and a signed column sorts it before all
 * others.
 *
 * <p><b>Uniqueness</b> requires that no two running nodes have the same number, see {@link
 * Mint#ofTsids}. A pool with a lease can allocate the numbers.
 *
 * <p><b>JavaScript</b> holds whole numbers up to 2^53-1 only: send the text.
 *
 * <p>Immutable and thread-safe.
 *
 * <pre>{@code
 * Tsid id = Tsid.parse("01226N0640J7Q");
 * id.time();     // 2020-04-15T20:22:07.665Z
 * id.toLong();   // 38358284406638839
 * }</pre>
 *
 * @see <a href="https://github.com/f4b6a3/tsid-creator">tsid-creator</a>
 * @see <a href="https://github.com/vladmihalcea/hypersistence-tsid">hypersistence-tsid</a>
 */
public final class Tsid implements Comparable<Tsid>, Serializable {
  private static final long serialVersionUID = 1L;

  private static final String WHAT = "TSID";
  private static final int LENGTH = 13;

  /** The text: 65 bits, of which the first is always 0. */
  static final Digits DIGITS = new Digits(Alphabet.CROCKFORD, LENGTH, Long.SIZE, Padding.BEFORE);

  /** The greatest value of the first digit. */
  private static final int FIRST_MAX = 15;

  private final long bits;

  /** Ignored, or Jackson 2 would read numbers by it. */
  @JsonIgnore
  private Tsid(long bits) {
    this.bits = bits;
  }

  /** Returns the TSID of these bits, taken as an unsigned number: what a {@code bigint} holds. */
  public static Tsid of(long bits) {
    return new Tsid(bits);
  }

  /**
   * Reads 13 characters of Crockford's base 32, in either letter case.
   *
   * @throws MalformedIdException if there are not 13, one is not of Crockford's base 32 (I, L, O
   *     and U are not), or the first is above F
   */
  public static Tsid parse(String text) {
    return tryParse(text).orElseThrow(() -> malformed(text));
  }

  /**
   * Reads what {@link #parse(String)} reads. Called by frameworks that look for a factory of this
   * name: Spring's conversion service, JAX-RS, MicroProfile Config and Jackson.
   *
   * @throws MalformedIdException as {@link #parse(String)} throws it
   */
  @JsonCreator
  public static Tsid valueOf(String text) {
    return parse(text);
  }

  /** Reads what {@link #parse} reads; empty if it throws. */
  public static Optional<Tsid> tryParse(String text) {
    if (text.length() != LENGTH) {
      return Optional.empty();
    }
    int first = Alphabet.CROCKFORD.value(text.charAt(0));
    long rest = Alphabet.CROCKFORD.number(text, 1, LENGTH);
    boolean fits = first >= 0 && first <= FIRST_MAX && rest >= 0;
    return fits ? Optional.of(new Tsid((long) first << 60 | rest)) : Optional.empty();
  }

  /**
   * Reads a TSID as people type it, in either letter case. White space around it and hyphens are
   * ignored; I and L are read as 1 and O as 0, as in <a
   * href="https://www.crockford.com/base32.html">Crockford's base 32</a>.
   *
   * @throws MalformedIdException if there are not 13 such characters without hyphens, the first is
   *     above F, or the text has more than {@value LooseText#LENGTH_MAX} characters
   */
  public static Tsid parseLoosely(String text) {
    LooseText loose = LooseText.of(WHAT, text);
    return tryParse(Crockford32.withoutLookalikes(loose.digits()))
        .orElseThrow(() -> loose.malformed(LENGTH, Crockford32::isLooseDigit, "Crockford base 32"));
  }

  /**
   * The least TSID of the instant's millisecond.
   *
   * @throws IllegalArgumentException if the time is before 2020 or after 2159-05-15
   */
  public static Tsid min(Instant time) {
    return of(Snowflake.min(SnowflakeLayout.TSID, time).toLong());
  }

  /**
   * The greatest TSID of the instant's millisecond.
   *
   * @throws IllegalArgumentException if the time is before 2020 or after 2159-05-15
   */
  public static Tsid max(Instant time) {
    return of(Snowflake.max(SnowflakeLayout.TSID, time).toLong());
  }

  /**
   * The TSIDs of all instants from {@code from}, inclusive, to {@code to}, exclusive, truncated to
   * milliseconds.
   *
   * @throws IllegalArgumentException if {@code from} is not before {@code to}, or one of them is
   *     out of range; {@code to} may be its end
   */
  public static IdRange<Tsid> range(Instant from, Instant to) {
    return IdRange.of(from, to, Tsid::min, Tsid::max);
  }

  /** The bits of the unsigned number: negative from 2^63 on. */
  public long toLong() {
    return bits;
  }

  /** The time of its creation, in whole milliseconds. */
  public Instant time() {
    return Snowflake.of(bits).time(SnowflakeLayout.TSID);
  }

  /** Compares as unsigned numbers, and so by time first. */
  @Override
  public int compareTo(Tsid other) {
    return Long.compareUnsigned(bits, other.bits);
  }

  @Override
  public boolean equals(Object o) {
    return o instanceof Tsid id && id.bits == bits;
  }

  @Override
  public int hashCode() {
    return Long.hashCode(bits);
  }

  /** The canonical text: 13 characters, upper case. */
  @Override
  @JsonValue
  public String toString() {
    byte[] text = new byte[LENGTH];
    Alphabet.CROCKFORD.write(bits, text, 0, LENGTH);
    return new String(text, StandardCharsets.ISO_8859_1);
  }

  private static MalformedIdException malformed(String text) {
    return text.length() == LENGTH
        ? malformed(WHAT, text, 0)
        : Malformed.length(WHAT, text, LENGTH);
  }

  /** Returns why the 13 characters from {@code from} are no TSID. */
  static MalformedIdException malformed(String what, String text, int from) {
    for (int i = from; i < from + LENGTH; i++) {
      if (Alphabet.CROCKFORD.value(text.charAt(i)) < 0) {
        return Malformed.character(what, text, i, "Crockford base 32");
      }
    }
    return Malformed.because(
        what, text, Malformed.character(text, from) + " is above F: it exceeds 64 bits");
  }

  /** Serializes a {@link SerializationProxy} instead of this. */
  private Object writeReplace() {
    return SerializationProxy.of(this);
  }

  private void readObject(ObjectInputStream stream) throws InvalidObjectException {
    throw SerializationProxy.required();
  }
}
