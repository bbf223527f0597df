package dev.mintmark.verify;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;

/**
 * A slip that a programmer could make, and the test that fails then. The files {@code
 * planted-bugs/*.yaml} of the test resources list them.
 *
 * @param what the slip, in plain English
 * @param file the main source file, from the root of the checkout
 * @param find the text that is changed, which is exactly once in the file
 * @param replace what is written there instead
 * @param test the module and the class of the test, perhaps with the method: {@code core
 *     MintTest#variant}
 */
record PlantedBug(String what, String file, String find, String replace, String test) {
  private static final Set<String> KEYS = Set.of("what", "file", "find", "replace", "test");

  /** Those of all files, in the order of the files' names. */
  static List<PlantedBug> all() throws IOException {
    Path directory = Checkout.root().resolve("verify/src/test/resources/planted-bugs");
    try (Stream<Path> files = Files.list(directory)) {
      return files.sorted().flatMap(PlantedBug::read).toList();
    }
  }

  String module() {
    return test.substring(0, test.indexOf(' '));
  }

  String testClass() {
    return test.substring(test.indexOf(' ') + 1).replaceFirst("#.*", "");
  }

  /** The name of the method, or nothing. */
  String method() {
    return test.replaceFirst("^[^#]*#?", "");
  }

  Path in(Path root) {
    return root.resolve(file);
  }

  @Override
  public String toString() {
    return what;
  }

  private static Stream<PlantedBug> read(Path yaml) {
    Object rows = new Load(LoadSettings.builder().build()).loadFromString(text(yaml));
    return ((List<?>) rows).stream().map(row -> of((Map<?, ?>) row, yaml));
  }

  private static PlantedBug of(Map<?, ?> row, Path yaml) {
    if (!row.keySet().equals(KEYS)) {
      throw new IllegalArgumentException(yaml + ": expected the keys " + KEYS + ": " + row);
    }
    return new PlantedBug(
        value(row, "what"),
        value(row, "file"),
        value(row, "find"),
        value(row, "replace"),
        value(row, "test"));
  }

  private static String value(Map<?, ?> row, String key) {
    return String.valueOf(row.get(key));
  }

  private static String text(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
