package dev.mintmark.catalog;

import dev.mintmark.Quoted;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.time.format.DateTimeParseException;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Function;
import java.util.regex.Pattern;
import org.snakeyaml.engine.v2.nodes.MappingNode;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.ScalarNode;
import org.snakeyaml.engine.v2.nodes.SequenceNode;
import org.snakeyaml.engine.v2.nodes.Tag;

/**
 * A value of a catalog. A value of an unexpected type is reported with its name and its line.
 *
 * @param location the line of its key; of an item of a list, its own line
 * @param what the name of the value in messages: {@code "width" in collection "payments"}
 */
record YamlValue(Location location, String what, Node node) {
  /** Maximum length of a text, in characters. The longest text is the name of a table. */
  private static final int TEXT_LENGTH_MAX = 255;

  /** Maximum number of values in a list. */
  private static final int LIST_LENGTH_MAX = 1024;

  /** The most digits of a number that is an {@code int} whatever they are. */
  private static final int INT_DIGITS_MAX = 9;

  private static final Pattern DECIMAL = Pattern.compile("[0-9]+");

  /** A day, or a time in UTC: {@link Instant#parse} reads more, such as offsets and other years. */
  private static final Pattern INSTANT =
      Pattern.compile("[0-9]{4}-[0-9]{2}-[0-9]{2}(T[0-9]{2}:[0-9]{2}:[0-9]{2}(\\.[0-9]{1,9})?Z)?");

  /** Returns the same value with another name in messages. */
  YamlValue called(String what) {
    return new YamlValue(location, what, node);
  }

  CatalogException wrong(String why) {
    return location.wrong(what + ": " + why);
  }

  /** Returns the text. Fails if YAML reads the scalar as a number, a boolean or null. */
  String text() {
    if (!(node instanceof ScalarNode scalar) || isNothing()) {
      throw noText();
    }
    if (!scalar.getTag().equals(Tag.STR)) {
      throw wrong("expected text, found " + found() + ": put it in quotes");
    }
    return checkLength(scalar);
  }

  /** Returns the result of {@code parse} for the {@link #text()}. */
  <T> T parsedText(Function<String, T> parse) {
    return parsed(text(), parse);
  }

  /** Returns the result of {@code parse} for the scalar as it is written, whatever its type. */
  <T> T parsed(Function<String, T> parse) {
    if (!(node instanceof ScalarNode scalar) || isNothing()) {
      throw noText();
    }
    return parsed(checkLength(scalar), parse);
  }

  private <T> T parsed(String written, Function<String, T> parse) {
    try {
      return parse.apply(written);
    } catch (IllegalArgumentException e) {
      throw location.wrong(what + ": " + e.getMessage(), e);
    }
  }

  /** Returns the number, 0 to 999,999,999, which must be written in decimal digits. */
  int wholeNumber() {
    return (int) wholeNumber(INT_DIGITS_MAX);
  }

  /**
   * Returns the number, which must be written in decimal digits.
   *
   * @param digitsMax how many digits it may have, at most 18
   */
  long wholeNumber(int digitsMax) {
    boolean number =
        node instanceof ScalarNode scalar
            && scalar.getTag().equals(Tag.INT)
            && isDecimal(scalar.getValue(), digitsMax);
    if (!number) {
      throw wrong(
          "expected a whole number, found " + found() + ": write " + numberSuggestion(digitsMax));
    }
    return Long.parseLong(((ScalarNode) node).getValue());
  }

  private static boolean isDecimal(String text, int digitsMax) {
    return text.length() <= digitsMax && DECIMAL.matcher(text).matches();
  }

  /** Returns the boolean, which must be written {@code true} or {@code false}. */
  boolean truth() {
    if (!(node instanceof ScalarNode scalar) || !scalar.getTag().equals(Tag.BOOL)) {
      throw wrong("expected true or false, found " + found() + booleanSuggestion());
    }
    return Boolean.parseBoolean(scalar.getValue());
  }

  /** Returns the time, of the years 0 to 9999; of a day, its beginning in UTC. */
  Instant instant() {
    return parsedText(
        text ->
            instant(text)
                .orElseThrow(
                    () ->
                        new IllegalArgumentException(
                            "expected a day or a time in UTC, such as 2027-06-30 or 2027-06-30T12:00:00Z, found "
                                + Quoted.of(text))));
  }

