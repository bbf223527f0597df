package dev.mintmark.verify;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mintmark.verify.Mintmark.Outcome;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** {@code mintmark storm}: the article's experiment, on a database that is thrown away. */
class StormIT {
  private static final String[] FIGURES = {
    "clients",
    "instances",
    "granted",
    "rejected",
    "doubled",
    "statements",
    "wall_ms",
    "claims_per_s",
    "rejections_per_s",
    "p50_ms",
    "p99_ms"
  };

  private Path directory = Path.of("");
  private Mintmark mintmark = Mintmark.in(directory);

  @BeforeEach
  void prepare(@TempDir Path temporary) {
    directory = temporary;
    mintmark = Mintmark.in(directory);
  }

  @AfterEach
  void nothingIsLeftBehind() throws IOException {
    assertThat(Processes.in(directory)).isEmpty();
    try (var files = Files.list(directory)) {
      assertThat(files.filter(Files::isDirectory)).isEmpty();
    }
  }

  @Test
  void everyAddressIsGrantedOnceAndTheRestIsRejectedSoonerThanByTheRival() {
    Outcome outcome = mintmark.run("storm --clients 20000 --instances 8 --rival --json".split(" "));

    JsonNode report = outcome.json();
    JsonNode rival = report.path("rival");
    assertThat(outcome.status()).isZero();
    assertThat(report.propertyNames()).contains(FIGURES).hasSize(FIGURES.length + 1);
    assertThat(rival.propertyNames()).containsExactlyInAnyOrder(FIGURES);
    assertThat(report.path("clients").intValue()).isEqualTo(20_000);
    assertThat(report.path("instances").intValue()).isEqualTo(8);
    assertThat(report.path("granted").intValue()).isEqualTo(2_044);
    assertThat(report.path("rejected").intValue()).isEqualTo(17_956);
    assertThat(report.path("doubled").intValue()).isZero();
    assertThat(rival.path("granted").intValue() + rival.path("rejected").intValue())
        .isEqualTo(20_000);
    assertThat(report.path("statements").intValue())
        .isPositive()
        .isLessThan(rival.path("statements").intValue() / 10);
    assertThat(report.path("p50_ms").doubleValue()).isPositive();
    assertThat(outcome.err()).contains("turned away  17,956 at least");
  }

  @Test
  void theNapkinComesBeforeTheFigures() {
    Outcome outcome = mintmark.run("storm --clients 4088 --instances 2".split(" "));

    assertThat(outcome.status()).isZero();
    assertThat(outcome.outLines())
        .startsWith(
            "addresses    2,044 in [45.67.80.0/22, 203.0.112.0/22]",
            "clients      4,088 through 2 instances",
            "ratio        one address for 2 clients",
            "chance       50.00 % of an address",
            "turned away  2,044 at least")
        .endsWith("no address was granted twice")
        .anyMatch(line -> line.matches("granted +2,044"))
        .anyMatch(line -> line.matches("doubled +0"));
    assertThat(outcome.errLines()).containsExactly("setting up a database that is thrown away");
  }

  @Test
  void tooMuchIsStatus2BeforeAnythingIsStarted() {
    assertThat(mintmark.run("storm", "--clients", "0").errLines())
        .containsExactly("mintmark: --clients is 0: expected 1 to 5000000");
    assertThat(mintmark.run("storm", "--instances", "201").status()).isEqualTo(2);
  }
}
