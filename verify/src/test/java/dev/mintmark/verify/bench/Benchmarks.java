package dev.mintmark.verify.bench;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.profile.GCProfiler;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;

/**
 * Measures every operation beside those libraries that have it too, in one run, and prints a table:
 * time with one thread and with two, and bytes allocated. Absolute times are those of the machine;
 * what counts is the ratio.
 *
 * <pre>
 *   Benchmarks [--write FILE] [REGEX]    operations whose name matches; all without one
 * </pre>
 */
@SuppressWarnings("rawtypes") // Results of JMH are.
public final class Benchmarks {
  private static final String OURS = "mintmark";

  private static final Comparator<String> OURS_FIRST =
      Comparator.comparing((String library) -> !library.equals(OURS))
          .thenComparing(Comparator.naturalOrder());

  /** As JMH calls the bytes that one operation allocates. */
  private static final String BYTES = "gc.alloc.rate.norm";

  private Benchmarks() {}

  /** What one library needs for one operation. */
  private record Cost(double nanosOfOne, double nanosOfTwo, double bytes) {}

  public static void main(String[] args) throws RunnerException, IOException {
    boolean isWriting = args.length > 1 && args[0].equals("--write");
    List<String> others = List.of(args).subList(isWriting ? 2 : 0, args.length);
    String wanted = others.isEmpty() || others.get(0).isEmpty() ? "" : others.get(0);

    Map<String, Map<String, Cost>> costs = costs(measure(wanted, 1), measure(wanted, 2));

    String page = page(costs);
    System.out.println(page);
    if (isWriting) {
      Files.writeString(Path.of(args[1]), page);
    }
  }

  private static Collection<RunResult> measure(String wanted, int threads) throws RunnerException {
    return new Runner(
            new OptionsBuilder()
                .include(Pattern.quote(Benchmarks.class.getPackageName()) + ".*" + wanted)
                .mode(Mode.AverageTime)
                .timeUnit(TimeUnit.NANOSECONDS)
                .threads(threads)
                .forks(1)
                .warmupIterations(2)
                .warmupTime(TimeValue.seconds(1))
                .measurementIterations(3)
                .measurementTime(TimeValue.seconds(1))
                .addProfiler(GCProfiler.class)
                .build())
        .run();
  }

  /** By operation, then by library, ours first. */
  private static Map<String, Map<String, Cost>> costs(
      Collection<RunResult> withOne, Collection<RunResult> withTwo) {
    Map<String, Double> nanosOfTwo = new HashMap<>();
    withTwo.forEach(result -> nanosOfTwo.put(name(result), nanos(result)));
    Map<String, Map<String, Cost>> costs = new TreeMap<>();
    for (RunResult result : withOne) {
      costs
          .computeIfAbsent(operation(result), operation -> new TreeMap<>(OURS_FIRST))
          .put(
              library(result),
              new Cost(
                  nanos(result), nanosOfTwo.getOrDefault(name(result), Double.NaN), bytes(result)));
    }
    return costs;
  }

  private static double nanos(RunResult result) {
    return result.getPrimaryResult().getScore();
  }

  private static double bytes(RunResult result) {
    return result.getSecondaryResults().entrySet().stream()
        .filter(entry -> entry.getKey().endsWith(BYTES))
        .mapToDouble(entry -> entry.getValue().getScore())
        .findFirst()
        .orElse(Double.NaN);
  }

  private static String page(Map<String, Map<String, Cost>> costs) {
    StringBuilder page = new StringBuilder();
    page.append(
        """
        # Benchmarks: mint, parse and format identifiers

        Each operation is compared with the libraries that also have it, in one run of JMH: average time with one thread and with two
        threads that share any state, and allocated bytes. Compare the ratios; nanoseconds depend on the machine.

        To measure everything again and print this page, run

        ```
        mvn -q -Pbenchmarks -DskipTests -pl verify -am test
        ```

        `-Dbenchmarks=UlidParse` measures only some operations; `-Dbenchmarks.write=FILE` writes the page to a file.

        """);
    page.append(
        "%s, JDK %s, %s, %d processors%n%n"
            .formatted(
                LocalDate.now(ZoneOffset.UTC),
                System.getProperty("java.version"),
                processor(),
                Runtime.getRuntime().availableProcessors()));
    page.append("| operation | | 1 thread | | 2 threads | | |\n|---|---|--:|--:|--:|--:|--:|\n");
    costs.forEach((operation, byLibrary) -> rows(page, operation, byLibrary));
    page.append(
        """

        Every mint reads the clock, which takes two thirds of the time of a UUIDv7 or ULID of Mintmark; no library can avoid this. The
        compared operations do not always have the same guarantees:

        - `UuidV7`: uuid-creator mints in ascending order under a lock, and has no other mint. So it is in `UuidV7Ascending` too.
        - `UlidAscending`: ulid-creator adds one, so one id reveals the next; no other ULID library has both an order and fresh
          randomness.
        - `UuidV7Spec`: the other libraries add one; Mintmark adds a random number below 2^32, as RFC 9562 advises.
        - `UuidParse`: the JDK accepts `1-1-1-1-1` as a UUID; the other libraries and Mintmark do not.
        - The text of a UUID comes from the JDK's `toString`, so it is not in the table.
        - `UuidV7Bulk`: robsonkades is not cryptographically strong here, and fills an array of numbers.
        """);
    return page.toString();
  }

  private static void rows(StringBuilder page, String operation, Map<String, Cost> byLibrary) {
    Cost ours = byLibrary.getOrDefault(OURS, new Cost(Double.NaN, Double.NaN, Double.NaN));
    String shown = operation;
    for (Map.Entry<String, Cost> entry : byLibrary.entrySet()) {
      Cost cost = entry.getValue();
      boolean isOurs = entry.getKey().equals(OURS);
      page.append(
          "| %s | %s | %.1f ns | %s | %.1f ns | %s | %.0f B |%n"
              .formatted(
                  shown,
                  isOurs ? "**mintmark**" : entry.getKey(),
                  cost.nanosOfOne(),
                  isOurs ? "" : ratio(cost.nanosOfOne(), ours.nanosOfOne()),
                  cost.nanosOfTwo(),
                  isOurs ? "" : ratio(cost.nanosOfTwo(), ours.nanosOfTwo()),
                  cost.bytes()));
      shown = "";
    }
  }

  private static String ratio(double theirs, double ours) {
    return "%.1fx".formatted(theirs / ours);
  }

  /** Linux tells; elsewhere the architecture has to do. */
  private static String processor() {
    try (Stream<String> lines = Files.lines(Path.of("/proc/cpuinfo"), StandardCharsets.UTF_8)) {
      return lines
          .filter(line -> line.startsWith("model name"))
          .map(line -> line.substring(line.indexOf(':') + 1).strip())
          .findFirst()
          .orElse(System.getProperty("os.arch"));
    } catch (IOException e) {
      return System.getProperty("os.arch");
    }
  }

  /** {@code UuidV4.mintmark}. */
  private static String name(RunResult result) {
    return operation(result) + "." + library(result);
  }

  private static String operation(RunResult result) {
    String name = result.getParams().getBenchmark();
    String owner = name.substring(0, name.lastIndexOf('.'));
    return owner.substring(owner.lastIndexOf('.') + 1);
  }

  private static String library(RunResult result) {
    String name = result.getParams().getBenchmark();
    return name.substring(name.lastIndexOf('.') + 1);
  }
}
