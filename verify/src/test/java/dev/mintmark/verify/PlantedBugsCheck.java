package dev.mintmark.verify;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Plants each bug of the list in a copy of this checkout and runs the test that is to fail. Half a
 * minute for each, so it has a profile of its own: {@code mvn -Pplanted verify}. {@code
 * -Dtest.planted=Horizon} plants those whose description has that text.
 */
final class PlantedBugsCheck {
  private static CheckoutCopy copy;

  @BeforeAll
  static void copy(@TempDir Path directory) throws IOException {
    copy = CheckoutCopy.to(directory.resolve("checkout"));
  }

  @ParameterizedTest
  @MethodSource("bugs")
  void isCaught(PlantedBug bug) throws Exception {
    Path file = bug.in(copy.root());
    String source = Files.readString(file);
    Files.writeString(file, source.replace(bug.find(), bug.replace()));

    CheckoutCopy.Build build;
    try {
      build = copy.maven(Path.of(System.getProperty("java.home")), goals(bug));
    } finally {
      Files.writeString(file, source);
    }

    // Not an error of the compiler, and not a test that was not found.
    assertThat(build.log()).contains("<<< ", bug.testClass());
    assertThat(build.status()).isNotZero();
  }

  private static String[] goals(PlantedBug bug) {
    String test = bug.testClass() + (bug.method().isEmpty() ? "" : "#" + bug.method());
    List<String> goals = new ArrayList<>(List.of("-pl", bug.module(), "-am"));
    if (bug.testClass().endsWith("IT")) {
      goals.addAll(List.of("verify", "-Dtest=none", "-Dit.test=" + test));
    } else {
      goals.addAll(List.of("test", "-Dtest=" + test));
    }
    goals.add("-Dsurefire.failIfNoSpecifiedTests=false");
    goals.add("-Dfailsafe.failIfNoSpecifiedTests=false");
    goals.add("-Dmaven.javadoc.skip");
    return goals.toArray(String[]::new);
  }

  private static List<PlantedBug> bugs() throws IOException {
    String part = System.getProperty("test.planted", "");
    return PlantedBug.all().stream().filter(bug -> bug.what().contains(part)).toList();
  }
}
