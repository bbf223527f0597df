package dev.mintmark.spark.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mintmark.spark.LocalSpark;
import dev.mintmark.spark.job.DataFiles.FileTotal;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Runs that are killed between two changes of the disk. */
@Tag("long")
class CrashTest {
  private static final String PLAN = "0a1b2c3d";
  private static final int PARTS = 2;
  private static final String IMPLEMENTATION = "fs.crash.impl";
  private static final String CRASHING = CrashingFileSystem.class.getName();

  @TempDir Path directory;

  @AfterEach
  void mend() {
    CrashingFileSystem.crashAfter(Integer.MAX_VALUE);
  }

  /** Runs the last steps of a part with files that the test creates, and ends after each change. */
  @Test
  void partsAreThereOnceWhereverTheirMovesEnd() throws IOException {
    FileSystem disk = crashing();
    int changes = 0;
    boolean crashed = true;
    while (crashed) {
      Path output = directory.resolve("output" + changes);
      crashed = false;
      CrashingFileSystem.crashAfter(changes);
      try {
        finishByHand(disk, output);
      } catch (IOException e) {
        crashed = true;
      }
      CrashingFileSystem.crashAfter(Integer.MAX_VALUE);
      finishByHand(disk, output);

      assertThat(names(output))
          .as("after %d changes", changes)
          .containsExactly(
              "created=1/part-00001-0a1b2c3d-a.parquet",
              "created=1/part-00001-0a1b2c3d-b.parquet",
              "created=1/part-00002-0a1b2c3d-a.parquet",
              "created=1/part-00002-0a1b2c3d-b.parquet",
              "created=2/part-00001-0a1b2c3d-a.parquet",
              "created=2/part-00002-0a1b2c3d-a.parquet");
      changes++;
    }
    assertThat(changes).isGreaterThan(15);
  }

  /** Ends whole runs after random numbers of changes. */
  @Test
  void rowsAreThereOnceWhereverARunEnds() throws Exception {
    LocalSpark.newSession().sparkContext().hadoopConfiguration().set(IMPLEMENTATION, CRASHING);
    long seed = System.nanoTime();
    Random random = new Random(seed);
    Path input = directory.resolve("orders");
    SampleRows.parquet(input, 0, 100, 3);
    Path output = directory.resolve("readable");
    String[] args = {
      "--format",
      "parquet",
      "--input",
      input.toString(),
      "--output",
      "crash:" + output,
      "--column",
      "id,parent",
      "--parts",
      "3",
      "--partition-by",
      "month"
    };

    int crashes = 0;
    boolean crashed = true;
    while (crashed) {
      CrashingFileSystem.crashAfter(40 + random.nextInt(80));
      try {
        new JobRun().finish(args);
      } catch (Exception e) {
        assertThat(CrashingFileSystem.hasCrashed()).as("seed %d: %s", seed, e).isTrue();
        crashes++;
      }
      crashed = CrashingFileSystem.hasCrashed();
    }
    CrashingFileSystem.crashAfter(Integer.MAX_VALUE);

    assertThat(crashes).as("seed %d", seed).isPositive();
    assertThat(SampleRows.read(output, "number", "id", "id_text", "parent", "parent_text", "note"))
        .as("seed %d", seed)
        .isEqualTo(SampleRows.converted(0, 100));
    assertThat(SampleRows.read(directory.resolve("readable-rejects")))
        .as("seed %d", seed)
        .isEqualTo(SampleRows.rejected(0, 100));
  }

  @Test
  void filesOfOthersAreNeverRemoved() throws IOException {
    FileSystem disk = crashing();
    Path output = directory.resolve("output");
    Files.createDirectories(output);
    Files.writeString(output.resolve("part-00001-ffffffff-a.parquet"), "of another plan");
    Files.writeString(output.resolve("notes.txt"), "of a person");
    Files.writeString(output.resolve("part-00001-0a1b2c3d-a.parquet"), "of this plan");

    files(disk, output).removeParts(part -> true);

    assertThat(names(output)).containsExactly("notes.txt", "part-00001-ffffffff-a.parquet");
  }

  /** The run is suspended between two checks of its lease. */
  @Test
  void runThatWakesUpAfterATakeoverKeepsNothing() throws IOException {
    FileSystem disk = crashing();
    Path output = directory.resolve("output");
    RunState state = new RunState(disk, path(output));
    Lease asleep = Lease.take(disk, state.control(), Duration.ZERO);
    DataFiles files = new DataFiles(disk, path(output), PLAN, asleep.run());
    for (String name : List.of("part-a.parquet", "part-b.parquet")) {
      Path staged = Path.of(files.staging(1).toUri().getPath(), name);
      Files.createDirectories(staged.getParent());
      Files.writeString(staged, "asleep");
    }
    CrashingFileSystem.crashAfter(2);
    assertThatThrownBy(() -> files.publish(1)).hasMessage("killed");
    CrashingFileSystem.crashAfter(Integer.MAX_VALUE);

    Lease awake = Lease.take(disk, state.control(), Duration.ZERO);
    new DataFiles(disk, path(output), PLAN, awake.run()).removeParts(part -> true);

    assertThatThrownBy(() -> files.publish(1))
        .isInstanceOf(JobException.class)
        .hasMessageMatching("part 1: .*/_mintmark/staging/.*, to which this run wrote, .*");
    assertThatThrownBy(() -> state.storeResult(1, PartResult.NONE, asleep))
        .isInstanceOf(JobException.class);
    assertThatThrownBy(() -> state.succeed(asleep)).isInstanceOf(JobException.class);
    assertThat(names(output)).isEmpty();
    assertThat(state.done()).isEmpty();
    awake.close();
  }

