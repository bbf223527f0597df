package dev.mintmark.verify;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mintmark.fixtures.bench.BenchmarkPage;
import dev.mintmark.fixtures.bench.BenchmarkTable;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Every page of benchmarks in docs says when and where it was measured, and its chart and its
 * figures are those of its tables. {@code -Dmintmark.golden=write} derives both anew.
 */
class BenchmarkPagesTest {
  private static final Path DOCS = Checkout.root().resolve("docs");

  /** Of the storm in README.md: figures of both, and how many times as much the other is. */
  private static final Pattern STORM =
      Pattern.compile(
          "(?m)^(wall|db cpu) ms +(?<ours>[0-9,]+) +(?<theirs>[0-9,]+) +(?<ratio>[0-9.]+)x$");

  @Test
  void everyPageOfDocsIsKnown() throws IOException {
    try (Stream<Path> files = Files.list(DOCS)) {
      assertThat(files.filter(file -> file.getFileName().toString().matches("benchmarks.*[.]md")))
          .containsExactlyInAnyOrderElementsOf(
              Stream.of(BenchmarkPage.values()).map(page -> page.in(DOCS)).toList());
    }
  }

  @ParameterizedTest
  @EnumSource
  void everySectionWithATableSaysWhenAndWhereItWasMeasured(BenchmarkPage page) throws IOException {
    List<BenchmarkTable> tables = BenchmarkTable.of(Files.readString(page.in(DOCS)));

    assertThat(tables).isNotEmpty();
    assertThat(tables).filteredOn(table -> table.measured() == null).isEmpty();
  }

  @ParameterizedTest
  @EnumSource
  void theFiguresAndTheChartAreThoseOfThePage(BenchmarkPage page) throws IOException {
    Path file = page.in(DOCS);
    if ("write".equals(System.getProperty("mintmark.golden"))) {
      page.writeBeside(file);
    }
    String text = Files.readString(file);

    assertThat(text).contains(page.links());
    assertThat(BenchmarkPage.beside(file, "json"))
        .as("derive it with -Dmintmark.golden=write")
        .content(StandardCharsets.UTF_8)
        .isEqualTo(page.figures(text));
    assertThat(BenchmarkPage.beside(file, "svg"))
        .as("draw it with -Dmintmark.golden=write")
        .content(StandardCharsets.UTF_8)
        .isEqualTo(page.chart(text).svg());
  }

  @Test
  void theStormOfTheReadmeIsThatOfThePage() {
    String readme = new Page("README.md").text();
    String pools = new Page("docs/benchmarks-pools.md").text();
    String storm = pools.substring(pools.indexOf("\n## 500,000 clients"));
    String ours = row(storm, "| **mintmark** |");
    String theirs = row(storm, "| article |");

    Matcher figure = STORM.matcher(readme);

    for (int figures = 0; figures < 2; figures++) {
      assertThat(figure.find()).as("wall ms and db cpu ms").isTrue();
      assertThat(ours).contains("| " + figure.group("ours") + " ms |");
      assertThat(theirs).contains("| " + figure.group("theirs") + " ms |");
      assertThat(figure.group("ratio"))
          .isEqualTo(
              String.format(
                  Locale.ROOT, "%.1f", number(figure, "theirs") / number(figure, "ours")));
    }
  }

  private static String row(String page, String begin) {
    return page.lines().filter(line -> line.startsWith(begin)).findFirst().orElseThrow();
  }

  private static double number(Matcher figure, String group) {
    return Double.parseDouble(figure.group(group).replace(",", ""));
  }
}
