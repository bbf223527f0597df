package dev.mintmark.spring.bench;

import dev.mintmark.fixtures.bench.BenchmarkPage;
import dev.mintmark.fixtures.bench.MeasuredOn;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.spi.ToolProvider;
import org.springframework.boot.SpringBootVersion;

/** The start of an empty application with the starter and without it, in turns, in fresh JVMs. */
public final class StartBenchmarks {
  private static final Pattern STARTED = Pattern.compile("started (\\d+) (\\d+)");

  private static final String INTRODUCTION =
      """
      # Benchmarks of the starter: the start of an application

      An empty web application with JDBC, Jackson, WebFlux, Spring Data and actuator on the class path, without a catalog, in fresh JVMs, in
      turns with the starter's jars on the class path and without them (`-XX:TieredStopAtLevel=1 -XX:+UseSerialGC`): %d starts each. Single
      starts differ by more than the starter costs, so compare medians of many.

      To measure everything again and print this page, run

      ```
      mvn -q -Pstart-benchmarks -DskipTests -pl spring-boot-autoconfigure -am test
      ```

      `-Dstart-benchmarks.starts=30` sets the number of starts; `-Dstart-benchmarks.write=FILE.md` writes the page to a file, and its chart
      and its figures to `FILE.svg` and `FILE.json`.

      %s
      %s
      | start of an empty application, ms | without | with the starter | median of the differences of neighbours |
      |---|--:|--:|--:|
      """;

  private static final String REMARKS =
      """

      The aim is 50 ms of wall clock. `Pools` and the mints are made when they are first used, and the module for Jackson loads the classes of
      identifiers when a mapper first looks for one. What remains is mostly the conditions of the auto-configurations and the binding of the
      properties.
      """;

  private StartBenchmarks() {}

  /** Takes the file to write and the number of starts. */
  public static void main(String[] arguments) throws IOException, InterruptedException {
    int starts = Integer.parseInt(arguments[1]);
    Path own = Files.createTempDirectory("empty-application");
    String libraries = classPath(own, false);
    String withStarter = classPath(own, true);
    long[][] without = new long[2][starts];
    long[][] with = new long[2][starts];
    start(libraries);
    start(withStarter);
    for (int i = 0; i < starts; i++) {
      // In turns, and not always in the same order.
      boolean isFirst = i % 2 == 0;
      record(start(isFirst ? withStarter : libraries), isFirst ? with : without, i);
      record(start(isFirst ? libraries : withStarter), isFirst ? without : with, i);
    }
    String page =
        INTRODUCTION.formatted(
                starts,
                BenchmarkPage.SPRING.links(),
                MeasuredOn.here("Spring Boot " + SpringBootVersion.getVersion()).line())
            + row("wall clock, median", without[0], with[0])
            + row("processor time, median", without[1], with[1])
            + REMARKS;
    System.out.print(page);
    BenchmarkPage.SPRING.write(Path.of(arguments[0]), page);
  }

  /** The class of the application alone, the libraries, and perhaps ours. */
  private static String classPath(Path own, boolean isWithOurs) throws IOException {
    String name = EmptyApplication.class.getName().replace('.', '/') + ".class";
    Path file = own.resolve(name);
    Files.createDirectories(file.getParent());
    try (var stream = StartBenchmarks.class.getClassLoader().getResourceAsStream(name)) {
      Files.write(file, java.util.Objects.requireNonNull(stream).readAllBytes());
    }
    List<String> entries = new ArrayList<>(List.of(own.toString()));
    List<String> ours = new ArrayList<>();
    for (String entry : System.getProperty("java.class.path").split(File.pathSeparator, -1)) {
      // With Hibernate or its repositories it would need a database.
      if (entry.contains("test-classes")
          || entry.contains("hibernate")
          || entry.contains("spring-boot-data-")) {
        continue;
      }
      if (!isOurs(entry)) {
        entries.add(entry);
      } else if (isWithOurs && !entry.contains("fixtures")) {
        ours.add(jar(Path.of(entry)));
      }
    }
    entries.addAll(ours);
    return String.join(File.pathSeparator, entries);
  }

  /** A folder of classes as the jar that an application has: lookups in folders are slower. */
  private static String jar(Path entry) throws IOException {
    if (!Files.isDirectory(entry)) {
      return entry.toString();
    }
    String jar = Files.createTempDirectory("jar").resolve("ours.jar").toString();
    ToolProvider.findFirst("jar")
        .orElseThrow()
        .run(System.out, System.err, "--create", "--file", jar, "-C", entry.toString(), ".");
    return jar;
  }

  /** A module of this checkout, as a folder or a jar. */
  private static boolean isOurs(String entry) {
    return Files.isDirectory(Path.of(entry)) || entry.contains(File.separator + "mintmark-");
  }

  private static long[] start(String classPath) throws IOException, InterruptedException {
    List<String> command =
        new ArrayList<>(List.of(Path.of(System.getProperty("java.home"), "bin/java").toString()));
    // One compiler and one collector: the others' threads hide a difference of this size.
    command.addAll(List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"));
    command.addAll(List.of("-cp", classPath, EmptyApplication.class.getName()));
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    process.waitFor();
    Matcher started = STARTED.matcher(out);
    if (!started.find()) {
      throw new IllegalStateException("the application did not start: " + out);
    }
    return new long[] {Long.parseLong(started.group(1)), Long.parseLong(started.group(2))};
  }

  private static void record(long[] start, long[][] times, int i) {
    times[0][i] = start[0];
    times[1][i] = start[1];
  }

  private static String row(String name, long[] without, long[] with) {
    long[] differences = new long[with.length];
    Arrays.setAll(differences, i -> with[i] - without[i]);
    return String.format(
        Locale.ROOT,
        "| %s | %,d | %,d | %,d |%n",
        name,
        median(without),
        median(with),
        median(differences));
  }

  private static long median(long[] times) {
    long[] sorted = times.clone();
    Arrays.sort(sorted);
    return sorted[sorted.length / 2];
  }
}
