package dev.mintmark;

import java.io.InputStream;
import java.util.List;
import java.util.Objects;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Reads the vectors that the tests of all surfaces share, see {@code vectors/README.md}. */
final class Vectors {
  private Vectors() {}

  static List<JsonNode> identifiers() {
    return read("identifiers.json");
  }

  /** Those of {@link #identifiers} that are 128 bits, with nothing before them. */
  static List<JsonNode> of128Bits() {
    return identifiers().stream()
        .filter(vector -> vector.path("forms").has("uuid") && !vector.has("prefix"))
        .toList();
  }

  static List<JsonNode> malformed() {
    return read("malformed.json");
  }

  static List<JsonNode> withoutReading() {
    return malformed().stream().filter(v -> !v.path("inspected").asBoolean(false)).toList();
  }

  static List<JsonNode> pasted() {
    return read("pasted.json");
  }

  static List<JsonNode> rankings() {
    return read("ranking.json");
  }

  static List<JsonNode> puris() {
    return read("puris.json");
  }

  static List<JsonNode> sequences() {
    return read("sequences.json");
  }

  static List<JsonNode> nanoIds() {
    return read("nanoids.json");
  }

  static List<JsonNode> snowflakes() {
    return read("snowflakes.json");
  }

  /** TSIDs, KSUIDs, ObjectIds and Xids. */
  static List<JsonNode> timed() {
    return read("timed.json");
  }

  /** An example of every format. */
  static List<JsonNode> formats() {
    return read("formats.json");
  }

  static List<JsonNode> typeIds() {
    return read("typeids.json");
  }

  static List<JsonNode> masks() {
    return read("masks.json");
  }

  static List<JsonNode> malformedPuris() {
    return read("puris-malformed.json");
  }

  static List<JsonNode> declaredPuris() {
    return read("puris-declared.json");
  }

  /** What the streams of Java serialization hold: of this module alone, and so beside its tests. */
  static List<JsonNode> serialized() {
    return treeAt("/serialized.json").valueStream().toList();
  }

  /** The catalog under which {@link #declaredPuris} are what they are. */
  static Catalog catalog() {
    JsonNode catalog = tree("puris-catalog.json");
    List<NamespaceSpec> others =
        catalog.path("namespaces").properties().stream()
            .map(entry -> namespace(entry.getKey(), entry.getValue()))
            .toList();
    String own = catalog.path("namespace").stringValue();
    return new Catalog(namespace(own, catalog), others, List.of());
  }

  static List<String> inputs(List<JsonNode> vectors) {
    return vectors.stream().map(vector -> vector.path("input").stringValue()).toList();
  }

  private static NamespaceSpec namespace(String name, JsonNode declared) {
    List<CollectionSpec> collections =
        declared.path("collections").properties().stream()
            .map(entry -> collection(entry.getKey(), entry.getValue()))
            .toList();
    return new NamespaceSpec(name, declared.path("code").stringValueOpt(), collections);
  }

  private static CollectionSpec collection(String name, JsonNode declared) {
    Kind kind = Kind.parse(declared.path("kind").stringValue());
    CollectionSpec.Builder builder = CollectionSpec.builder(name, kind);
    declared.path("storage").stringValueOpt().ifPresent(builder::storageLabel);
    declared.path("prefix").stringValueOpt().ifPresent(builder::prefix);
    declared.path("width").intValueOpt().ifPresent(builder::width);
    declared
        .path("case")
        .stringValueOpt()
        .map("sensitive"::equals)
        .ifPresent(builder::caseSensitive);
    declared.path("code").stringValueOpt().ifPresent(builder::code);
    builder.aliases(declared.path("aliases").valueStream().map(JsonNode::stringValue).toList());
    return builder.build();
  }

  private static List<JsonNode> read(String file) {
    return tree(file).valueStream().toList();
  }

  private static JsonNode tree(String file) {
    return treeAt("/vectors/" + file);
  }

  private static JsonNode treeAt(String path) {
    InputStream stream = Vectors.class.getResourceAsStream(path);
    return JsonMapper.shared().readTree(Objects.requireNonNull(stream, path));
  }
}
