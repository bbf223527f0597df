package dev.mintmark.spark.job;

import dev.mintmark.spark.LocalSpark;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Duration;
import java.util.Map;
import org.apache.spark.SparkConf;
import org.apache.spark.sql.SparkSession;
import picocli.CommandLine;

/** A run in the Spark of the tests, with the arguments of the command line. */
final class JobRun {
  private final StringWriter err = new StringWriter();
  private final SparkSession spark = LocalSpark.newSession();

  /** Completes the output, without waiting for the lease of a run that was killed. */
  Summary finish(String... args) throws IOException, InterruptedException {
    return run(new PrintWriter(err), args).finish();
  }

  Run run(PrintWriter progress, String... args) throws IOException {
    return new Run(spark, request(args), progress, false, Duration.ZERO);
  }

  static Request request(String... args) {
    CommandLine commandLine = ReadableColumns.commandLine();
    commandLine.parseArgs(args);
    ReadableColumns job = commandLine.getCommand();
    return job.request(Map.of(), new SparkConf(false));
  }

  /** Returns the output to stderr. */
  String stderr() {
    return err.toString();
  }
}
