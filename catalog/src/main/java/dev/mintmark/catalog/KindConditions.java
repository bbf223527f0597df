package dev.mintmark.catalog;

import dev.mintmark.CollectionSpec.Face.Shape;
import dev.mintmark.Kind;
import dev.mintmark.Kind.Option;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What the JSON Schema requires of collections of each kind. It follows from {@link Kind}, except
 * for the form of prefixes, of which each kind with a prefix has a row here.
 */
final class KindConditions {
  /** The JSON Schema of a prefix. */
  static final Map<Kind, String> PREFIXES =
      Map.of(
          Kind.SEQUENCE,
          """
          { "maxLength": 16, "pattern": "^[A-Za-z]([A-Za-z0-9_-]*[A-Za-z_-])?$" }""",
          Kind.TYPEID,
          """
          { "pattern": "^[a-z]([a-z_]{0,61}[a-z])?$" }""");

  private KindConditions() {}

  /** The labels of all kinds as strings of JSON, with commas between them. */
  static String labels() {
    return strings(Arrays.stream(Kind.values()).map(Kind::label));
  }

  /** A condition for each kind, with commas between them. */
  static String conditions() {
    return Arrays.stream(Kind.values())
        .map(KindConditions::condition)
        .collect(Collectors.joining(",\n"));
  }

  private static String condition(Kind kind) {
    return """
            {
              "if": { "properties": { "kind": { "const": "%s" } }, "required": ["kind"] },
              "then": {
                "properties": {
                  %s
                }
              }
            }"""
        .formatted(kind.label(), String.join(",\n          ", properties(kind)));
  }

  private static List<String> properties(Kind kind) {
    List<String> properties = new ArrayList<>();
    properties.add(
        "\"prefix\": " + (kind.has(Option.PREFIX) ? PREFIXES.getOrDefault(kind, "true") : "false"));
    if (!kind.has(Option.WIDTH)) {
      properties.add("\"width\": { \"const\": 0 }");
    }
    if (!kind.has(Option.CASE)) {
      properties.add(
          "\"case\": { \"const\": \"%s\" }"
              .formatted(kind.isCaseSensitive() ? "sensitive" : "insensitive"));
    }
    properties.add("\"storage\": { \"enum\": [" + strings(storages(kind)) + "] }");
    properties.addAll(mint(kind));
    if (kind.storage() == Kind.Storage.TEXT) {
      properties.add("\"face\": false");
      properties.add("\"faces\": false");
    } else {
      String shapes =
          "\"shape\": { \"enum\": [%s] }"
              .formatted(
                  strings(
                      Arrays.stream(Shape.values())
                          .filter(shape -> shape.fits(kind))
                          .map(Shape::label)));
      // Of a UUID there is no old face that is a number.
      String forms =
          kind.storage() == Kind.Storage.UUID ? "\"form\": { \"const\": \"text\" }, " : "";
      properties.add("\"face\": { \"properties\": { " + shapes + " } }");
      properties.add(
          "\"faces\": { \"prefixItems\": [{ \"properties\": { "
              + forms
              + shapes
              + " } }, { \"properties\": { "
              + shapes
              + " } }] }");
    }
    return properties;
  }

  /** The conditions on where identifiers are minted, in which order, and for which rows. */
  private static List<String> mint(Kind kind) {
    List<String> properties = new ArrayList<>();
    if (!kind.has(Option.ORDER)) {
      properties.add("\"order\": false");
    }
    if (!kind.has(Option.SERVER)) {
      properties.add("\"mint\": " + (kind.isMinted() ? "{ \"const\": \"application\" }" : "false"));
      properties.add("\"old-rows\": { \"const\": \"none\" }");
    }
    return properties;
  }

  private static Stream<String> storages(Kind kind) {
    return Stream.concat(
        Stream.of(kind.storage(), Kind.Storage.TEXT).distinct().map(Kind.Storage::label),
        kind.has(Option.NARROW) ? Stream.of("integer") : Stream.empty());
  }

  private static String strings(Stream<String> labels) {
    return labels.map(label -> '"' + label + '"').collect(Collectors.joining(", "));
  }
}
