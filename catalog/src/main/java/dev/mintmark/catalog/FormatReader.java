package dev.mintmark.catalog;

import dev.mintmark.FormatSpec;
import dev.mintmark.FormatSpec.Bits;
import dev.mintmark.FormatSpec.Content;
import dev.mintmark.FormatSpec.DigitNotation;
import dev.mintmark.FormatSpec.Field;
import dev.mintmark.FormatSpec.Shape;
import dev.mintmark.FormatSpec.TimeRange;
import dev.mintmark.FormatSpec.Unit;
import dev.mintmark.Quoted;
import java.math.BigInteger;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Builds the model of the formats of a catalog. */
final class FormatReader {
  /** Keys that say what an identifier contains. A format has exactly one of them. */
  private static final List<String> CONTENTS = List.of("text", "snowflake", "fields");

  /** Keys of a format. */
  static final List<String> KEYS =
      Stream.concat(
              CONTENTS.stream(),
              Stream.of("bits", "epoch", "since", "until", "notation", "prefix", "length"))
          .toList();

  /** Keys of {@code snowflake}. */
  static final List<String> SNOWFLAKE_KEYS = List.of("epoch", "node-bits", "sequence-bits");

  /** Keys of a field. */
  static final List<String> FIELD_KEYS = List.of("name", "bits", "unit", "type", "value");

  private static final int NODE_BITS = 10;
  private static final int SEQUENCE_BITS = 12;
  private static final Pattern DECIMAL = Pattern.compile("[0-9]{1,78}");

  private FormatReader() {}

  static FormatSpec read(YamlMapping.Named named) {
    YamlMapping keys = named.value().mapping().allowing(KEYS);
    if (CONTENTS.stream().filter(key -> keys.value(key).isPresent()).count() != 1) {
      throw keys.wrong("expected one of \"text\", \"snowflake\" and \"fields\"");
    }
    Content content = keys.value("text").isPresent() ? shape(keys) : bits(named.value(), keys);
    return named.value().location().modelled(() -> new FormatSpec(named.name(), content));
  }

  private static Shape shape(YamlMapping keys) {
    for (String key : KEYS) {
      keys.value(key)
          .filter(value -> !key.equals("text"))
          .ifPresent(
              value -> {
                throw value.wrong("a format with a \"text\" has no other key: declare \"fields\"");
              });
    }
    return keys.required("text").parsedText(Shape::new);
  }

  private static Bits bits(YamlValue format, YamlMapping keys) {
    Bits bits =
        keys.value("snowflake")
            .map(value -> snowflake(value, keys))
            .orElseGet(() -> fields(format, keys.required("fields"), keys));
    keys.value("bits")
        .ifPresent(
            value -> {
              if (value.wholeNumber() != bits.width()) {
                throw value.wrong(
                    "the fields have %s bits: change one of them".formatted(bits.width()));
              }
            });
    return bits;
  }

  private static Bits snowflake(YamlValue value, YamlMapping keys) {
    keys.value("epoch")
        .ifPresent(
            epoch -> {
              throw epoch.wrong(
                  "the epoch of a Snowflake is a key of \"snowflake\": move it there");
            });
    YamlMapping parts = value.mapping().allowing(SNOWFLAKE_KEYS);
    Instant epoch = parts.required("epoch").instant();
    int nodeBits = parts.value("node-bits").map(YamlValue::wholeNumber).orElse(NODE_BITS);
    int sequenceBits =
        parts.value("sequence-bits").map(YamlValue::wholeNumber).orElse(SEQUENCE_BITS);
    Bits bits = modelled(value, () -> Bits.snowflake(epoch, nodeBits, sequenceBits));
    TimeRange range = modelled(value, () -> range(epoch, keys));
    return modelled(
        value,
        () ->
            bits.withTime(range)
                .withText(
                    keys.value("notation")
                        .map(FormatReader::notation)
                        .orElse(DigitNotation.DECIMAL),
                    prefix(keys),
                    length(keys)));
  }

  private static Bits fields(YamlValue format, YamlValue list, YamlMapping keys) {
    List<Field> fields = list.items().stream().map(FormatReader::field).toList();
    Optional<TimeRange> time =
        keys.value("epoch")
            .map(YamlValue::instant)
            .map(epoch -> modelled(format, () -> range(epoch, keys)));
    for (String key : List.of("since", "until")) {
      keys.value(key)
          .filter(value -> time.isEmpty())
          .ifPresent(
              value -> {
                throw value.wrong("a format without an \"epoch\" has no time: remove the key");
              });
    }
    DigitNotation notation = notation(keys.required("notation"));
    return modelled(format, () -> new Bits(fields, time, notation, prefix(keys), length(keys)));
  }

  private static Field field(YamlValue item) {
    YamlMapping keys = item.called("a field").mapping().allowing(FIELD_KEYS);
    String name = keys.required("name").text();
    int bits = keys.required("bits").wholeNumber();
    FormatSpec.Type type =
        keys.value("type")
            .map(value -> value.parsed(FormatSpec.Type::parse))
            .orElse(FormatSpec.Type.NUMBER);
    Optional<Unit> unit = keys.value("unit").map(value -> value.parsed(Unit::parse));
    Optional<BigInteger> fixed =
        keys.value("value").map(value -> value.parsed(FormatReader::number));
    boolean isTyped = keys.value("type").isPresent();
    if (isTyped && (unit.isPresent() || fixed.isPresent())) {
      throw keys.wrong("expected at most one of \"unit\", \"type\" and \"value\"");
    }
    return item.location().modelled(() -> new Field(bits, name, type, unit, fixed));
  }

  private static BigInteger number(String text) {
    if (!DECIMAL.matcher(text).matches()) {
      throw new IllegalArgumentException(
          "expected a whole number in decimal digits, found " + Quoted.of(text));
    }
    return new BigInteger(text);
  }

  private static TimeRange range(Instant epoch, YamlMapping keys) {
    return new TimeRange(
        epoch,
        keys.value("since").map(YamlValue::instant).orElse(epoch),
        keys.value("until").map(YamlValue::instant));
  }

  private static DigitNotation notation(YamlValue value) {
    return value.parsed(DigitNotation::parse);
  }

  private static String prefix(YamlMapping keys) {
    return keys.value("prefix").map(YamlValue::text).orElse("");
  }

  private static OptionalInt length(YamlMapping keys) {
    return keys.value("length")
        .map(value -> OptionalInt.of(value.wholeNumber()))
        .orElse(OptionalInt.empty());
  }

  /** Names the format in the message. */
  private static <T> T modelled(YamlValue value, Supplier<T> model) {
    try {
      return model.get();
    } catch (IllegalArgumentException e) {
      throw value.location().wrong(value.what() + ": " + e.getMessage(), e);
    }
  }
}
