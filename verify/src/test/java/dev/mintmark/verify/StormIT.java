package dev.mintmark.verify;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mintmark.fixtures.Patience;
import dev.mintmark.verify.Mintmark.Outcome;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** {@code mintmark storm}: the article's experiment, on a database that is thrown away. */
@Tag("long")
class StormIT {

  private static final String[] FIGURES = {
    "clients",
    "instances",
    "granted",
    "rejected",
    "false_rejections",
    "doubled",
    "statements",
    "retries",
    "deadlocks",
    "wall_ms",
    "claims_per_s",
    "rejections_per_s",
    "p50_ms",
    "p99_ms",
    "database_cpu_ms"
  };

  private static final int INSTANCES = 50;

  private Path directory = Path.of("");
  private Mintmark mintmark = Mintmark.in(directory);

  @BeforeEach
  void prepare(@TempDir Path temporary) {
    directory = temporary;
    mintmark = Mintmark.in(directory);
  }

  @AfterEach
  void nothingIsLeftBehind() throws IOException {
    assertThat(Processes.leftIn(directory)).isEmpty();
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
    assertThat(outcome.errLines()).containsExactly("creating a temporary database");
  }

  /** In waves: the launcher gives it 512 MiB of heap, here less suffices. */
  @Test
  @Tag("matrix")
  void twoMillionClientsFitIntoTheHeapOfTheLauncher() {
    Outcome outcome = withHeap("448m").run("storm", "--clients", "2000000", "--cold", "--json");

    assertThat(outcome.status()).as(outcome.err()).isZero();
    assertThat(outcome.json().path("granted").intValue()).isEqualTo(2_044);
    assertThat(outcome.json().path("rejected").intValue()).isEqualTo(1_997_956);
    assertThat(outcome.json().path("statements").intValue()).isLessThan(5_000);
  }

  /** A thread without memory would leave the others waiting for its answers. */
  @Test
  void aStormThatRunsOutOfMemoryEnds() {
    Outcome outcome = withHeap("40m").run("storm", "--cold");

    assertThat(outcome.status()).as(outcome.err()).isEqualTo(3);
    Processes.crashPostgres(directory);
    deleteAbandoned();
  }

  @Test
  void aSignalInTheMiddleEndsItWithoutAComplaint() {
    Mintmark.Running storm = withHeap("448m").start("storm", "--clients", "5000000", "--cold");
    Eventually.present(
        Patience.MAX, () -> sessions() > INSTANCES ? Optional.of(sessions()) : Optional.empty());

    storm.process().destroy();
    Outcome outcome = storm.await();

    assertThat(outcome.status()).as(outcome.err()).isEqualTo(143);
    assertThat(outcome.errLines()).containsExactly("creating a temporary database");
  }

  /** Processes of PostgreSQL: one for each connection, and a few of its own. */
  private long sessions() {
    return Processes.in(directory).stream().flatMap(ProcessHandle::children).count();
  }

  private Mintmark withHeap(String heap) {
    return mintmark.with(
        "MINTMARK_JAVA_OPTS", "-Xmx%s -Djava.io.tmpdir=%s".formatted(heap, directory));
  }

  @Test
  void theDiscardedIdeasRunBesideItByName() {
    Outcome outcome =
        mintmark.run(
            "storm --clients 400 --instances 4 --block 10.0.0.0/25 --cold --rival all --json"
                .split(" "));

    JsonNode rivals = outcome.json().path("rivals");
    assertThat(outcome.status()).as(outcome.err()).isZero();
    assertThat(rivals.propertyNames())
        .containsExactly(
            "article",
            "article-keyed",
            "article-cached",
            "random-guess",
            "for-update",
            "for-update-random",
            "nowait",
            "static-shards");
    assertThat(rivals)
        .allSatisfy(rival -> assertThat(rival.propertyNames()).containsExactlyInAnyOrder(FIGURES));
    assertThat(outcome.json().path("rival")).isEqualTo(rivals.path("article"));
  }

