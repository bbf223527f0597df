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
    String benchmarks = new Page("docs/benchmarks-sql.md").text();
    int version = benchmarks.indexOf("## PostgreSQL 15");
    int inserts = benchmarks.indexOf("### Insert 1,000,000 rows in one statement", version);
    Map<String, List<String>> measured =
        table(benchmarks.substring(inserts, benchmarks.indexOf("### Insert 20,000", inserts)));
    Map<String, List<String>> costs = table(page.substring(page.indexOf("## What it costs")));

    assertThat(version).isPositive();
    KEYS.forEach(
        (shown, mint) -> {
          List<String> row = measured.getOrDefault(mint, List.of());
          assertThat(row).as(mint).hasSizeGreaterThan(10);
          assertThat(costs.get(shown))
              .as(shown)
              .containsExactly(shown, row.get(1), row.get(9), row.get(10));
        });
  }

  /** The rows of a table by their first cell. */
  private static Map<String, List<String>> table(String text) {
    return text.lines()
        .filter(line -> line.startsWith("| "))
        .map(line -> Arrays.stream(line.substring(1).split("\\|")).map(String::strip).toList())
        .collect(Collectors.toMap(row -> row.get(0), row -> row, (first, next) -> first));
  }
}
