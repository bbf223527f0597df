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
 * The state of a job that later runs need, in files under the output:
 *
 * <pre>
 *   _mintmark/plan.json       the plan, written by the first run
 *   _mintmark/done/00003.json the result of part 3, written when it is complete
 *   _SUCCESS                  written when all parts are complete
 * </pre>
 *
 * <p>Each file is written to another directory and then moved to its place, so it is complete or
 * does not exist. Between the two steps, a run checks that it still holds its lease: {@link
 * #removeUnfinished}.
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

  /** Returns the directory of the plan and the results. */
  Path control() {
    return control;
  }

  Optional<Plan> plan() throws IOException {
    return read(planFile(), Plan.class);
  }

  /** Stores a plan, if the run still holds its lease. */
  void storePlan(Plan plan, Lease lease) throws IOException {
    write(planFile(), JSON.writeValueAsString(plan), lease);
  }

  /**
   * Removes the files that earlier runs wrote and did not move. A run does this first after it has
   * taken the lease. If an earlier run was suspended after its last check of the lease and resumes
   * now, it has no file left to move.
   */
  void removeUnfinished() throws IOException {
    fileSystem.delete(unfinished(), true);
  }

  /** Returns the results of the complete parts, by their numbers. */
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

  /** Stores the result of a complete part, if the run still holds its lease. */
  void storeResult(int part, PartResult result, Lease lease) throws IOException {
    write(resultFile(part), JSON.writeValueAsString(result), lease);
  }

  /** Removes the result of a part, so that the part is written again. */
  void removeResult(int part) throws IOException {
    fileSystem.delete(resultFile(part), false);
  }

  boolean hasSucceeded() throws IOException {
    return fileSystem.exists(successFile());
  }

  /** Marks the output as complete for its readers, if the run still holds its lease. */
  void succeed(Lease lease) throws IOException {
    write(successFile(), "", lease);
    removeUnfinished();
  }

  /** Removes {@code _SUCCESS} and the results of all parts, so that all parts are written again. */
  void removeResults() throws IOException {
    fileSystem.delete(successFile(), false);
    fileSystem.delete(doneDirectory(), true);
  }

  /** Removes the plan. Its files must have been removed before. */
  void removePlan() throws IOException {
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
          file + " does not have the format of this version: " + e.getOriginalMessage(), e);
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

  private Path resultFile(int part) {
    return new Path(doneDirectory(), "%05d%s".formatted(part, END));
  }

  private Path successFile() {
    return new Path(root, "_SUCCESS");
  }
}
