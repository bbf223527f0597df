package dev.mintmark.verify.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class BenchmarkPageTest {
  private static final String PAGE =
      """
      # Benchmarks

      ## Drain

      | | granted | wall |
      |---|--:|--:|
      | **mintmark** | 2,044 | 12 ms |
      | article | 0.5 | - |

      text
      | metric | measured |
      |---|--:|
      | ratio | -3 |
      """;

  @Test
  void tablesAreReadWithTheHeadingAboveThem() {
    assertThat(BenchmarkPage.tables(PAGE))
        .satisfiesExactly(
            drain -> {
              assertThat(drain.section()).isEqualTo("Drain");
              assertThat(drain.rows().get(0))
                  .containsExactly(
                      entry("column 1", "mintmark"),
                      entry("granted", 2044.0),
                      entry("wall, ms", 12.0));
              assertThat(drain.rows().get(1)).containsEntry("granted", 0.5).hasSize(3);
            },
            metrics -> assertThat(metrics.rows().get(0)).containsEntry("measured", -3.0));
  }

  @Test
  void figuresAreWrittenBesideThePage(@TempDir Path directory) throws IOException {
    Path file = directory.resolve("page.md");

    BenchmarkPage.write(file, PAGE);

    assertThat(file).hasContent(PAGE);
    JsonNode figures =
        JsonMapper.shared().readTree(Files.readString(directory.resolve("page.md.json")));
    assertThat(figures.at("/machine/processors").asInt()).isPositive();
    assertThat(figures.at("/tables/0/rows/0/granted").asDouble()).isEqualTo(2044);
  }
}
