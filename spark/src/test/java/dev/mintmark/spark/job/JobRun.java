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

/** A run in the Spark of the tests, by the arguments of the command line. */
final class JobRun {
  private final StringWriter err = new StringWriter();
  private final SparkSession spark = LocalSpark.newSession();

  /** Does what is left to do, without patience for the lease of a run that is gone. */
  Summary finish(String... args) throws IOException, InterruptedException {
    return new Run(spark, request(args), new PrintWriter(err), false, Duration.ZERO).finish();
  }

  static Request request(String... args) {
    CommandLine commandLine = ReadableColumns.commandLine();
    commandLine.parseArgs(args);
    ReadableColumns job = commandLine.getCommand();
    return job.request(Map.of(), new SparkConf(false));
  }

  /** What was said on stderr. */
  String told() {
    return err.toString();
  }
}