  @Test
  void serverProcessesShareTheAddressesBesideTheArticlesQueryAndAreGoneAfterwards() {
    Outcome outcome = mintmark.run("storm --clients 3000 --processes 4 --cold --json".split(" "));

    JsonNode report = outcome.json();
    JsonNode rival = report.path("rival");
    assertThat(outcome.status()).as(outcome.err()).isZero();
    assertThat(report.path("instances").intValue()).isEqualTo(4);
    assertThat(report.path("granted").intValue()).isEqualTo(2_044);
    assertThat(report.path("rejected").intValue()).isEqualTo(956);
    assertThat(report.path("doubled").intValue()).isZero();
    assertThat(report.path("statements").intValue()).isPositive().isLessThan(3_000);
    assertThat(report.propertyNames()).contains(FIGURES).hasSize(FIGURES.length + 1);
    assertThat(rival.propertyNames()).containsExactlyInAnyOrder(FIGURES);
    assertThat(rival.path("instances").intValue()).isEqualTo(4);
    assertThat(rival.path("statements").intValue()).isGreaterThanOrEqualTo(3_000);
    assertThat(outcome.err()).doesNotContain("WARN", "\tat ");
  }

  @Test
  @Tag("matrix")
  void rivalsRunAsServerProcessesBesideIt() {
    Outcome outcome =
        mintmark.run(
            "storm --clients 3000 --processes 1 --rival article,article-cached --cold --json"
                .split(" "));

    JsonNode report = outcome.json();
    assertThat(outcome.status()).as(outcome.err()).isZero();
    assertThat(report.path("rivals").propertyNames()).containsExactly("article", "article-cached");
    assertThat(List.of(report, rival(report, "article"), rival(report, "article-cached")))
        .allSatisfy(
            run -> {
              assertThat(run.path("instances").intValue()).isEqualTo(1);
              assertThat(run.path("granted").intValue()).isBetween(1, 2_044);
              assertThat(run.path("granted").intValue() + run.path("rejected").intValue())
                  .isEqualTo(3_000);
            });
    assertThat(rival(report, "article").path("statements").intValue())
        .isGreaterThanOrEqualTo(3_000);
    assertThat(rival(report, "article-cached").path("statements").intValue())
        .isPositive()
        .isLessThan(3_000);
    assertThat(rival(report, "article-cached").path("deadlocks").isNull()).isFalse();
    assertThat(outcome.err()).doesNotContain("WARN", "\tat ");
  }

  private static JsonNode rival(JsonNode report, String name) {
    return report.path("rivals").path(name);
  }

  @Test
  void serverProcessesEndWithTheOneThatStartedThem() {
    Mintmark.Running storm =
        mintmark.start(
            "storm", "--clients", "500000", "--processes", "2", "--rival", "none", "--cold");
    Eventually.present(
        Patience.MAX, () -> servers().size() == 2 ? Optional.of(2) : Optional.empty());

    storm.process().destroyForcibly();

    Eventually.present(Patience.MAX, () -> servers().isEmpty() ? Optional.of(0) : Optional.empty());
    Processes.crashPostgres(directory);
    deleteAbandoned();
  }

  /** What a killed storm leaves, and a later one would delete. */
  private void deleteAbandoned() {
    try (var files = Files.walk(directory)) {
      files
          .sorted(Comparator.reverseOrder())
          .filter(file -> file.toString().contains("mintmark-temporary-"))
          .forEach(file -> file.toFile().delete());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private List<ProcessHandle> servers() {
    return Processes.in(directory).stream()
        .filter(process -> process.info().commandLine().orElse("").contains("StormServer"))
        .toList();
  }

  @Test
  void tooMuchIsStatus2BeforeAnythingIsStarted() {
    assertThat(mintmark.run("storm", "--clients", "0").errLines())
        .containsExactly("mintmark: --clients is 0: expected 1 to 5000000");
    assertThat(mintmark.run("storm", "--instances", "201").status()).isEqualTo(2);
    assertThat(mintmark.run("storm", "--instances", "2", "--idle", "2").errLines())
        .containsExactly("mintmark: --idle is 2: expected 0 to 1");
    assertThat(mintmark.run("storm", "--processes", "0").errLines())
        .containsExactly("mintmark: --processes is 0: expected 1 to 32");
    assertThat(mintmark.run("storm", "--instances", "8", "--processes", "4").errLines())
        .containsExactly(
            "mintmark: --instances and --processes: expected one of them: each process is an"
                + " instance");
    assertThat(mintmark.run("storm", "--rival", "guess").errLines())
        .containsExactly(
            "mintmark: --rival is \"guess\": expected one of article, article-keyed, article-cached,"
                + " random-guess, for-update, for-update-random, nowait, static-shards, all, none");
    assertThat(mintmark.run("storm", "--rival", "none,article").errLines())
        .containsExactly(
            "mintmark: --rival is \"none,article\": expected names of rivals, or only all, or only"
                + " none");
  }
}