  @Test
  void runThatWakesUpAfterATakeoverRemovesNothingOfItsSuccessor() throws IOException {
    FileSystem disk = crashing();
    Path output = directory.resolve("output");
    RunState state = new RunState(disk, path(output));
    Lease asleep = Lease.take(disk, state.control(), Duration.ZERO);
    DataFiles ofAsleep = new DataFiles(disk, path(output), PLAN, asleep.run());
    stage(ofAsleep, "asleep");
    Lease awake = Lease.take(disk, state.control(), Duration.ZERO);
    DataFiles ofAwake = new DataFiles(disk, path(output), PLAN, awake.run());
    stage(ofAwake, "awake");

    ofAsleep.removeStaging();

    assertThat(Path.of(ofAsleep.staging(1).toUri().getPath())).doesNotExist();
    assertThat(ofAwake.publish(1).number()).isEqualTo(1);
    assertThat(output.resolve("part-00001-0a1b2c3d-a.parquet")).hasContent("awake");
    awake.close();
  }

  private static void stage(DataFiles files, String content) throws IOException {
    Path staged = Path.of(files.staging(1).toUri().getPath(), "part-a.parquet");
    Files.createDirectories(staged.getParent());
    Files.writeString(staged, content);
  }

  @Test
  void whatIsStagedOfAnotherPlanStays() throws IOException {
    FileSystem disk = crashing();
    Path rejects = directory.resolve("rejects");
    DataFiles ours = files(disk, rejects);
    DataFiles others = new DataFiles(disk, path(rejects), "ffffffff", "00000001-00000000");
    stage(others, "of another plan");

    ours.removeParts(part -> true);
    ours.removeStaging();

    assertThat(others.publish(1).number()).isEqualTo(1);
  }

  @Test
  void brokenPlanIsTold() throws IOException {
    Path output = directory.resolve("output");
    Files.createDirectories(output.resolve("_mintmark"));
    Files.writeString(output.resolve("_mintmark/plan.json"), "{");
    RunState state = new RunState(crashing(), path(output));

    assertThatThrownBy(state::plan)
        .isInstanceOf(JobException.class)
        .hasMessageContaining("plan.json does not have the format of this version");
  }

  /** Does the work of a run without Spark. */
  private static void finishByHand(FileSystem disk, Path output) throws IOException {
    RunState state = new RunState(disk, path(output));
    DataFiles files = files(disk, output);
    try (Lease lease = Lease.take(disk, state.control(), Duration.ZERO)) {
      finishByHand(state, files, lease);
    }
  }

  private static void finishByHand(RunState state, DataFiles files, Lease lease)
      throws IOException {
    state.removeUnfinished();
    var done = state.done();
    files.removeParts(part -> !done.containsKey(part));
    for (int part = 1; part <= PARTS; part++) {
      if (!done.containsKey(part)) {
        for (String file : List.of("created=1/part-a", "created=1/part-b", "created=2/part-a")) {
          Path staged = Path.of(files.staging(part).toUri().getPath()).resolve(file + ".parquet");
          Files.createDirectories(staged.getParent());
          Files.writeString(staged, file);
        }
        state.storeResult(part, PartResult.of(0, 0, files.publish(part), FileTotal.NONE), lease);
      }
    }
    files.removeStaging();
    state.succeed(lease);
  }

  private static DataFiles files(FileSystem disk, Path output) {
    return new DataFiles(disk, path(output), PLAN, "00000001-00000000");
  }

  private static org.apache.hadoop.fs.Path path(Path output) {
    return new org.apache.hadoop.fs.Path("crash:" + output);
  }

  private static FileSystem crashing() throws IOException {
    Configuration configuration = new Configuration();
    configuration.set(IMPLEMENTATION, CRASHING);
    return new org.apache.hadoop.fs.Path("crash:///").getFileSystem(configuration);
  }

  private static List<String> names(Path root) {
    List<String> names = new ArrayList<>();
    try (Stream<Path> files = Files.walk(root)) {
      files
          .filter(Files::isRegularFile)
          .map(file -> root.relativize(file).toString())
          .filter(name -> !name.startsWith("_"))
          .sorted()
          .forEach(names::add);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return names;
  }
}
