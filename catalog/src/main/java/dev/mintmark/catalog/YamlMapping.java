package dev.mintmark.catalog;

import dev.mintmark.Quoted;
import dev.mintmark.Spelling;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.snakeyaml.engine.v2.nodes.MappingNode;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.NodeTuple;
import org.snakeyaml.engine.v2.nodes.ScalarNode;

/** A mapping of a catalog: its keys, each of them once, in the order of the file. */
final class YamlMapping {
  private final String what;
  private final Location location;
  private final Map<String, YamlValue> values = new LinkedHashMap<>();

  /** A value whose key is its name: a collection, a pool. */
  record Named(String name, YamlValue value) {}

  private YamlMapping(String what, Location location) {
    this.what = what;
    this.location = location;
  }

  static YamlMapping empty(String what, Location location) {
    return new YamlMapping(what, location);
  }

  /**
   * Reads the keys of a mapping.
   *
   * @param what the name of the mapping in messages: {@code pool "workers"}
   * @throws CatalogException if a key is not a scalar or is a duplicate
   */
  static YamlMapping of(String what, Location location, MappingNode node) {
    YamlMapping mapping = new YamlMapping(what, location);
    for (NodeTuple tuple : node.getValue()) {
      Location key = location.of(tuple.getKeyNode());
      String name = name(tuple.getKeyNode(), key);
      YamlValue value = new YamlValue(key, Quoted.of(name) + " in " + what, tuple.getValueNode());
      YamlValue earlier = mapping.values.putIfAbsent(name, value);
      if (earlier != null) {
        throw value.wrong("duplicate key, see line " + earlier.location().line());
      }
    }
    return mapping;
  }

  /** Returns this mapping, or fails if it has a key that is not in {@code known}. */
  YamlMapping allowing(List<String> known) {
    values.forEach(
        (name, value) -> {
          if (!known.contains(name)) {
            throw value.location().wrong(unknown(name, known));
          }
        });
    return this;
  }

  /** Returns the keys, in the order of the file. */
  List<String> names() {
    return List.copyOf(values.keySet());
  }

  Optional<YamlValue> value(String key) {
    return Optional.ofNullable(values.get(key));
  }

  /**
   * Returns the values of a mapping whose keys are names.
   *
   * @param what the noun for a value in messages: {@code pool}
   */
  Stream<Named> named(String what) {
    return values.entrySet().stream()
        .map(
            entry -> {
              String name = entry.getKey();
              return new Named(name, entry.getValue().called(what + " " + Quoted.of(name)));
            });
  }

  /** Returns the value of a required key. */
  YamlValue required(String key) {
    return value(key).orElseThrow(() -> wrong("it has no " + Quoted.of(key)));
  }

  CatalogException wrong(String why) {
    return location.wrong(what + ": " + why);
  }

  private static String name(Node key, Location location) {
    if (key instanceof ScalarNode scalar) {
      return scalar.getValue();
    }
    throw location.wrong("expected a key, found a list or a mapping");
  }

  private String unknown(String name, List<String> known) {
    String guess =
        Spelling.nearest(name, known)
            .map(near -> " did you mean " + Quoted.of(near) + "?")
            .orElse("");
    return "unknown key "
        + Quoted.of(name)
        + " in "
        + what
        + ":"
        + guess
        + (known.isEmpty() ? " it has no keys" : " known: " + String.join(", ", known));
  }
}
