package dev.mintmark.spark;

import static java.util.concurrent.TimeUnit.SECONDS;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.spark.launcher.JavaModuleOptions;

/**
 * {@code spark-submit} in a separate process, started from the jars, as the scripts of Spark start
 * it.
 */
public final class SparkSubmit {
  private static final long SECONDS_MAX = 1_200;

  /** Processes that run for seconds are slower with the second compiler. */
  private static final String FIRST_COMPILER = "-XX:TieredStopAtLevel=1";

  private SparkSubmit() {}

  /** The exit status and the output of a process. */
  public record Finished(int exitStatus, String stdout, String stderr) {
    /** Returns the lines of stdout that start with a prefix. */
    public List<String> lines(String prefix) {
      return stdout.lines().filter(line -> line.startsWith(prefix)).toList();
    }
  }

  /** Runs it with these arguments, without the variables of this JVM that Spark reads. */
  public static Finished run(Path directory, List<String> arguments)
      throws IOException, InterruptedException {
    Process process = start(directory, arguments);
    boolean ended = process.waitFor(SECONDS_MAX, SECONDS);
    if (!ended) {
      List<ProcessHandle> executors = process.descendants().toList();
      process.destroyForcibly();
      executors.forEach(ProcessHandle::destroyForcibly);
    }
    Finished finished =
        new Finished(
            ended ? process.exitValue() : -1,
            Files.readString(stdout(directory)),
            Files.readString(stderr(directory)));
    if (!ended) {
      throw new AssertionError("not done after " + SECONDS_MAX + " s: " + finished);
    }
    return finished;
  }

  /** Starts it. The caller ends the process. */
  public static Process start(Path directory, List<String> arguments) throws IOException {
    Files.createDirectories(directory);
    ProcessBuilder builder =
        new ProcessBuilder(command(directory, arguments))
            .directory(directory.toFile())
            .redirectOutput(stdout(directory).toFile())
            .redirectError(stderr(directory).toFile());
    builder.environment().keySet().removeIf(name -> name.startsWith("SPARK_"));
    builder
        .environment()
        .putAll(
            Map.of(
                "JAVA_HOME",
                System.getProperty("java.home"),
                "SPARK_HOME",
                SparkHome.directory().toString(),
                "SPARK_SCALA_VERSION",
                "2.13",
                "SPARK_LOCAL_IP",
                "127.0.0.1"));
    return builder.start();
  }

  private static Path stdout(Path directory) {
    return directory.resolve("stdout");
  }

  private static Path stderr(Path directory) {
    return directory.resolve("stderr");
  }

  private static List<String> command(Path directory, List<String> arguments) {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of(JavaModuleOptions.defaultModuleOptionArray()));
    command.addAll(List.of("-Xmx512m", FIRST_COMPILER, "-cp", SparkHome.classPath()));
    command.add("org.apache.spark.deploy.SparkSubmit");
    Stream.of(
            "spark.ui.enabled=false",
            "spark.executor.extraJavaOptions=" + FIRST_COMPILER,
            "spark.driver.host=127.0.0.1",
            "spark.driver.bindAddress=127.0.0.1",
            "spark.sql.session.timeZone=UTC",
            "spark.local.dir=" + directory.resolve("local"),
            "spark.sql.warehouse.dir=" + directory.resolve("warehouse"))
        .forEach(setting -> command.addAll(List.of("--conf", setting)));
    command.addAll(arguments);
    return command;
  }
}
