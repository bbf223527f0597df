package dev.mintmark.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * The sources of the console have no type errors, are formatted, and pass their unit tests. The
 * commands are the scripts of {@code app/package.json}; what they need is installed into {@code
 * target/console}.
 *
 * <p>{@link NodeTools} says when the tests are skipped.
 */
@Tag("long")
class ConsoleSourcesTest {
  private static final Path PROJECT = Path.of("").toAbsolutePath();

  private static NodeTools tools;

  @BeforeAll
  static void installTools() throws Exception {
    tools =
        NodeTools.install("the sources of the console", PROJECT, PROJECT.resolve("target/console"));
  }

  @Test
  void theSourcesHaveNoTypeErrors() throws Exception {
    assertPasses("types");
  }

  @Test
  void theSourcesAreFormatted() throws Exception {
    assertPasses("format");
  }

  @Test
  void theUnitTestsPass() throws Exception {
    assertPasses("test");
  }

  private static void assertPasses(String script) throws Exception {
    NodeTools.Outcome outcome = tools.run(PROJECT, "npm", "run", "--silent", script);
    assertThat(outcome.status()).as("npm run %s:%n%s", script, outcome.output()).isZero();
  }
}
