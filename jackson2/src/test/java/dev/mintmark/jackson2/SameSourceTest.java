package dev.mintmark.jackson2;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * This module is the module {@code jackson} in the words of Jackson 2, sources and tests. Change
 * the other one, then write this one:
 *
 * <pre>
 *   mvn -pl jackson2 -am test -Dtest=SameSourceTest -Dsurefire.failIfNoSpecifiedTests=false -Dmintmark.write=true
 *   mvn -pl jackson2 spotless:apply
 * </pre>
 */
class SameSourceTest {
  private static final Path HERE = Path.of("src");
  private static final Path THERE = Path.of("../jackson/src");

  /** What Jackson 3 says, and what Jackson 2 says instead; in this order. */
  private static final List<String[]> WORDS =
      List.of(
          words("dev.mintmark.jackson", "dev.mintmark.jackson2"),
          words("dev/mintmark/jackson", "dev/mintmark/jackson2"),
          words("\nmodule ", "\n@SuppressWarnings(\"module\") // Named after Jackson 2.\nmodule "),
          words("tools.jackson.databind.JacksonModule", "com.fasterxml.jackson.databind.Module"),
          words(
              "import tools.jackson.core.JacksonException;\n\n",
              "import com.fasterxml.jackson.databind.JsonMappingException;\n\n"),
          words("import tools.jackson.core.JacksonException;\n", "import java.io.IOException;\n"),
          words("requires transitive tools.jackson", "requires transitive com.fasterxml.jackson"),
          words("tools.jackson.core.json.JsonFactory", "com.fasterxml.jackson.core.JsonFactory"),
          words("tools.jackson", "com.fasterxml.jackson"),
          words("extends JacksonModule", "extends Module"),
          words("getRegistrationId", "getTypeId"),
          words("SerializationContext", "SerializerProvider"),
          words("ValueSerializerModifier", "BeanSerializerModifier"),
          words("ValueDeserializerModifier", "BeanDeserializerModifier"),
          words("addSerializerModifier", "addBeanSerializerModifier"),
          words("addDeserializerModifier", "addBeanDeserializerModifier"),
          words("ValueSerializer", "JsonSerializer"),
          words("ValueDeserializer", "JsonDeserializer"),
          words("ContextualJsonDeserializer", "ContextualValueDeserializer"),
          words("DatabindException", "JsonMappingException"),
          words("throws JacksonException", "throws IOException"),
          words("JacksonException", "JsonMappingException"),
          words("getPropertyName", "getFieldName"),
          words("PROPERTY_NAME", "FIELD_NAME"),
          words(".asParser(context, parser)", ".asParser(parser)"),
          words("parser.getString()", "parser.getText()"),
          words("writeName(", "writeFieldName("),
          words("(generator, context, types.typeId", "(generator, types.typeId"),
          words("(generator, context, typeId)", "(generator, typeId)"),
          words("(MapperConfig<?> config, Annotated property)", "(Annotated property)"),
          words("      MapperConfig<?> config, Annotated property)", "      Annotated property)"),
          words("serializeAsProperty", "serializeAsField"),
          words("databind.ser.std.Simple", "databind.ser.impl.Simple"),
          words("BeanDescription.Supplier description", "BeanDescription description"),
          words(", JsonFormat.Value format", ""));

  /** Imports that one of them alone needs. */
  private static final List<String> OTHER_IMPORTS =
      List.of(
          "import com.fasterxml.jackson.annotation.JsonFormat;\n",
          "import com.fasterxml.jackson.databind.cfg.MapperConfig;\n");

  private static String[] words(String three, String two) {
    return new String[] {three, two};
  }

  @Test
  void sourcesDifferInTheWordsOfJacksonAlone() throws IOException {
    Map<String, String> expected = new TreeMap<>();
    files(THERE).forEach((name, text) -> expected.put(replaced(name), replaced(text)));
    assertThat(expected).hasSizeGreaterThan(15);

    if (Boolean.getBoolean("mintmark.write")) {
      for (String name : expected.keySet()) {
        Path file = HERE.resolve(name);
        Files.createDirectories(file.getParent());
        Files.writeString(file, expected.get(name));
      }
    }

    Map<String, String> found = files(HERE);
    found.keySet().removeIf(name -> name.endsWith("SameSourceTest.java"));
    assertThat(found.keySet()).isEqualTo(expected.keySet());
    expected.forEach(
        (name, text) ->
            assertThat(layoutFree(found.getOrDefault(name, "")))
                .as("%s: see the comment of this test", name)
                .isEqualTo(layoutFree(text)));
  }

  private static Map<String, String> files(Path directory) throws IOException {
    Map<String, String> texts = new TreeMap<>();
    try (Stream<Path> files = Files.walk(directory)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        texts.put(directory.relativize(file).toString().replace('\\', '/'), Files.readString(file));
      }
    }
    return texts;
  }

  private static String replaced(String text) {
    String replaced = text.replaceAll(",\\s+JsonFormat", ", JsonFormat");
    for (String[] words : WORDS) {
      replaced = replaced.replace(words[0], words[1]);
    }
    for (String line : OTHER_IMPORTS) {
      replaced = replaced.replace(line, "");
    }
    return replaced;
  }

  /** The lines of the imports in one order, and the rest without what the formatter decides. */
  private static String layoutFree(String text) {
    String imports =
        String.join("\n", text.lines().filter(SameSourceTest::isImport).sorted().toList());
    String rest =
        String.join("\n", text.lines().filter(line -> !isImport(line)).toList())
            .replaceAll("[\\s*]+", "");
    return imports + "\n" + rest;
  }

  private static boolean isImport(String line) {
    return line.startsWith("import ");
  }
}
