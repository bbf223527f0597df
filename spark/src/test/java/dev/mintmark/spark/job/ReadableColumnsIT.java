package dev.mintmark.spark.job;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mintmark.spark.SparkSubmit;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The job as users submit it: the jar in separate processes, two of them executors. */
@Tag("matrix")
class ReadableColumnsIT {
  private static final String JAR = System.getProperty("mintmark.jar", "");
  private static final int ROWS = 20_000;

  /** Far more than are done when the driver is to be killed. */
  private static final int PARTS = 12;

  @TempDir Path directory;

  @Test
  void rowsAreThereOnceThoughTheDriverWasKilled() throws Exception {
    long seed = System.nanoTime();
    Random random = new Random(seed);
    SampleRows.parquet(directory.resolve("orders"), 0, ROWS, PARTS);
    String sign = sign(random);

    Process job =
        SparkSubmit.start(
            directory,
            submitted("local-cluster[2,1,1024]", "--conf", "spark.executor.memory=512m"));
    try {
      awaitFile(job, "_mintmark/done/00001.json");
      awaitFile(job, sign);
    } finally {
      job.destroyForcibly().waitFor();
    }
    assertThat(output().resolve("_SUCCESS")).as("seed %d", seed).doesNotExist();
    Summary summary = new JobRun().finish(args());

    assertThat(summary.partsBefore()).as("seed %d", seed).isBetween(1, PARTS - 1);
    assertThat(
            SampleRows.read(output(), "number", "id", "id_text", "parent", "parent_text", "note"))
        .as("seed %d, killed at %s", seed, sign)
        .isEqualTo(SampleRows.converted(0, ROWS));
    assertThat(SampleRows.read(directory.resolve("readable-rejects")))
        .as("seed %d, killed at %s", seed, sign)
        .isEqualTo(SampleRows.rejected(0, ROWS));
    assertThatTheSummaryIsToldAgain(summary);
  }

  /** Checks the exit status and the output of the process. */
  private void assertThatTheSummaryIsToldAgain(Summary summary) throws Exception {
    List<String> command = new ArrayList<>(submitted("local[1]"));
    command.add("--json");
    SparkSubmit.Finished finished = SparkSubmit.run(directory, command);

    assertThat(finished.exitStatus()).as(finished.stderr()).isEqualTo(1);
    assertThat(finished.lines("{"))
        .singleElement()
        .asString()
        .contains("\"rows\":%d,".formatted(ROWS))
        .contains("\"rejected\":%d,".formatted(summary.total().rejected()))
        .contains("\"partsBefore\":%d,".formatted(PARTS));
  }

  private List<String> submitted(String master, String... settings) {
    List<String> command = new ArrayList<>(List.of("--master", master));
    command.addAll(List.of(settings));
    command.addAll(List.of("--class", ReadableColumns.class.getName(), JAR));
    command.addAll(List.of(args()));
    return command;
  }

  /** Returns the file at whose creation the driver is killed: a part is done, staged or moved. */
  private static String sign(Random random) {
    int part = 2 + random.nextInt(3);
    return switch (random.nextInt(3)) {
      case 0 -> "_mintmark/done/%05d.json".formatted(part);
      case 1 -> "_mintmark/staging/PLAN/RUN/%05d".formatted(part);
      default -> "created=2026-02/part-%05d-".formatted(part);
    };
  }

  private void awaitFile(Process job, String start) throws InterruptedException {
    while (!isThere(start)) {
      assertThat(job.isAlive()).as("it ended before there was %s", start).isTrue();
      Thread.sleep(1);
    }
  }

  private boolean isThere(String start) {
    String plan = names("_mintmark/staging").findFirst().orElse("none");
    String run = names("_mintmark/staging/" + plan).findFirst().orElse("none");
    int slash = start.lastIndexOf('/');
    return names(start.substring(0, slash).replace("PLAN", plan).replace("RUN", run))
        .anyMatch(name -> name.startsWith(start.substring(slash + 1)));
  }

  private Stream<String> names(String directory) {
    String[] names = output().resolve(directory).toFile().list();
    return names == null ? Stream.empty() : Arrays.stream(names);
  }

  private String[] args() {
    return new String[] {
      "--format",
      "parquet",
      "--input",
      directory.resolve("orders").toString(),
      "--output",
      output().toString(),
      "--column",
      "id,parent",
      "--partition-by",
      "month",
      "--parts",
      String.valueOf(PARTS)
    };
  }

  private Path output() {
    return directory.resolve("readable");
  }
}
