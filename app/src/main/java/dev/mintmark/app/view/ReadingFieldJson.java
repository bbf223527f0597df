package dev.mintmark.app.view;

import dev.mintmark.Reading;
import java.math.BigInteger;
import java.util.List;

/**
 * A field of a reading, as JSON.
 *
 * @param bits [first, end), where bit 0 is the most significant
 * @param text [first, end) of the characters of the input
 * @param value a number; a string if the field has more than 53 bits
 */
public record ReadingFieldJson(
    String name, List<Integer> bits, List<Integer> text, Object value, String meaning) {
  /** Integers of wider fields are strings, because JavaScript would round them. */
  private static final int NUMBER_BITS_MAX = 53;

  static ReadingFieldJson of(Reading.Field field) {
    return new ReadingFieldJson(
        field.name(), pair(field.bits()), pair(field.text()), value(field), field.meaning());
  }

  private static Object value(Reading.Field field) {
    BigInteger value = field.value();
    return field.bits().length() > NUMBER_BITS_MAX ? value.toString() : value.longValueExact();
  }

  private static List<Integer> pair(Reading.Span span) {
    return List.of(span.first(), span.end());
  }
}
