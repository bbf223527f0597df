package dev.mintmark.verify;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The list of planted bugs fits the sources; {@link PlantedBugsCheck} plants them. */
class PlantedBugsTest {
  @ParameterizedTest
  @MethodSource("all")
  void canBePlanted(PlantedBug bug) throws IOException {
    String source = Files.readString(bug.in(Checkout.root()));

    assertThat(source.split(Pattern.quote(bug.find()), -1)).as(bug.find()).hasSize(2);
    assertThat(bug.replace()).isNotEqualTo(bug.find());
  }

  @ParameterizedTest
  @MethodSource("all")
  void theTestExists(PlantedBug bug) throws IOException {
    Path tests = Checkout.root().resolve(bug.module()).resolve("src/test/java");
    List<Path> classes;
    try (Stream<Path> files = Files.walk(tests)) {
      classes = files.filter(file -> file.endsWith(bug.testClass() + ".java")).toList();
    }

    assertThat(classes).as(bug.test()).hasSize(1);
    assertThat(Files.readString(classes.get(0))).contains(" " + bug.method());
  }

  @Test
  void everyModuleHasThem() throws IOException {
    Set<String> modules =
        all().stream()
            .map(bug -> bug.file().substring(0, bug.file().indexOf('/')))
            .collect(Collectors.toSet());

    assertThat(all()).hasSizeGreaterThanOrEqualTo(23).doesNotHaveDuplicates();
    assertThat(modules)
        .contains("core", "catalog", "postgres", "operations", "embedded", "testkit")
        .contains("warehouse", "app", "spark");
  }

  private static List<PlantedBug> all() throws IOException {
    return PlantedBug.all();
  }
}
