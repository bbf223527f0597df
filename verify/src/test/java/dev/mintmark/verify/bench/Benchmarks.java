package dev.mintmark.verify.bench;

import static java.util.stream.Collectors.collectingAndThen;
import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.toList;

import dev.mintmark.fixtures.bench.BenchmarkPage;
import dev.mintmark.fixtures.bench.MeasuredOn;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
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
import org.openjdk.jmh.results.format.ResultFormatFactory;
import org.openjdk.jmh.results.format.ResultFormatType;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;

/**
 * Measures every operation beside those libraries that have it too, in one run, and prints a table:
 * time of one operation with several numbers of threads, and bytes allocated. Absolute times are
 * those of the machine; what counts is the ratio.
 *
 * <pre>
 *   Benchmarks FILE THREADS SECONDS [REGEX]    operations whose name matches; all without one
 * </pre>
 *
 * <p>Writes the page to FILE.md, its chart and figures beside it, and all results of JMH in its
 * JSON to FILE.jmh.json.
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

  /** What one library needs for one operation, with each number of threads. */
  private record Cost(Map<Integer, Double> nanosByThreads, double bytes) {
    static Cost of(List<RunResult> results) {
      Map<Integer, Double> nanosByThreads = new HashMap<>();
      results.forEach(
          result ->
              nanosByThreads.put(
                  result.getParams().getThreads(), result.getPrimaryResult().getScore()));
      return new Cost(nanosByThreads, allocated(results.get(0)));
    }

    private static double allocated(RunResult result) {
      return result.getSecondaryResults().entrySet().stream()
          .filter(entry -> entry.getKey().endsWith(BYTES))
          .mapToDouble(entry -> entry.getValue().getScore())
          .findFirst()
          .orElse(Double.NaN);
    }

    double nanos(int threads) {
      return nanosByThreads.getOrDefault(threads, Double.NaN);
    }
  }

  public static void main(String[] args) throws RunnerException, IOException {
    Path page = Path.of(args[0]);
    List<Integer> threads = Stream.of(args[1].split(",")).map(Integer::valueOf).toList();
    TimeValue iteration = TimeValue.milliseconds(Math.round(1_000 * Double.parseDouble(args[2])));
    String wanted = args.length > 3 ? args[3] : "";

    List<RunResult> results = new ArrayList<>();
    for (int count : threads) {
      results.addAll(measure(wanted, count, iteration));
    }

    String text = page(costs(results), threads);
    System.out.println(text);
    BenchmarkPage.OPERATIONS.write(page, text);
    if (Files.isRegularFile(page)) {
      String all = BenchmarkPage.beside(page, "jmh.json").toString();
      ResultFormatFactory.getInstance(ResultFormatType.JSON, all).writeOut(results);
    }
  }

  private static Collection<RunResult> measure(String wanted, int threads, TimeValue iteration)
      throws RunnerException {
    return new Runner(
            new OptionsBuilder()
                .include(Pattern.quote(Benchmarks.class.getPackageName()) + ".*" + wanted)
                .mode(Mode.AverageTime)
                .timeUnit(TimeUnit.NANOSECONDS)
                .threads(threads)
                .forks(1)
                .warmupIterations(2)
                .warmupTime(iteration)
                .measurementIterations(3)
                .measurementTime(iteration)
                .addProfiler(GCProfiler.class)
                .addProfiler(CpuTimeProfiler.class)
                .build())
        .run();
  }

  /** By operation, then by library, ours first. */
  private static Map<String, Map<String, Cost>> costs(List<RunResult> results) {
    return results.stream()
        .collect(
            groupingBy(
                Benchmarks::operation,
                TreeMap::new,
                groupingBy(
                    Benchmarks::library,
                    () -> new TreeMap<>(OURS_FIRST),
                    collectingAndThen(toList(), Cost::of))));
  }

  private static String page(
      Map<String, ? extends Map<String, Cost>> costs, List<Integer> threads) {
    StringBuilder page = new StringBuilder();
    page.append(
        """
        # Benchmarks: mint, parse and format identifiers

        Each operation is compared with the libraries that also have it, in one run of JMH: average time of one operation, with each
        number of threads that share any state, and allocated bytes. Compare the ratios; nanoseconds depend on the machine.

        To measure everything again and print this page, run

        ```
        mvn -q -Pbenchmarks -DskipTests -pl verify -am test
        ```

        `-Dbenchmarks=UlidParse` measures only some operations, `-Dbenchmarks.threads=1,4,16` with other numbers of threads;
        `-Dbenchmarks.write=FILE.md` writes the page to a file, its chart and its figures to `FILE.svg` and `FILE.json`, and all results of
        JMH, processor time included, to `FILE.jmh.json`.
        [Mints](mints.md#many-processors) says what to expect of more processors.

        """);
    page.append(BenchmarkPage.OPERATIONS.links()).append('\n');
    page.append(MeasuredOn.here().line()).append('\n');
    page.append("| operation | |");
    threads.forEach(
        count -> page.append(count == 1 ? " 1 thread | |" : " " + count + " threads | |"));
    page.append(" |\n|---|---|").append("--:|--:|".repeat(threads.size())).append("--:|\n");
    costs.forEach((operation, byLibrary) -> rows(page, operation, byLibrary, threads));
    page.append(
        """

        A mint of UUIDv7s or ULIDs reads the clock, which no library can avoid; one of UUIDv4s does not. The compared operations do not
        always have the same guarantees:

        - `UuidV7`: uuid-creator mints in ascending order under a lock, and has no other mint. So it is in `UuidV7Ascending` too.
        - `UlidAscending`: ulid-creator adds one, so one id reveals the next; no other ULID library has both an order and fresh
          randomness.
        - `UuidV7PerThread`: robsonkades has the same order; this form of it is not cryptographically strong.
        - `SharedAddition`: one addition to a number that all threads share, alone and after the clock was read. It is the part of
          `UuidV7Ascending` and `UlidAscending` that no order across threads can avoid. An addition alone is cheaper than one after
          anything else, because a processor then adds several times before another one gets the number.
        - `UuidV7Spec`: the other libraries add one; Mintmark adds a random number below 2^32, as RFC 9562 advises.
        - `UuidParse`: the JDK accepts `1-1-1-1-1` as a UUID; the other libraries and Mintmark do not.
        - The text of a UUID comes from the JDK's `toString`, so it is not in the table.
        - `UuidV7Bulk`: robsonkades is not cryptographically strong here, and fills an array of numbers.
        """);
    return page.toString();
  }

  private static void rows(
      StringBuilder page, String operation, Map<String, Cost> byLibrary, List<Integer> threads) {
    String shown = operation;
    for (Map.Entry<String, Cost> entry : byLibrary.entrySet()) {
      Cost cost = entry.getValue();
      boolean isOurs = entry.getKey().equals(OURS);
      page.append("| %s | %s |".formatted(shown, isOurs ? "**mintmark**" : entry.getKey()));
      for (int count : threads) {
        Cost ours = byLibrary.get(OURS);
        page.append(
            " %.1f ns | %s |"
                .formatted(
                    cost.nanos(count),
                    isOurs || ours == null ? "" : ratio(cost.nanos(count), ours.nanos(count))));
      }
      page.append(" %.0f B |%n".formatted(cost.bytes()));
      shown = "";
    }
  }

  private static String ratio(double theirs, double ours) {
    return "%.1fx".formatted(theirs / ours);
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
