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

/** ARCHITECTURE.md names modules, classes and files that exist, and no source file is too long. */
class ArchitecturePageTest {
  private static final int LINES_MAX = 600;

  /** A class, or a method or constant of one: {@code `Mint.ofUlids(order)`}. */
  private static final Pattern TYPE = Pattern.compile("`([A-Z][a-z]\\w*)(?:\\.[^`\\s]*)?`");

  private static final Pattern FILE = Pattern.compile("`([\\w./-]+\\.(?:sql|js|json))`");
  private static final Pattern MODULE = Pattern.compile("(?m)^\\| `([\\w-]+)` \\|");

  /** Types that a text names and that are not ours, or inside of another. */
  private static final Set<String> OTHERS = Set.of("ThreadLocal", "Store", "Run");

  @Test
  void everyClassOnThePageExists() throws IOException {
    Set<String> known = Sources.MAIN.classNames();
    known.addAll(testClasses());

    List<String> named = names(TYPE);

    assertThat(named).hasSizeGreaterThan(80);
    assertThat(named).filteredOn(name -> !OTHERS.contains(name)).allMatch(known::contains);
  }

  @Test
  void everyFileOnThePageExists() {
    Set<String> known =
        Stream.of(".sql", ".js", ".json")
            .flatMap(extension -> Sources.MAIN.files(extension).stream())
            .map(file -> file.getFileName().toString())
            .collect(Collectors.toSet());

    assertThat(names(FILE)).hasSizeGreaterThan(4).allMatch(known::contains);
  }

  @Test
  void theTableHasEveryPublishedModule() {
    assertThat(names(MODULE)).containsExactlyInAnyOrderElementsOf(Pom.publishedModules());
  }

  @Test
  void noSourceFileIsLongerThanItsLimit() {
    assertThat(Sources.MAIN.files(".java")).hasSizeGreaterThan(400);
    assertThat(Sources.MAIN.files(".java"))
        .noneSatisfy(file -> assertThat(Files.readAllLines(file)).hasSizeGreaterThan(LINES_MAX));
  }

  private static List<String> names(Pattern pattern) {
    return pattern
        .matcher(new Page("ARCHITECTURE.md").text())
        .results()
        .map(name -> name.group(1))
        .distinct()
        .toList();
  }

  private static Set<String> testClasses() throws IOException {
    Path directory = Checkout.root().resolve("verify/src/test/java/dev/mintmark/verify");
    try (Stream<Path> files = Files.list(directory)) {
      return files
          .map(file -> file.getFileName().toString().replace(".java", ""))
          .collect(Collectors.toSet());
    }
  }
}
