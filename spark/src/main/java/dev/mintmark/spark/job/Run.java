package dev.mintmark.spark.job;

import static org.apache.spark.sql.functions.col;
import static org.apache.spark.sql.functions.count;
import static org.apache.spark.sql.functions.count_if;
import static org.apache.spark.sql.functions.lit;

import dev.mintmark.spark.job.DataFiles.FileTotal;
import java.io.IOException;
import java.io.PrintWriter;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.spark.sql.DataFrameWriter;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Observation;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SaveMode;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.types.StructType;

/** One run of the job: creates the plan or continues it, and converts the incomplete parts. */
final class Run {
  /** The number of rows whose times are checked before the output is partitioned by time. */
  private static final int SAMPLE = 1000;

  private static final String TIMESTAMP_TYPE = "spark.sql.parquet.outputTimestampType";

  private final SparkSession spark;
  private final Request request;
  private final PrintWriter err;
  private final boolean isQuiet;
  private final Duration patience;
  private final long startNanos = System.nanoTime();
  private final FileSystem outputs;
  private final FileSystem rejectFiles;
  private final RunState state;
  private boolean planned;

  /**
   * Creates a run.
   *
   * @param spark a session; the run creates its own session from it, with its own settings
   * @param err the destination of progress and warnings
   * @param isQuiet whether to print no progress
   * @param patience how long to wait for a renewal of the lease of another run
   */
  Run(SparkSession spark, Request request, PrintWriter err, boolean isQuiet, Duration patience)
      throws IOException {
    this.spark = session(spark);
    this.request = request;
    this.err = err;
    this.isQuiet = isQuiet;
    this.patience = patience;
    Configuration hadoop = spark.sparkContext().hadoopConfiguration();
    this.outputs = request.output().getFileSystem(hadoop);
    this.rejectFiles = request.rejects().getFileSystem(hadoop);
    this.state = new RunState(outputs, request.output());
  }

  /**
   * Returns a new session in which the settings of the cluster cannot change values or names, or
   * skip rows.
   */
  private static SparkSession session(SparkSession parent) {
    SparkSession session = parent.newSession();
    if (!session.catalog().functionExists("ulid_text")) {
      throw new IllegalArgumentException(
          "the Spark session does not have the functions of Mintmark: set spark.sql.extensions to"
              + " dev.mintmark.spark.MintmarkExtensions before the first session is created");
    }
    session.conf().set("spark.sql.session.timeZone", "UTC");
    session.conf().set("spark.sql.caseSensitive", true);
    // 007 in the name of a directory is not 7, and another directory may not have a number.
    session.conf().set("spark.sql.sources.partitionColumnTypeInference.enabled", false);
    session.conf().set("spark.sql.files.ignoreCorruptFiles", false);
    session.conf().set("spark.sql.files.ignoreMissingFiles", false);
    session.conf().set("spark.sql.files.ignoreInvalidPartitionPaths", false);
    session.conf().set("spark.sql.binaryOutputStyle", "HEX");
    session.conf().set("spark.sql.legacy.nullValueWrittenAsQuotedEmptyStringCsv", false);
    session.conf().set("spark.sql.legacy.timeParserPolicy", "CORRECTED");
    session.conf().set("spark.sql.parquet.binaryAsString", false);
    // INT96, the default, has microseconds too.
    if (session.conf().get(TIMESTAMP_TYPE).equals("TIMESTAMP_MILLIS")) {
      session.conf().set(TIMESTAMP_TYPE, "TIMESTAMP_MICROS");
    }
    return session;
  }

  /**
   * Completes the output.
   *
   * @throws IllegalArgumentException if the request is not valid, or differs from that of the plan
   * @throws JobException if another run is working on the output, or for another failure that the
   *     message explains
   */
  Summary finish() throws IOException, InterruptedException {
    checkPaths();
    if (state.plan().isEmpty()) {
      checkFree("--output", outputs, request.output());
      checkFree("--rejects", rejectFiles, request.rejects());
    }
    try (Lease lease = Lease.take(outputs, state.control(), patience)) {
      return finish(lease);
    }
  }

  /**
   * Returns whether the plan was stored, by this run or by an earlier one with the same request.
   * From then on, no failure is one of the request.
   */
  boolean isPlanned() {
    return planned;
  }

  private static void checkFree(String option, FileSystem fileSystem, Path directory)
      throws IOException {
    if (DataFiles.isTaken(fileSystem, directory)) {
      throw new IllegalArgumentException(
          "%s %s: it contains files that this job did not write; choose an empty directory"
              .formatted(option, directory));
    }
  }

