package dev.mintmark.verify;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mintmark.catalog.CatalogReader;
import java.io.IOException;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.MatchResult;
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
  /** A command behind a prompt, and what it prints up to the next one. */
  private static final Pattern COMMAND =
      Pattern.compile("^\\$ (?<command>.*)\n(?<output>(?:(?!\\$ ).*\n)*)", Pattern.MULTILINE);

  private static final Page README = new Page("README.md");
  private static final Page COMMAND_LINE = new Page("docs/command-line.md");
  private static final Page CATALOG = new Page("docs/catalog.md");

  @TempDir Path directory;

  /** A command of the README and what it is said to print; "..." stands for the rest. */
  record Example(String command, List<String> output) {
    static Example of(MatchResult match) {
      return new Example(match.group(1), match.group(2).lines().toList());
    }
  }

  static Stream<Example> examples() {
    return Stream.of(README, COMMAND_LINE)
        .flatMap(page -> page.blocks("console").stream())
        .flatMap(block -> COMMAND.matcher(block).results())
        .map(Example::of);
  }

  @ParameterizedTest
  @MethodSource("examples")
  void aCommandPrintsWhatIsShown(Example example) {
    Mintmark mintmark = Mintmark.in(directory);
    String command = example.command.replace("./mintmark", "\"$0\"");

    List<String> printed = mintmark.shell(command + " 2>&1").outLines();

    List<String> shown = new ArrayList<>(example.output);
    if (shown.remove("  ...")) {
      assertThat(printed).startsWith(shown.toArray(String[]::new));
    } else {
      assertThat(printed).containsExactlyInAnyOrderElementsOf(shown);
    }
  }

  @Test
  void thePagesShowCommandsJavaAndACatalog() {
    assertThat(examples()).hasSizeGreaterThanOrEqualTo(4);
    assertThat(README.blocks("java")).hasSize(1);
    assertThat(CATALOG.blocks("yaml")).hasSize(1);
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
  }

  private static String classPath() {
    return System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
  }
}
