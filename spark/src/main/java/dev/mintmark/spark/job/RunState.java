package dev.mintmark.spark.job;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;

/**
 * What is known of a job from one run to the next, under the output:
 *
 * <pre>
 *   _mintmark/plan.json       the plan, from the first run on
 *   _mintmark/done/00003.json what became of part 3, once it is complete
 *   _SUCCESS                  once all are
 * </pre>
 *
 * <p>Each file is written beside its place and moved there: it is whole, or not there. Between the
 * two, a run makes sure that it still has its lease: {@link #forgetUnfinished}.
 */
final class RunState {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String END = ".json";

  private final FileSystem fileSystem;
  private final Path root;
  private final Path control;

  RunState(FileSystem fileSystem, Path root) {
    this.fileSystem = fileSystem;
    this.root = root;
    this.control = new Path(root, DataFiles.CONTROL);
  }

  /** Where this is kept. */
  Path control() {
    return control;
  }

  Optional<Plan> plan() throws IOException {
    return read(planFile(), Plan.class);
  }

  /** Keeps a plan, if the run still has its lease. */
  void keepPlan(Plan plan, Lease lease) throws IOException {
    write(planFile(), JSON.writeValueAsString(plan), lease);
  }

  /**
   * Removes what runs before this one were about to keep. It is the first that a run does with its
   * lease: if one before it was only asleep, after its last look at the lease, it wakes up to find
   * nothing that it could move.
   */
  void forgetUnfinished() throws IOException {
    fileSystem.delete(unfinished(), true);
  }

  /** The parts that are complete, by their numbers. */
  SortedMap<Integer, PartResult> done() throws IOException {
    SortedMap<Integer, PartResult> done = new TreeMap<>();
    if (fileSystem.exists(doneDirectory())) {
      for (FileStatus file : fileSystem.listStatus(doneDirectory())) {
        String name = file.getPath().getName();
        if (name.endsWith(END)) {
          int number = Integer.parseInt(name.substring(0, name.length() - END.length()));
          done.put(number, read(file.getPath(), PartResult.class).orElseThrow());
        }
      }
    }
    return done;
  }

  /** Keeps that a part is complete, if the run still has its lease. */
  void keepDone(int part, PartResult result, Lease lease) throws IOException {
    Path file = new Path(doneDirectory(), "%05d%s".formatted(part, END));
    write(file, JSON.writeValueAsString(result), lease);
  }

  boolean hasSucceeded() throws IOException {
    return fileSystem.exists(successFile());
  }

  /** Tells readers that the output is complete, if the run still has its lease. */
  void succeed(Lease lease) throws IOException {
    write(successFile(), "", lease);
    forgetUnfinished();
  }

  /** Forgets what is done: all parts are to be written again. */
  void forgetDone() throws IOException {
    fileSystem.delete(successFile(), false);
    fileSystem.delete(doneDirectory(), true);
  }

  /** Forgets the plan, once nothing of it is there. */
  void forgetPlan() throws IOException {
    fileSystem.delete(planFile(), false);
  }

  private <T> Optional<T> read(Path file, Class<T> type) throws IOException {
    if (!fileSystem.exists(file)) {
      return Optional.empty();
    }
    try (InputStream content = fileSystem.open(file)) {
      return Optional.of(JSON.readValue(content, type));
    } catch (JsonProcessingException e) {
      throw new JobException(
          file + " is not what this version writes: " + e.getOriginalMessage(), e);
    }
  }

  private void write(Path file, String value, Lease lease) throws IOException {
    Path beside = new Path(unfinished(), "%s-%s".formatted(lease.run(), file.getName()));
    try (OutputStream content = fileSystem.create(beside, true)) {
      content.write(value.getBytes(StandardCharsets.UTF_8));
    }
    fileSystem.mkdirs(file.getParent());
    lease.check();
    if (!fileSystem.rename(beside, file)) {
      throw new IOException("cannot write " + file);
    }
  }

  private Path unfinished() {
    return new Path(control, "unfinished");
  }

  private Path planFile() {
    return new Path(control, "plan" + END);
  }

  private Path doneDirectory() {
    return new Path(control, "done");
  }

  private Path successFile() {
    return new Path(root, "_SUCCESS");
  }
}
