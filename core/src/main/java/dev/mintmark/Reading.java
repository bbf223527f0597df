package dev.mintmark;

import java.math.BigInteger;
import java.time.Instant;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * One way to understand an identifier: what it would be, and everything that could then be read out
 * of it. Immutable.
 *
 * @param kind {@code ulid}, {@code uuidv1} to {@code uuidv8}, {@code uuidv7-draft}, {@code uuid}
 *     (the nil and max UUIDs and those whose version or variant is of no RFC), {@code typeid},
 *     {@code objectid}, {@code ksuid}, {@code xid}, {@code tsid}, {@code snowflake-twitter}, {@code
 *     snowflake-discord}, {@code snowflake-instagram}, {@code snowflake-sony}, {@code
 *     unix-seconds}, {@code unix-millis}, {@code unix-micros}, {@code unix-nanos}, {@code
 *     sequence}, or {@code prefixed} for a key of which only the prefix is readable
 * @param reason why it stands where it does among the readings, in a sentence
 * @param version the version of the UUID, where it has one
 * @param time when it was made, where it says so
 * @param forms the identifier in every form that makes sense for this kind, in the order of {@link
 *     Form}
 * @param fields what the bits mean, from the first to the last; together they are all of them
 * @param warnings what speaks against this reading or against the identifier, in sentences
 */
public record Reading(
    String kind,
    String reason,
    OptionalInt version,
    Optional<Instant> time,
    Map<Form, String> forms,
    List<Field> fields,
    List<String> warnings) {
  /**
   * Some bits that belong together.
   *
   * @param name its name in the specification: {@code unix_ts_ms}
   * @param bits which bits, bit 0 being the most significant
   * @param text which characters of the text as it was given hold these bits; a character that
   *     holds bits of two fields belongs to both
   * @param value the bits as a number from 0 up
   * @param meaning what the number says, in a few words
   */
  public record Field(String name, Span bits, Span text, BigInteger value, String meaning) {}

  /**
   * A half-open range.
   *
   * @param first the first that is in it, counted from 0
   * @param end the first behind it
   */
  public record Span(int first, int end) {
    public Span {
      if (first < 0 || end <= first) {
        throw new IllegalArgumentException("span " + first + " to " + end + " is empty");
      }
    }

    /** The same range, so many places further on. */
    Span shifted(int by) {
      return new Span(first + by, end + by);
    }

    /** How many it has. */
    public int length() {
      return end - first;
    }
  }

  public Reading {
    forms = Collections.unmodifiableMap(new LinkedHashMap<>(forms));
    fields = List.copyOf(fields);
    warnings = List.copyOf(warnings);
  }
}
