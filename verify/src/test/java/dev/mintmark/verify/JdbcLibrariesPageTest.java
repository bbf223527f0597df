package dev.mintmark.verify;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The tests of the modules contain the Java of docs/jdbc-libraries.md, and run it. */
class JdbcLibrariesPageTest {
  @Test
  void everyBlockIsInATest() {
    List<String> blocks = new Page("docs/jdbc-libraries.md").blocks("java");
    List<String> tests = Stream.of("jdbi", "jooq").flatMap(JdbcLibrariesPageTest::tests).toList();

    assertThat(blocks).hasSizeGreaterThan(10);
    assertThat(blocks)
        .allSatisfy(
            block -> assertThat(tests).anyMatch(test -> test.contains(withoutLayout(block))));
  }

  private static Stream<String> tests(String module) {
    Path directory = Checkout.root().resolve(module).resolve("src/test/java");
    try (Stream<Path> files = Files.walk(directory)) {
      return files.filter(Files::isRegularFile).map(JdbcLibrariesPageTest::text).toList().stream();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String text(Path file) {
    try {
      return withoutLayout(Files.readString(file));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String withoutLayout(String java) {
    return java.replaceAll("\\s+", "");
  }
}
