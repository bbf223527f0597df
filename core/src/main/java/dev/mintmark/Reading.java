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
 * One interpretation of an identifier: its kind and everything that can be read from it. Immutable.
 *
 * @param kind {@code ulid}, {@code uuidv1} to {@code uuidv8}, {@code uuidv7-draft}, {@code uuid}
 *     (the nil and max UUIDs and those with an undefined version or variant), {@code typeid},
 *     {@code objectid}, {@code ksuid}, {@code xid}, {@code tsid}, {@code snowflake-twitter}, {@code
 *     snowflake-discord}, {@code snowflake-instagram}, {@code snowflake-sony}, {@code
 *     unix-seconds}, {@code unix-millis}, {@code unix-micros}, {@code unix-nanos}, {@code
 *     sequence}, {@code nanoid}, {@code mask}, {@code puri}, {@code prefixed} for a key with only a
 *     readable prefix, or the name of another format, such as {@code cuid} or {@code ipv4}
 * @param reason the reason for its rank among the readings, in a sentence
 * @param version the version of the UUID, if it has one
 * @param time the time of its creation, if it contains one
 * @param forms the identifier in every form that applies to this kind, in the order of {@link Form}
 * @param fields the meaning of all bits, from the first to the last
 * @param warnings problems of this reading or of the identifier, in sentences
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
   * A field of the identifier.
   *
   * @param name its name in the specification: {@code unix_ts_ms}
   * @param bits the range of bits; bit 0 is the most significant
   * @param text the characters of the given text that contain these bits; a character with bits of
   *     two fields belongs to both
   * @param value the bits as an unsigned number
   * @param meaning the meaning of the number, in a few words
   */
  public record Field(String name, Span bits, Span text, BigInteger value, String meaning) {}

  /**
   * A half-open range.
   *
   * @param first the first element, counted from 0
   * @param end the first element after it
   */
  public record Span(int first, int end) {
    public Span {
      if (first < 0 || end <= first) {
        throw new IllegalArgumentException("span " + first + " to " + end + " is empty");
      }
    }

    /** Returns the range moved by a number of places. */
    Span shifted(int by) {
      return new Span(first + by, end + by);
    }

    /** The number of elements. */
    public int length() {
      return end - first;
    }
  }

  public Reading {
    forms = Collections.unmodifiableMap(new LinkedHashMap<>(forms));
    fields = List.copyOf(fields);
    warnings = List.copyOf(warnings);
  }

  /** Returns this for an identifier that begins later in the text. */
  Reading shifted(int by) {
    List<Field> moved =
        fields.stream()
            .map(
                field ->
                    new Field(
                        field.name(),
                        field.bits(),
                        field.text().shifted(by),
                        field.value(),
                        field.meaning()))
            .toList();
    return by == 0 ? this : new Reading(kind, reason, version, time, forms, moved, warnings);
  }

  /** Returns this with another reason. */
  Reading because(String another) {
    return new Reading(kind, another, version, time, forms, fields, warnings);
  }
}
