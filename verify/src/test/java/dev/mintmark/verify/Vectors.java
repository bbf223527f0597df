package dev.mintmark.verify;

import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The vectors that the tests of all surfaces share, see {@code vectors/README.md}. */
final class Vectors {
  private Vectors() {}

  static List<JsonNode> identifiers() {
    return read("identifiers.json");
  }

  static List<JsonNode> malformed() {
    return read("malformed.json");
  }

  static List<JsonNode> typeIds() {
    return read("typeids.json");
  }

  static List<JsonNode> puris() {
    return read("puris.json");
  }

  static List<JsonNode> declaredPuris() {
    return read("puris-declared.json");
  }

  static List<JsonNode> malformedPuris() {
    return read("puris-malformed.json");
  }

  static String input(JsonNode vector) {
    return vector.path("input").stringValue();
  }

  private static List<JsonNode> read(String file) {
    return JsonMapper.shared().readTree(Checkout.vectors().resolve(file)).valueStream().toList();
  }
}
