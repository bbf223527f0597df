package dev.mintmark.verify.bench;

import com.sun.management.OperatingSystemMXBean;
import dev.mintmark.Form;
import dev.mintmark.Transcoder;
import dev.mintmark.Ulid;
import dev.mintmark.fixtures.bench.BenchmarkPage;
import dev.mintmark.fixtures.bench.MeasuredOn;
import dev.mintmark.warehouse.convert.Conversion;
import dev.mintmark.warehouse.convert.CsvConversion;
import dev.mintmark.warehouse.convert.LineConversion;
import dev.mintmark.warehouse.convert.Output;
import dev.mintmark.warehouse.convert.Rejects;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import tools.jackson.databind.json.JsonMapper;

/**
 * Measures {@code mintmark convert} and the JavaScript function of a warehouse team's article over
 * the same files, each in a separate process including its start, and prints a page.
 *
 * <pre>
 *   ConvertBenchmarks FILE ROWS ROUNDS ID128    /dev/null 10000000 2 DIRECTORY
 * </pre>
 *
 * The page goes to FILE besides; in ID128 {@code npm install id128} was run.
 */
public final class ConvertBenchmarks {
  private static final double TIMES_WANTED = 20;
  private static final int WARM_RUNS = 4;
  private static final OperatingSystemMXBean SYSTEM =
      ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);

  /** As {@code ./mintmark} runs it. */
  private static final String JAVA_OPTIONS =
      "-Xshare:auto -XX:-UsePerfData -XX:+UseSerialGC -Xmx64m -XX:Tier4InvocationThreshold=50000"
          + " -XX:Tier4MinInvocationThreshold=20000 -XX:Tier4CompileThreshold=100000";

  private static final String INTRODUCTION =
      """
      # Benchmarks of convert: UUIDs to ULIDs in files

      The input is %,d UUIDs: one on each line, and in the second of three columns of CSV. Each run is a separate process, timed from
      start to end, from file to file; the figure is the best of %d rounds in which the two programs alternate. The rival is the function
      of a warehouse team's article, `Ulid.fromRaw(uuid.replace(/-/g, '')).toCanonical()` of id128 in node. It reads and writes
      one mebibyte at a time and splits CSV at every comma, which `convert` must not do. Both outputs are equal byte for byte. `convert`
      has 64 MiB of heap.

      To measure again and print this page, run

      ```
      npm install --prefix target/id128 id128
      mvn -q -Pconvert-benchmarks -DskipTests -pl verify -am test
      ```

      `-Dconvert-benchmarks.rows=1000000` and `-Dconvert-benchmarks.rounds=1` set the numbers of rows and rounds (default: 10,000,000 and 2);
      `-Dconvert-benchmarks.write=FILE.md` writes the page to a file, and its chart and its figures to `FILE.svg` and `FILE.json`.

      %s
      %s
      """;

  private final Path directory;
  private final int rows;
  private final int rounds;
  private final String id128;
  private final StringBuilder page = new StringBuilder();

  /** What a process took. */
  private record Took(double seconds, double cpuSeconds) {}

  private ConvertBenchmarks(Path directory, int rows, int rounds, String id128) {
    this.directory = directory;
    this.rows = rows;
    this.rounds = rounds;
    this.id128 = id128;
  }

  public static void main(String[] args) throws IOException, InterruptedException {
    if (args.length != 4) {
      throw new IllegalArgumentException("expected FILE ROWS ROUNDS ID128: " + args.length);
    }
    Path directory = Files.createTempDirectory("mintmark-convert-");
    try {
      ConvertBenchmarks benchmarks =
          new ConvertBenchmarks(
              directory, Integer.parseInt(args[1]), Integer.parseInt(args[2]), args[3]);
      benchmarks.measure();
      BenchmarkPage.CONVERT.write(Path.of(args[0]), benchmarks.page);
      System.out.println(benchmarks.page);
    } finally {
      try (Stream<Path> files = Files.walk(directory)) {
        files.sorted(Comparator.reverseOrder()).forEach(ConvertBenchmarks::delete);
      }
    }
  }

  private void measure() throws IOException, InterruptedException {
    MeasuredOn measured =
        MeasuredOn.here(
            "node " + output(List.of("node", "--version")).strip(), "id128 " + versionOfRival());
    page.append(
        INTRODUCTION.formatted(rows, rounds, BenchmarkPage.CONVERT.links(), measured.line()));
    generate();
    page.append(
        """
        | | seconds | rows/s | CPU seconds | rows/s of CPU |
        |---|--:|--:|--:|--:|
        """);
    double lines = race("lines", "lines.txt", "", "");
    double csv = race("CSV", "rows.csv", "--csv --column id", " 1");
    alternate(
        "lines: `cat`", "cat lines.txt > theirs",
        "lines to gzip: `--output ours.gz`", ours("lines.txt", "") + " --output ours.gz",
        "lines to gzip: `mintmark convert` into `gzip`",
            ours("lines.txt", "") + " | gzip > theirs.gz",
        "lines from gzip: `--input ours.gz`", ours("ours.gz", "") + " --output ours");
    page.append("\n| metric | measured | target | |\n|---|--:|--:|---|\n");
    target("times as fast as JavaScript, lines", lines);
    target("times as fast as JavaScript, CSV", csv);
    warm();
  }

  private String versionOfRival() throws IOException {
    Path manifest = Path.of(id128, "node_modules", "id128", "package.json");
    if (!Files.exists(manifest)) {
      throw new IllegalArgumentException(
          "%s: expected the directory of `npm install --prefix DIR id128`, with -Dconvert-benchmarks.id128=DIR"
              .formatted(id128));
    }
    return JsonMapper.shared().readTree(manifest).path("version").stringValue();
  }

  private void generate() throws IOException {
    SplittableRandom random = new SplittableRandom(2);
    try (BufferedWriter lines = Files.newBufferedWriter(directory.resolve("lines.txt"));
        BufferedWriter csv = Files.newBufferedWriter(directory.resolve("rows.csv"))) {
      csv.write("number,id,made\n");
      for (int i = 0; i < rows; i++) {
        String uuid = Form.UUID.write(Ulid.of(random.nextLong() >>> 8, random.nextLong()));
        lines.write(uuid + "\n");
        csv.write(i + "," + uuid + ",2022-03-31T15:23:55.999Z\n");
      }
    }
  }

  /** Returns how many times as fast as the rival ours was. */
  private double race(String what, String input, String options, String column)
      throws IOException, InterruptedException {
    String ours = ours(input, options) + " --output ours";
    String theirs =
        "node rival.js '%s' %s theirs%s".formatted(Path.of(id128).toAbsolutePath(), input, column);
    try (InputStream script =
        Objects.requireNonNull(getClass().getResourceAsStream("convert-rival.js"))) {
      Files.write(directory.resolve("rival.js"), script.readAllBytes());
    }
    Took best = new Took(Double.MAX_VALUE, Double.MAX_VALUE);
    Took bestOfRival = best;
    for (int round = 0; round < rounds; round++) {
      // Ours would see to it that the disk has the new one before it takes the place of another.
      Files.deleteIfExists(directory.resolve("ours"));
      Files.deleteIfExists(directory.resolve("theirs"));
      best = better(best, time(ours));
      bestOfRival = better(bestOfRival, time(theirs));
      if (Files.mismatch(directory.resolve("ours"), directory.resolve("theirs")) >= 0) {
        throw new IllegalStateException("the two did not write the same of " + input);
      }
    }
    row(what + ": `mintmark convert`", best);
    row(what + ": JavaScript", bestOfRival);
    page.append(
        "| **times as fast** | %.1f | | %.1f | |%n"
            .formatted(
                bestOfRival.seconds / best.seconds, bestOfRival.cpuSeconds / best.cpuSeconds));
    return bestOfRival.seconds / best.seconds;
  }

  private static String ours(String input, String options) {
    return "%s %s -cp '%s' dev.mintmark.app.Main convert --to text %s --input %s"
        .formatted(
            Path.of(System.getProperty("java.home"), "bin", "java"),
            JAVA_OPTIONS,
            System.getProperty("java.class.path"),
            options,
            input);
  }

  /** Measures commands in turns. Pairs of a name and a command. */
  private void alternate(String... namesAndCommands) throws IOException, InterruptedException {
    Map<String, Took> best = new LinkedHashMap<>();
    for (int round = 0; round < rounds; round++) {
      for (int i = 0; i < namesAndCommands.length; i += 2) {
        best.merge(namesAndCommands[i], time(namesAndCommands[i + 1]), ConvertBenchmarks::better);
      }
    }
    best.forEach(this::row);
  }

  private static Took better(Took one, Took other) {
    return one.seconds <= other.seconds ? one : other;
  }

  private void row(String name, Took took) {
    page.append(
        "| %s | %.2f | %,.0f | %.2f | %,.0f |%n"
            .formatted(
                name, took.seconds, rows / took.seconds, took.cpuSeconds, rows / took.cpuSeconds));
  }

  private void target(String what, double measured) {
    page.append(
        "| %s | %.1f | at least %.0f | %s |%n"
            .formatted(
                what, measured, TIMES_WANTED, measured >= TIMES_WANTED ? "met" : "**not met**"));
  }

  // ---- Warm

  /** What the loop costs without a start: the last of a few runs in this process. */
  private void warm() throws IOException {
    Transcoder toText = Transcoder.to(Form.TEXT);
    page.append(
        """

        Without the start of the program, in the last of %d runs in one process, the rates for each CPU second of all threads are
        %,.0f lines and %,.0f records.
        """
            .formatted(
                WARM_RUNS,
                warmRate(LineConversion.of(toText), "lines.txt"),
                warmRate(CsvConversion.of(toText, List.of("id")).build(), "rows.csv")));
  }

  private double warmRate(Conversion conversion, String input) throws IOException {
    double rate = 0;
    for (int run = 0; run < WARM_RUNS; run++) {
      long before = SYSTEM.getProcessCpuTime();
      try (InputStream in = Files.newInputStream(directory.resolve(input));
          FileChannel out =
              FileChannel.open(
                  directory.resolve("ours"),
                  StandardOpenOption.CREATE,
                  StandardOpenOption.TRUNCATE_EXISTING,
                  StandardOpenOption.WRITE)) {
        conversion.convert(
            in, new Output.File(out), new Rejects.InPlace(reject -> false), (bytes, done) -> {});
      }
      long nanos = SYSTEM.getProcessCpuTime() - before;
      rate = rows * 1e9 / nanos;
    }
    return rate;
  }

  // ---- Processes

  /** Runs a line of shell, and asks the shell how long it took. */
  private Took time(String command) throws IOException, InterruptedException {
    String[] times =
        output(List.of("bash", "-c", "TIMEFORMAT='%R %U %S'; { time " + command + " ; } 2>&1"))
            .strip()
            .split(" ", -1);
    if (times.length != 3) {
      throw new IllegalStateException(command + ": " + String.join(" ", times));
    }
    return new Took(
        Double.parseDouble(times[0]), Double.parseDouble(times[1]) + Double.parseDouble(times[2]));
  }

  private String output(List<String> command) throws IOException, InterruptedException {
    ProcessBuilder builder =
        new ProcessBuilder(new ArrayList<>(command))
            .directory(directory.toFile())
            .redirectErrorStream(true);
    builder.environment().put("LC_ALL", "C");
    Process process = builder.start();
    String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    if (process.waitFor() != 0) {
      throw new IllegalStateException(command + ": " + out);
    }
    return out;
  }

  private static void delete(Path file) {
    try {
      Files.delete(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