  private static Optional<Instant> instant(String text) {
    if (!INSTANT.matcher(text).matches()) {
      return Optional.empty();
    }
    try {
      return Optional.of(
          text.endsWith("Z")
              ? Instant.parse(text)
              : LocalDate.parse(text).atStartOfDay(ZoneOffset.UTC).toInstant());
    } catch (DateTimeParseException e) {
      return Optional.empty(); // The 30th of February.
    }
  }

  /** Returns whether this is that text. */
  boolean isText(String text) {
    return node instanceof ScalarNode scalar && scalar.getValue().equals(text);
  }

  /** Returns whether this is a text, a number or a boolean. */
  boolean isScalar() {
    return node instanceof ScalarNode && !isNothing();
  }

  /** Returns the values of the list, or this value alone if it is not a list. */
  List<YamlValue> oneOrItems() {
    return node instanceof SequenceNode ? items() : List.of(this);
  }

  /** Returns the values of the list. In messages they have the name of the list. */
  List<YamlValue> items() {
    if (!(node instanceof SequenceNode list)) {
      throw wrong(
          "expected a list, found "
              + found()
              + (node instanceof ScalarNode && !isNothing()
                  ? ": put it in [brackets]"
                  : ": write [] or one \"- VALUE\" per line"));
    }
    if (list.getValue().size() > LIST_LENGTH_MAX) {
      throw wrong(list.getValue().size() + " values: expected at most " + LIST_LENGTH_MAX);
    }
    return list.getValue().stream()
        .map(item -> new YamlValue(location.of(item), what, item))
        .toList();
  }

  /** Returns the mapping. A key without a value counts as an empty mapping. */
  YamlMapping mapping() {
    if (isNothing()) {
      return YamlMapping.empty(what, location);
    }
    if (!(node instanceof MappingNode mapping)) {
      throw wrong("expected a mapping, found " + found() + ": write \"KEY: VALUE\"");
    }
    return YamlMapping.of(what, location, mapping);
  }

  /**
   * Returns the value of the key {@code written} of the mapping, or the item of the list that is
   * written so, if there is one.
   */
  Optional<YamlValue> child(String written) {
    if (node instanceof MappingNode) {
      return mapping().value(written);
    }
    return node instanceof SequenceNode
        ? items().stream().filter(item -> item.isWritten(written)).findFirst()
        : Optional.empty();
  }

  private boolean isWritten(String text) {
    return node instanceof ScalarNode scalar && scalar.getValue().equals(text);
  }

  private boolean isNothing() {
    return node.getTag().equals(Tag.NULL);
  }

  private String checkLength(ScalarNode scalar) {
    String text = scalar.getValue();
    if (text.isBlank() || text.length() > TEXT_LENGTH_MAX) {
      throw wrong("expected 1 to " + TEXT_LENGTH_MAX + " characters, found " + found());
    }
    return text;
  }

  private CatalogException noText() {
    return wrong(
        "expected text, found "
            + found()
            + (isNothing() ? ": set a value or remove the key" : ": write one value"));
  }

  /** Returns a suggestion for a value that is not a whole number in decimal digits. */
  private String numberSuggestion(int digitsMax) {
    boolean quoted =
        node instanceof ScalarNode scalar
            && scalar.getTag().equals(Tag.STR)
            && isDecimal(scalar.getValue(), digitsMax);
    return quoted ? "it without quotes" : "decimal digits only, as in 6";
  }

  /** Returns a suggestion for a boolean that is quoted or written as in YAML 1.1. */
  private String booleanSuggestion() {
    String written = node instanceof ScalarNode scalar ? scalar.getValue() : "";
    return switch (written.toLowerCase(Locale.ROOT)) {
      case "true", "yes", "y", "on" -> ": did you mean true?";
      case "false", "no", "n", "off" -> ": did you mean false?";
      default -> "";
    };
  }

  private String found() {
    if (node instanceof MappingNode) {
      return "a mapping";
    }
    if (node instanceof SequenceNode) {
      return "a list";
    }
    return isNothing() ? "nothing" : Quoted.of(((ScalarNode) node).getValue());
  }
}