  private Summary finish(Lease lease) throws IOException, InterruptedException {
    state.removeUnfinished();
    Optional<Plan> begun = state.plan();
    Plan plan;
    Source source;
    if (begun.isPresent() && !request.restart()) {
      plan = begun.get();
      checkArguments(plan);
      source = source();
      source.checkUnchanged(plan);
    } else {
      source = source();
      plan = newPlan(source);
      // The old plan is removed only after the new plan is known to be valid.
      if (begun.isPresent()) {
        removeFiles(begun.get(), lease);
      }
      state.storePlan(plan, lease);
    }
    planned = true;
    SortedMap<Integer, PartResult> done = state.done();
    int partsBefore = done.size();
    if (!state.hasSucceeded()) {
      partsBefore -= forgetChanged(plan, done, lease);
      work(plan, source, done, lease);
    }
    PartResult total = done.values().stream().reduce(PartResult.NONE, PartResult::plus);
    double seconds = (System.nanoTime() - startNanos) / 1e9;
    return new Summary(request, plan.parts().size(), partsBefore, total, seconds);
  }

  /**
   * Forgets the results of parts whose files are no longer those that were written, and returns how
   * many these are.
   */
  private int forgetChanged(Plan plan, SortedMap<Integer, PartResult> done, Lease lease)
      throws IOException {
    SortedMap<Integer, String> changed = changed(plan, done, lease);
    lease.check();
    for (Map.Entry<Integer, String> part : changed.entrySet()) {
      warn(part.getValue() + ": the part is converted again");
      state.removeResult(part.getKey());
      done.remove(part.getKey());
    }
    return changed.size();
  }

  /** Returns the complete parts whose files are not those that were written, and what differs. */
  private SortedMap<Integer, String> changed(
      Plan plan, SortedMap<Integer, PartResult> done, Lease lease) throws IOException {
    Map<Integer, FileTotal> output = output(plan, lease).published();
    Map<Integer, FileTotal> rejects = rejects(plan, lease).published();
    SortedMap<Integer, String> changed = new TreeMap<>();
    done.forEach(
        (part, written) -> {
          FileTotal inOutput = output.getOrDefault(part, FileTotal.NONE);
          FileTotal inRejects = rejects.getOrDefault(part, FileTotal.NONE);
          if (!inOutput.equals(written.inOutput()) || !inRejects.equals(written.inRejects())) {
            changed.put(
                part,
                "part %s has %s in the output and %s in the rejects; written were %s and %s"
                    .formatted(part, inOutput, inRejects, written.inOutput(), written.inRejects()));
          }
        });
    return changed;
  }

  private void work(Plan plan, Source source, SortedMap<Integer, PartResult> done, Lease lease)
      throws IOException, InterruptedException {
    lease.check();
    output(plan, lease).removeParts(part -> !done.containsKey(part));
    lease.check();
    rejects(plan, lease).removeParts(part -> !done.containsKey(part));
    JobProgress progress = new JobProgress(err, plan.parts().size(), done.size());
    long rows = 0;
    for (Part part : plan.parts()) {
      if (!done.containsKey(part.number())) {
        PartResult result = convert(plan, source, part, lease);
        done.put(part.number(), result);
        rows += result.rows();
        if (!isQuiet) {
          progress.partDone(part.number(), done.size(), rows);
        }
      }
    }
    checkUnchanged(plan, done, lease);
    source.checkAllRead(plan);
    lease.check();
    output(plan, lease).removeStaging();
    rejects(plan, lease).removeStaging();
    state.succeed(lease);
  }

  /**
   * A run that was suspended, and resumes after this run took its lease, can remove a last file.
   */
  private void checkUnchanged(Plan plan, SortedMap<Integer, PartResult> done, Lease lease)
      throws IOException {
    SortedMap<Integer, String> changed = changed(plan, done, lease);
    if (!changed.isEmpty()) {
      throw new JobException(
          "%s: %s; another run or program has changed them; run the job again, which converts %s again"
              .formatted(
                  request.output(),
                  changed.get(changed.firstKey()),
                  changed.size() == 1 ? "the part" : changed.size() + " such parts"));
    }
  }

  private void checkPaths() throws IOException {
    Path output = outputs.makeQualified(request.output());
    Path rejects = rejectFiles.makeQualified(request.rejects());
    checkApart("--output", output, "--rejects", rejects);
    if (request.input() instanceof Request.Files files) {
      Configuration hadoop = spark.sparkContext().hadoopConfiguration();
      Path input = files.path().getFileSystem(hadoop).makeQualified(files.path());
      checkApart("--input", input, "--output", output);
      checkApart("--input", input, "--rejects", rejects);
    }
  }

  private static void checkApart(String option, Path path, String otherOption, Path other) {
    String one = path + "/";
    String two = other + "/";
    if (one.startsWith(two) || two.startsWith(one)) {
      throw new IllegalArgumentException(
          "%s %s and %s %s: neither may be within the other"
              .formatted(option, path, otherOption, other));
    }
  }

  private void checkArguments(Plan plan) {
    Map<String, String> now = request.arguments();
    TreeSet<String> names = new TreeSet<>(now.keySet());
    names.addAll(plan.arguments().keySet());
    for (String name : names) {
      String then = plan.arguments().getOrDefault(name, "");
      if (!then.equals(now.getOrDefault(name, ""))) {
        throw new IllegalArgumentException(
            ("%s was started with other arguments: %s was \"%s\" and is \"%s\"; continue with the"
                    + " former arguments, or start over with --restart")
                .formatted(request.output(), name, then, now.getOrDefault(name, "")));
      }
    }
  }

