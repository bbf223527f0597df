package dev.mintmark.verify;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** The costs in docs/choosing.md are those of docs/benchmarks-sql.md. */
class ChoosingPageTest {
  private static final Map<String, String> KEYS =
      Map.of(
          "`bigint` from a sequence", "`nextval('numbers')`",
          "`mintmark.uuidv7()`", "`mintmark.uuidv7()`",
          "`mintmark.ulid_monotonic()`", "`mintmark.ulid_monotonic()`",
          "`gen_random_uuid()`, UUIDv4", "`gen_random_uuid()`",
          "ULID as text", "`generate_ulid_text()`");

  @Test
  void theCostsAreThoseOfTheBenchmark() {
    String page = new Page("docs/choosing.md").text();
    Map<String, List<String>> on15 = inserts("15");
    Map<String, List<String>> on18 = inserts("18");
    Map<String, List<String>> costs = table(page.substring(page.indexOf("## What it costs")));

    KEYS.forEach(
        (shown, mint) -> {
          List<String> row = on15.getOrDefault(mint, List.of());
          List<String> newer = on18.getOrDefault(mint, List.of());
          assertThat(row).as(mint).hasSizeGreaterThan(10);
          assertThat(newer).as(mint).hasSizeGreaterThan(10);
          assertThat(costs.get(shown))
              .as(shown)
              .containsExactly(shown, row.get(1), newer.get(1), row.get(9), row.get(10));
        });
  }

  /** What was measured of an insert on a version of PostgreSQL. */
  private static Map<String, List<String>> inserts(String version) {
    String benchmarks = new Page("docs/benchmarks-sql.md").text();
    int begin = benchmarks.indexOf("## PostgreSQL " + version);
    assertThat(begin).isPositive();
    int inserts = benchmarks.indexOf("### Insert 1,000,000 rows in one statement", begin);
    return table(benchmarks.substring(inserts, benchmarks.indexOf("### Insert 20,000", inserts)));
  }

  /** The rows of a table by their first cell. */
  private static Map<String, List<String>> table(String text) {
    return text.lines()
        .filter(line -> line.startsWith("| "))
        .map(line -> Arrays.stream(line.substring(1).split("\\|")).map(String::strip).toList())
        .collect(Collectors.toMap(row -> row.get(0), row -> row, (first, next) -> first));
  }
}
