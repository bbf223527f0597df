package dev.mintmark.app.view;

import dev.mintmark.Form;
import dev.mintmark.Inspector;
import dev.mintmark.Reading;
import java.math.BigInteger;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What the inspector reads, as JSON. */
public final class InspectionJson {
  /** Integers of wider fields are strings: a reader in JavaScript would round them. */
  private static final int NUMBER_BITS_MAX = 53;

  private InspectionJson() {}

  /** An id with its readings, most likely first; none where nothing fits. */
  public record Inspected(String input, List<Read> readings) {}

  /** One reading. */
  public record Read(
      String kind,
      String reason,
      @Nullable Integer version,
      @Nullable String time,
      Map<String, String> forms,
      List<Field> fields,
      List<String> warnings) {}

  /** A field: its bits (0 is the most significant) and characters, [first, end). */
  public record Field(
      String name, List<Integer> bits, List<Integer> text, Object value, String meaning) {}

  public static Inspected inspect(String input) {
    return new Inspected(
        input, Inspector.inspect(input).stream().map(InspectionJson::read).toList());
  }

  private static Read read(Reading reading) {
    Map<String, String> forms = new LinkedHashMap<>();
    reading.forms().forEach((form, text) -> forms.put(form.label(), text));
    return new Read(
        reading.kind(),
        reading.reason(),
        reading.version().isPresent() ? reading.version().getAsInt() : null,
        reading.time().map(time -> time(reading, time)).orElse(null),
        forms,
        reading.fields().stream().map(InspectionJson::field).toList(),
        reading.warnings());
  }

  /** As the form writes it, where the reading has that form: always with milliseconds. */
  private static String time(Reading reading, Instant time) {
    return reading.forms().getOrDefault(Form.TIME, time.toString());
  }

  private static Field field(Reading.Field field) {
    return new Field(
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
