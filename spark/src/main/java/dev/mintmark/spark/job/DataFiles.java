package dev.mintmark.spark.job;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.function.IntPredicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;

/**
 * The data files under one directory, the output or the rejects, that a plan writes:
 *
 * <pre>
 *   created=2026-11/part-00003-5f0c9a7e-00000-....parquet   the files of part 3
 *   _mintmark/staging/5f0c9a7e/00000007-1d9e0c3b/00003/created=2026-11/...  the same, staged
 * </pre>
 *
 * <p>A part is written under {@code _mintmark}, which readers skip, and moved when it is complete.
 * Each run has its own staging directory, because tasks may outlive the run that started them. The
 * names of the files contain the plan and the part. So the files of a part that was moved only
 * partly are found and removed, and no other files are removed.
 */
final class DataFiles {
  /** The directory of files that are not data. */
  static final String CONTROL = "_mintmark";

  private static final Pattern NAME = Pattern.compile("part-(\\d{5})-([0-9a-f]{8})-.*");

  /** A number of files and their total size in bytes. */
  record FileTotal(long number, long bytes) {
    static final FileTotal NONE = new FileTotal(0, 0);

    FileTotal plus(FileTotal other) {
      return new FileTotal(number + other.number, bytes + other.bytes);
    }

    @Override
    public String toString() {
      return "%,d %s of %,d bytes".formatted(number, number == 1 ? "file" : "files", bytes);
    }
  }

  private final FileSystem fileSystem;
  private final Path root;
  private final String planId;
  private final String run;

  /**
   * Creates an object for one run of a plan.
   *
   * @param planId the identifier of the plan
   * @param run the unique name of the run, which is less than the names of later runs
   */
  DataFiles(FileSystem fileSystem, Path root, String planId, String run) {
    this.fileSystem = fileSystem;
    this.root = fileSystem.makeQualified(root);
    this.planId = planId;
    this.run = run;
  }

  /** Returns whether readers of a directory skip a file of this name, as Spark does. */
  static boolean isHidden(String name) {
    return (name.startsWith("_") && !name.contains("="))
        || name.startsWith(".")
        || name.endsWith("._COPYING_");
  }

  /** Returns whether a directory contains anything except {@link #CONTROL}. */
  static boolean isTaken(FileSystem fileSystem, Path directory) throws IOException {
    return fileSystem.exists(directory)
        && Arrays.stream(fileSystem.listStatus(directory))
            .anyMatch(child -> !child.getPath().getName().equals(CONTROL));
  }

  /** Returns the directory to which Spark writes a part. */
  Path staging(int part) {
    return new Path(stagings(), "%s/%s/%05d".formatted(planId, run, part));
  }

  /**
   * Moves the staged files of a part to their places. Earlier files of the part must have been
   * removed: see {@link #removeParts}.
   *
   * @return the moved files
   * @throws JobException if the part is not staged
   */
  FileTotal publish(int part) throws IOException {
    Path staging = staging(part);
    if (!fileSystem.exists(staging)) {
      throw new JobException(
          "part %s: %s, to which this run wrote, no longer exists; run the job again"
              .formatted(part, staging));
    }
    List<FileStatus> staged = files(staging);
    long bytes = 0;
    for (FileStatus file : staged) {
      Path target = published(part, staging, file.getPath());
      fileSystem.mkdirs(target.getParent());
      move(file.getPath(), target);
      bytes += file.getLen();
    }
    fileSystem.delete(staging, true);
    return new FileTotal(staged.size(), bytes);
  }

  /** Returns the files of each part that are in their places. */
  Map<Integer, FileTotal> published() throws IOException {
    Map<Integer, FileTotal> published = new HashMap<>();
    for (FileStatus file : files(root)) {
      OptionalInt part = part(file);
      if (part.isPresent()) {
        published.merge(part.getAsInt(), new FileTotal(1, file.getLen()), FileTotal::plus);
      }
    }
    return published;
  }

  private Path published(int part, Path staging, Path file) {
    Path directory = file.getParent();
    String below = directory.toUri().getPath().substring(staging.toUri().getPath().length());
    Path target = below.isEmpty() ? root : new Path(root, below.substring(1));
    String name = file.getName().replaceFirst("^part-", "");
    return new Path(target, "part-%05d-%s-%s".formatted(part, planId, name));
  }

  private void move(Path from, Path to) throws IOException {
    if (!fileSystem.rename(from, to)) {
      throw new IOException("cannot move %s to %s".formatted(from, to));
    }
  }

  /**
   * Removes the files of some parts, staged or moved. Staged files are removed first, so that a run
   * that was suspended and resumes now has no files left to move.
   */
  void removeParts(IntPredicate parts) throws IOException {
    removeStaging();
    for (FileStatus file : files(root)) {
      OptionalInt part = part(file);
      if (part.isPresent() && parts.test(part.getAsInt())) {
        delete(file.getPath());
        removeIfEmpty(file.getPath().getParent());
      }
    }
  }

  /** Returns the part of a moved file; empty for a file that this plan did not write. */
  private OptionalInt part(FileStatus file) {
    Matcher name = NAME.matcher(file.getPath().getName());
    return name.matches() && name.group(2).equals(planId)
        ? OptionalInt.of(Integer.parseInt(name.group(1)))
        : OptionalInt.empty();
  }

  /**
   * Removes the files that this run and earlier runs of the plan have staged. A task that outlived
   * its run may stage files during the removal; these can remain. Staged files of later runs are
   * not removed: this run may have been suspended, and its lease taken over. Nor are those of other
   * plans.
   */
  void removeStaging() throws IOException {
    Path ofPlan = new Path(stagings(), planId);
    if (fileSystem.exists(ofPlan)) {
      for (FileStatus staged : fileSystem.listStatus(ofPlan)) {
        if (staged.getPath().getName().compareTo(run) <= 0) {
          delete(staged.getPath());
        }
      }
      removeIfEmpty(ofPlan);
    }
  }

  /** Removes a directory and its parents, as far as they are empty and below the root. */
  private void removeIfEmpty(Path directory) throws IOException {
    boolean isBelow = directory.depth() > root.depth() && fileSystem.exists(directory);
    if (isBelow && fileSystem.listStatus(directory).length == 0) {
      fileSystem.delete(directory, false);
      removeIfEmpty(directory.getParent());
    }
  }

  private void delete(Path path) throws IOException {
    if (!fileSystem.delete(path, true)) {
      throw new IOException("cannot remove " + path);
    }
  }

  /** Returns the files below a directory that readers do not skip; none if it does not exist. */
  private List<FileStatus> files(Path directory) throws IOException {
    List<FileStatus> files = new ArrayList<>();
    if (fileSystem.exists(directory)) {
      collect(directory, files);
    }
    return files;
  }

  private void collect(Path directory, List<FileStatus> files) throws IOException {
    for (FileStatus child : fileSystem.listStatus(directory)) {
      if (isHidden(child.getPath().getName())) {
        continue;
      }
      if (child.isDirectory()) {
        collect(child.getPath(), files);
      } else {
        files.add(child);
      }
    }
  }

  private Path stagings() {
    return new Path(root, CONTROL + "/staging");
  }
}
