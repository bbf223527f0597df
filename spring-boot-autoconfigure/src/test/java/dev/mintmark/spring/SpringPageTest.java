package dev.mintmark.spring;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** docs/spring.md lists the properties that there are, with the defaults that they have. */
class SpringPageTest {
  private static final Pattern ROW =
      Pattern.compile(
          "(?m)^\\| `(mintmark\\.[a-z.-]+)` \\| (?:`([^`]*)`|none)(, if it exists)? \\|");

  @Test
  void tableHasEveryPropertyWithItsDefault() throws IOException {
    Map<String, String> documented = new TreeMap<>();
    ROW.matcher(Files.readString(Path.of("../docs/spring.md")))
        .results()
        .forEach(
            row ->
                documented.put(
                    row.group(1), row.group(3) == null ? String.valueOf(row.group(2)) : "null"));

    assertThat(documented).hasSize(19).isEqualTo(metadata());
  }

  private static Map<String, String> metadata() throws IOException {
    Map<String, String> defaults = new TreeMap<>();
    // By its path: other jars have a file of the same name.
    Path metadata = Path.of("target/classes/META-INF/spring-configuration-metadata.json");
    for (JsonNode each :
        JsonMapper.shared().readTree(Files.readString(metadata)).path("properties")) {
      String property = each.path("name").asString();
      if (property.startsWith("mintmark.")) {
        assertThat(each.path("description").asString("")).isNotBlank();
        JsonNode value = each.path("defaultValue");
        defaults.put(property, value.isMissingNode() ? "null" : value.asString());
      }
    }
    return defaults;
  }
}
