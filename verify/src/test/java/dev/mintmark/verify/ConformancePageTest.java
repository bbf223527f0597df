package dev.mintmark.verify;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.mintmark.fixtures.Patience;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The program of docs/conformance.md passes the vectors, run where they are. */
class ConformancePageTest {
  private static final Page PAGE = new Page("docs/conformance.md");

  @Test
  void shownProgramPassesTheVectors(@TempDir Path directory) throws Exception {
    requirePython();
    Path output = directory.resolve("output.txt");

    Process python =
        new ProcessBuilder("python3", "-c", String.join("\n", PAGE.blocks("python")))
            .directory(Checkout.vectors().toFile())
            .redirectErrorStream(true)
            .redirectOutput(output.toFile())
            .start();

    assertThat(python.waitFor(Patience.MAX.toSeconds(), SECONDS)).isTrue();
    assertThat(python.exitValue()).as(Files.readString(output)).isZero();
  }

  private static void requirePython() {
    boolean installed =
        Stream.of(Optional.ofNullable(System.getenv("PATH")).orElse("").split(File.pathSeparator))
            .anyMatch(directory -> Files.isExecutable(Path.of(directory, "python3")));
    if (!installed && "true".equals(System.getenv("CI"))) {
      throw new IllegalStateException("python3 is not installed");
    }
    if (!installed) {
      System.err.println("NOT TESTED: the program of docs/conformance.md: no python3 is installed");
    }
    assumeTrue(installed);
  }
}
