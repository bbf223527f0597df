package dev.mintmark.verify;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mintmark.Catalog;
import dev.mintmark.catalog.CatalogReader;
import java.io.IOException;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * What the README, docs/command-line.md and docs/catalog.md show is what happens: commands are run,
 * the Java is compiled, the catalog is read.
 */
class ReadmeIT {
  private static final Page README = new Page("README.md");
  private static final Page COMMAND_LINE = new Page("docs/command-line.md");
  private static final Page CATALOG = new Page("docs/catalog.md");

  private static final Page MASKS = new Page("docs/masks.md");

  /** The secret of the first vectors of masks, for tests only. */
  static final String SECRET = "a:AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=";

  /** Commands of the README that need a database or print something else each time, with tests. */
  private static final Map<String, String> RUN_BY =
      Map.of(
          "doctor", "DoctorIT",
          "pack", "PackIT",
          "pool", "OperationsIT",
          "serve", "ServeIT",
          "storm", "StormIT",
          "tour", "TourCommandTest");

  private static final Pattern COMMAND = Pattern.compile("(?m)^(?:\\$ )?\\./mintmark (\\w+)");

  @TempDir Path directory;

  static Stream<ShownCommand> examples() {
    return Stream.of(README, COMMAND_LINE).map(ShownCommand::of).flatMap(List::stream);
  }

  /** With the catalog of docs/masks.md, because the README shows its mask. */
  @ParameterizedTest
  @MethodSource("examples")
  void aCommandPrintsWhatIsShown(ShownCommand example) throws IOException {
    Files.writeString(
        directory.resolve("mintmark.yaml"), "namespace: shop\n" + MASKS.blocks("yaml").get(0));
    Mintmark mintmark = Mintmark.in(directory).with("MINTMARK_SECRET", SECRET);

    // A comment may end the line.
    example.assertPrints(mintmark.shell("{ " + example.line() + "\n} 2>&1").outLines());
  }

  @Test
  void everyOtherCommandOfTheReadmeHasATest() {
    String run = String.join("", README.blocks("console"));
    List<String> others =
        COMMAND
            .matcher(README.text())
            .results()
            .filter(command -> !run.contains(command.group()))
            .map(command -> command.group(1))
            .distinct()
            .toList();

    assertThat(others).containsExactlyInAnyOrderElementsOf(RUN_BY.keySet());
    assertThat(Sources.TESTS.classNames()).containsAll(RUN_BY.values());
  }

  @Test
  void thePagesShowCommandsJavaAndACatalog() {
    assertThat(ShownCommand.of(README)).hasSizeGreaterThanOrEqualTo(3);
    assertThat(ShownCommand.of(COMMAND_LINE)).hasSizeGreaterThanOrEqualTo(2);
    assertThat(README.blocks("java")).hasSize(1);
    assertThat(CATALOG.blocks("yaml")).hasSize(3);
  }

  @Test
  void theJavaCompiles() throws IOException {
    String source =
        """
        import dev.mintmark.*;
        import dev.mintmark.postgres.pool.*;
        import java.util.*;

        class Snippet {
          void run(javax.sql.DataSource dataSource) {
        %s
          }
        }
        """
            .formatted(README.blocks("java").get(0));
    Path file = Files.writeString(directory.resolve("Snippet.java"), source);
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    StringWriter complaints = new StringWriter();

    try (StandardJavaFileManager files = compiler.getStandardFileManager(null, null, null)) {
      boolean compiled =
          compiler
              .getTask(
                  complaints,
                  files,
                  null,
                  List.of("-proc:none", "-cp", classPath(), "-d", directory.toString()),
                  null,
                  files.getJavaFileObjects(file))
              .call();

      assertThat(compiled).as(complaints.toString()).isTrue();
    }
  }

  @Test
  void theCatalogIsRead() {
    var catalog = CatalogReader.read("docs/catalog.md", CATALOG.blocks("yaml").get(0));

    assertThat(catalog.namespace()).isEqualTo("bobsburgers");
    assertThat(catalog.pools()).hasSize(2);
    assertThat(catalogOf(1).databases()).containsExactly("global", "eu");
    assertThat(catalogOf(2).collections()).hasSize(3);
  }

  /** One of the examples of the page that have no namespace. */
  private static Catalog catalogOf(int example) {
    String yaml = "namespace: bobsburgers\n" + CATALOG.blocks("yaml").get(example);
    return CatalogReader.read("docs/catalog.md", yaml);
  }

  private static String classPath() {
    return System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
  }
}
