package dev.mintmark.spark;

import java.io.InputStream;
import java.util.List;
import java.util.Objects;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Reads the vectors that the tests of all surfaces share, see {@code vectors/README.md}. */
final class Vectors {
  private Vectors() {}

  static List<JsonNode> read(String file) {
    InputStream stream = Vectors.class.getResourceAsStream("/vectors/" + file);
    return JsonMapper.shared()
        .readTree(Objects.requireNonNull(stream, file))
        .valueStream()
        .toList();
  }

  /** Returns the vectors of a file that can be read. */
  static List<JsonNode> readable(String file) {
    return read(file).stream().filter(vector -> !vector.has("reason")).toList();
  }

  /** Returns the vectors of a file that are malformed. */
  static List<JsonNode> refused(String file) {
    return read(file).stream().filter(vector -> vector.has("reason")).toList();
  }

  static String text(JsonNode vector, String member) {
    return vector.path(member).stringValue();
  }
}