  private Source source() throws IOException {
    if (request.input() instanceof Request.Files files) {
      return FileSource.open(spark, files, request.csv());
    }
    Request.Table table = (Request.Table) request.input();
    return TableSource.open(spark, table, request.columns().get(0), this::warn);
  }

  private Plan newPlan(Source source) {
    StructType schema = source.schema();
    Instant now = Instant.now();
    PartConversion conversion = new PartConversion(request, schema, now);
    Plan plan =
        new Plan(
            UUID.randomUUID().toString().substring(0, 8),
            now.toEpochMilli(),
            request.arguments(),
            source.origin(),
            schema.json(),
            source.divide(request.parts()));
    if (conversion.isPartitioned() && !plan.parts().isEmpty()) {
      checkTimes(conversion, source.read(plan, plan.parts().get(0)));
    }
    return plan;
  }

  /** Checks a sample: random UUIDs have times over nine millennia, with a directory for each. */
  private void checkTimes(PartConversion conversion, Dataset<Row> rows) {
    Row sample =
        rows.filter(conversion.time().isNotNull())
            .limit(SAMPLE)
            .agg(count(lit(1)), count_if(conversion.isFromTheFuture()))
            .head();
    if (2 * sample.getLong(1) > sample.getLong(0)) {
      throw new IllegalArgumentException(
          ("--partition-by %s: of the first %,d identifiers in %s, %,d have a time in the future,"
                  + " so they are not ULIDs or UUIDs of version 7; use --partition-by none")
              .formatted(
                  request.partitionBy().label(),
                  sample.getLong(0),
                  request.columns().get(0),
                  sample.getLong(1)));
    }
  }

  private PartResult convert(Plan plan, Source source, Part input, Lease lease)
      throws IOException, InterruptedException {
    int part = input.number();
    StructType schema = (StructType) StructType.fromJson(plan.schema());
    PartConversion conversion =
        new PartConversion(request, schema, Instant.ofEpochMilli(plan.plannedAtMillis()));
    Dataset<Row> converted = conversion.convert(source.read(plan, input));
    Observation counts = new Observation();
    Dataset<Row> counted =
        converted.observe(
            counts,
            count(lit(1)).as("rows"),
            count_if(col(PartConversion.REJECTED)).as("rejected"),
            count_if(source.isSuspect(plan)).as("suspect"));
    write(
        conversion.accepted(counted),
        output(plan, lease).staging(part),
        conversion.isPartitioned());
    long rejected = counted(counts, "rejected");
    if (rejected > 0) {
      Observation again = new Observation();
      Dataset<Row> rejects = conversion.rejected(converted);
      write(
          rejects.observe(again, count(lit(1)).as("rows")),
          rejects(plan, lease).staging(part),
          false);
      checkSame(part, rejected, counted(again, "rows"));
    }
    source.checkRead(input, counted(counts, "suspect") > 0);
    lease.check();
    FileTotal inRejects = rejected > 0 ? rejects(plan, lease).publish(part) : FileTotal.NONE;
    FileTotal inOutput = output(plan, lease).publish(part);
    PartResult result = PartResult.of(counted(counts, "rows"), rejected, inOutput, inRejects);
    state.storeResult(part, result, lease);
    return result;
  }

  /** Compares two reads: rejects are read separately, and a row of a table may have changed. */
  private static void checkSame(int part, long first, long second) {
    if (first != second) {
      throw new JobException(
          "part %s changed while it was read: %,d rows were rejected, and then %,d; run the job again"
              .formatted(part, first, second));
    }
  }

  private void write(Dataset<Row> rows, Path directory, boolean isPartitioned) {
    DataFrameWriter<Row> writer = rows.write().mode(SaveMode.Overwrite);
    if (isPartitioned) {
      writer = writer.partitionBy(request.partitionColumn());
    }
    if (request.outputFormat() == Format.CSV) {
      writer.options(request.csv().toWrite()).csv(directory.toString());
    } else {
      writer.parquet(directory.toString());
    }
  }

  private static long counted(Observation observation, String name) throws InterruptedException {
    return (Long) Objects.requireNonNull(observation.getAsJava().get(name), name);
  }

  /** Removes the files that a plan wrote, and the plan. */
  private void removeFiles(Plan plan, Lease lease) throws IOException {
    lease.check();
    state.removeResults();
    output(plan, lease).removeParts(part -> true);
    Path rejects =
        new Path(plan.arguments().getOrDefault("--rejects", request.rejects().toString()));
    FileSystem fileSystem = rejects.getFileSystem(spark.sparkContext().hadoopConfiguration());
    lease.check();
    new DataFiles(fileSystem, rejects, plan.id(), lease.run()).removeParts(part -> true);
    lease.check();
    state.removePlan();
  }

  private DataFiles output(Plan plan, Lease lease) {
    return new DataFiles(outputs, request.output(), plan.id(), lease.run());
  }

  private DataFiles rejects(Plan plan, Lease lease) {
    return new DataFiles(rejectFiles, request.rejects(), plan.id(), lease.run());
  }

  private void warn(String message) {
    err.println("warning: " + message);
    err.flush();
  }
}
