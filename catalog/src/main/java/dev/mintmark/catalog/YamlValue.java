package dev.mintmark.catalog;

import dev.mintmark.Quoted;
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
 * A value of a catalog, which says what it is and on which line when it is not what was asked for.
 *
 * @param location the line of its key, or its own where it stands in a list
 * @param what the value as messages call it: {@code "width" in collection "payments"}
 */
record YamlValue(Location location, String what, Node node) {
  /** Characters of a text; the longest that a catalog needs is the name of a table. */
  private static final int TEXT_LENGTH_MAX = 255;

  /** Values of a list. */
  private static final int LIST_LENGTH_MAX = 1024;

  private static final Pattern DECIMAL = Pattern.compile("[0-9]{1,9}");

  /** The same value under another name. */
  YamlValue called(String what) {
    return new YamlValue(location, what, node);
  }

  CatalogException wrong(String why) {
    return location.wrong(what + ": " + why);
  }

  /** Returns the text; what YAML takes for a number, a boolean or null is none. */
  String text() {
    if (!(node instanceof ScalarNode scalar) || isNothing()) {
      throw noText();
    }
    if (!scalar.getTag().equals(Tag.STR)) {
      throw wrong("expected text, found " + found() + ": put it in quotes");
    }
    return checkLength(scalar);
  }

  /** Returns what {@code parse} makes of the {@link #text()}. */
  <T> T parsedText(Function<String, T> parse) {
    return parsed(text(), parse);
  }

  /** Returns what {@code parse} makes of the scalar as it is written. */
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

  /** Returns the number, from 0 to 999,999,999, written in decimal. */
  int wholeNumber() {
    boolean number =
        node instanceof ScalarNode scalar
            && scalar.getTag().equals(Tag.INT)
            && DECIMAL.matcher(scalar.getValue()).matches();
    if (!number) {
      throw wrong("expected a whole number, found " + found() + ": write " + numberMeant());
    }
    return Integer.parseInt(((ScalarNode) node).getValue());
  }

  /** Returns the truth value, written {@code true} or {@code false}. */
  boolean truth() {
    if (!(node instanceof ScalarNode scalar) || !scalar.getTag().equals(Tag.BOOL)) {
      throw wrong("expected true or false, found " + found() + truthMeant());
    }
    return Boolean.parseBoolean(scalar.getValue());
  }

  /** Returns the values of the list, or the one value that stands there in place of a list. */
  List<YamlValue> oneOrItems() {
    return node instanceof SequenceNode ? items() : List.of(this);
  }

  /** Returns the values of the list, which are called what the list is called. */
  List<YamlValue> items() {
    if (!(node instanceof SequenceNode list)) {
      throw wrong(
          "expected a list, found "
              + found()
              + (node instanceof ScalarNode && !isNothing()
                  ? ": put it in [brackets]"
                  : ": write [] or one \"- VALUE\" a line"));
    }
    if (list.getValue().size() > LIST_LENGTH_MAX) {
      throw wrong(list.getValue().size() + " values: expected at most " + LIST_LENGTH_MAX);
    }
    return list.getValue().stream()
        .map(item -> new YamlValue(location.of(item), what, item))
        .toList();
  }

  /** Returns the mapping; a key with nothing behind it counts as an empty one. */
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
   * Returns the value of a key of the mapping or of the list that is written so, if there is one.
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
            + (isNothing() ? ": give it one, or leave the key out" : ": write one value"));
  }

  /** What somebody meant who wrote a number in another way. */
  private String numberMeant() {
    boolean quoted =
        node instanceof ScalarNode scalar
            && scalar.getTag().equals(Tag.STR)
            && DECIMAL.matcher(scalar.getValue()).matches();
    return quoted ? "it without quotes" : "digits alone, as in 6";
  }

  /** What somebody meant who wrote a truth value as older YAML has them. */
  private String truthMeant() {
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
