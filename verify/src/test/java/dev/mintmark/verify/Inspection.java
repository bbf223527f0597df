package dev.mintmark.verify;

import dev.mintmark.Form;
import java.math.BigInteger;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import tools.jackson.databind.JsonNode;

/**
 * What a surface reads out of an identifier, in terms that all surfaces share.
 *
 * @param input the identifier as the surface understood it
 * @param readings the most likely first
 */
record Inspection(String input, List<Reading> readings) {

  record Reading(
      String kind,
      String reason,
      OptionalInt version,
      Optional<String> time,
      Map<String, String> forms,
      List<Field> fields,
      List<String> warnings) {}

  record Field(String name, Span bits, Span text, BigInteger value, String meaning) {}

  record Span(int first, int end) {}

  /** As the library has it. */
  static Inspection of(String input, List<dev.mintmark.Reading> readings) {
    return new Inspection(input, readings.stream().map(Inspection::reading).toList());
  }

  /** As the command line and HTTP say it. */
  static Inspection of(JsonNode json) {
    return new Inspection(
        json.path("input").stringValue(),
        json.path("readings").valueStream().map(Inspection::reading).toList());
  }

  /** What a vector says of the first reading's fields, where it does. */
  static List<Field> fields(JsonNode vector) {
    return vector.path("fields").valueStream().map(Inspection::field).toList();
  }

  static Map<String, String> texts(JsonNode object) {
    Map<String, String> texts = new LinkedHashMap<>();
    object.properties().forEach(text -> texts.put(text.getKey(), text.getValue().stringValue()));
    return texts;
  }

  static Optional<String> text(JsonNode value) {
    return value.isNull() ? Optional.empty() : Optional.of(value.stringValue());
  }

  static OptionalInt number(JsonNode value) {
    return value.isNull() ? OptionalInt.empty() : OptionalInt.of(value.intValue());
  }

  static List<String> strings(JsonNode array) {
    return array.valueStream().map(JsonNode::stringValue).toList();
  }

  private static Reading reading(dev.mintmark.Reading reading) {
    Map<String, String> forms = new LinkedHashMap<>();
    reading.forms().forEach((form, text) -> forms.put(form.label(), text));
    return new Reading(
        reading.kind(),
        reading.reason(),
        reading.version(),
        reading.time().map(time -> reading.forms().getOrDefault(Form.TIME, time.toString())),
        forms,
        reading.fields().stream()
            .map(f -> new Field(f.name(), span(f.bits()), span(f.text()), f.value(), f.meaning()))
            .toList(),
        reading.warnings());
  }

  private static Reading reading(JsonNode json) {
    return new Reading(
        json.path("kind").stringValue(),
        json.path("reason").stringValue(),
        number(json.path("version")),
        text(json.path("time")),
        texts(json.path("forms")),
        fields(json),
        strings(json.path("warnings")));
  }

  private static Field field(JsonNode json) {
    return new Field(
        json.path("name").stringValue(),
        span(json.path("bits")),
        span(json.path("text")),
        new BigInteger(json.path("value").asString()),
        json.path("meaning").asString(""));
  }

  private static Span span(dev.mintmark.Reading.Span span) {
    return new Span(span.first(), span.end());
  }

  private static Span span(JsonNode pair) {
    return new Span(pair.path(0).intValue(), pair.path(1).intValue());
  }
}
