package dev.mintmark;

import java.io.InputStream;
import java.util.List;
import java.util.Objects;
import java.util.stream.StreamSupport;
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

  static List<JsonNode> typeIds() {
    return read("typeids.json");
  }

  static List<JsonNode> masks() {
    return read("masks.json");
  }

  static List<String> inputs(List<JsonNode> vectors) {
    return vectors.stream().map(vector -> vector.path("input").stringValue()).toList();
  }

  private static List<JsonNode> read(String file) {
    InputStream stream = Vectors.class.getResourceAsStream("/vectors/" + file);
    JsonNode vectors = JsonMapper.shared().readTree(Objects.requireNonNull(stream, file));
    return StreamSupport.stream(vectors.spliterator(), false).toList();
  }
}
