package dev.mintmark.verify;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Each promise of docs/guarantees.md names tests, and the tests of docs/threat-model.md exist too.
 */
class GuaranteesPageTest {
  private static final Pattern TEST = Pattern.compile("`(\\w+(?:Test|IT))`");

  private static final List<String> PROMISES =
      new Page("docs/guarantees.md")
          .text()
          .lines()
          .filter(line -> line.startsWith("| ") && !line.startsWith("| promise"))
          .toList();

  @Test
  void everyPromiseNamesATest() {
    assertThat(PROMISES).hasSizeGreaterThan(20).allMatch(line -> TEST.matcher(line).find());
  }

  @Test
  void everyTestExists() {
    Set<String> tests = Sources.TESTS.classNames();

    assertThat(PROMISES.stream().flatMap(GuaranteesPageTest::named)).isSubsetOf(tests);
    assertThat(new Page("docs/threat-model.md").text().lines().flatMap(GuaranteesPageTest::named))
        .hasSizeGreaterThan(20)
        .isSubsetOf(tests);
  }

  /**
   * Continuous integration leaves out what has the tag of the matrix: the introduction names it.
   */
  @Test
  void testsThatRunOnceAWeekAreNamed() {
    String introduction = new Page("docs/guarantees.md").text().split("\n## ", 2)[0];
    Set<String> weekly = Sources.TESTS.classesWith("\n@Tag(\"matrix\")\n");

    assertThat(introduction.lines().flatMap(GuaranteesPageTest::named))
        .containsExactlyInAnyOrderElementsOf(
            PROMISES.stream()
                .flatMap(GuaranteesPageTest::named)
                .filter(weekly::contains)
                .collect(Collectors.toCollection(TreeSet::new)));
  }

  private static Stream<String> named(String line) {
    return TEST.matcher(line).results().map(match -> match.group(1));
  }
}
