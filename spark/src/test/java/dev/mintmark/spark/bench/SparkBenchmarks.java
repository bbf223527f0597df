package dev.mintmark.spark.bench;

import static org.apache.spark.sql.functions.col;
import static org.apache.spark.sql.functions.udf;

import dev.mintmark.Ulid;
import dev.mintmark.Uuids;
import dev.mintmark.fixtures.bench.BenchmarkPage;
import dev.mintmark.fixtures.bench.MeasuredOn;
import dev.mintmark.spark.MintmarkExtensions;
import dev.mintmark.spark.MintmarkFunctions;
import java.io.IOException;
import java.math.BigInteger;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.spark.SparkContext;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerTaskEnd;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.api.java.UDF1;
import org.apache.spark.sql.types.DataTypes;

/**
 * Measures {@code ulid_text} and plain UDFs over the same rows in the same run and prints a page.
 *
 * <pre>
 *   SparkBenchmarks FILE DIRECTORY ROWS...    /dev/null target/spark-benchmarks 1000000 10000000 50000000
 * </pre>
 *
 * The page is also written to FILE. The rows are written to DIRECTORY once.
 */
public final class SparkBenchmarks {
  private static final int ROUNDS = 3;

  /** With more rows, the UDF by hand would take an hour without a new result. */
  private static final long ROWS_BY_HAND_MAX = 10_000_000;

  private static final double RATIO_WANTED = 3;
  private static final double GROWTH_WANTED = 1.25;
  private static final String CROCKFORD = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
  private static final int ULID_LENGTH = 26;

  private static final String INTRODUCTION =
      """
      # Benchmarks of the Spark extension

      `ulid_text` is compared with plain UDFs in Java over the same rows in the same run. One thread (`local[1]`) reads a column of UUIDs
      as text from uncompressed Parquet and writes the results to Spark's `noop` sink. The *baseline* is the query that selects the column
      unchanged. Figures are processor time of the tasks for each row, the median of %d rounds in which the queries alternate, after one
      round that is not counted. Compare the ratios; absolute figures depend on the machine.

      - **UDF of ulid-creator**: `Ulid.from(UUID.fromString(text)).toString()` of ulid-creator 5.2.4, the library that most Java
        programs use for ULIDs.
      - **UDF by hand**: code without any library: `new BigInteger(text.replace("-", ""), 16)`, with its digits converted to base 32.
      - **UDF of core**: `Ulid.of(Uuids.parse(text)).toString()`: the same work by the same library; only Spark's part differs.

      To measure everything again and print this page, run

      ```
      mvn -q -Pspark-benchmarks -DskipTests -pl spark -am test
      ```

      `-Dspark-benchmarks.write=FILE.md` writes the page to a file, and its chart and its figures to `FILE.svg` and `FILE.json`;
      `-Dspark-benchmarks.rows="1000000 10000000"` sets other numbers of rows.

      %s
      %s
      | rows | baseline | **ulid_text** | UDF of core | UDF of ulid-creator | UDF by hand |
      |--:|--:|--:|--:|--:|--:|
      """;

  /** The measured queries, each with its selected column. */
  private enum Query {
    BASELINE(col("id")),
    NATIVE(MintmarkFunctions.ulid_text(col("id"))),
    OF_CORE(plain(text -> Ulid.of(Uuids.parse(text)).toString())),
    OF_ULID_CREATOR(
        plain(text -> com.github.f4b6a3.ulid.Ulid.from(UUID.fromString(text)).toString())),
    BY_HAND(plain(SparkBenchmarks::byHand));

    @SuppressWarnings("ImmutableEnumChecker") // It is.
    private final Column selected;

    Query(Column selected) {
      this.selected = selected;
    }

    private static Column plain(UDF1<String, String> function) {
      return udf(function, DataTypes.StringType).apply(col("id"));
    }

    /** Returns the processor time of its tasks, which is the cost even on a busy machine. */
    private long processorNanos(Dataset<Row> ids) throws TimeoutException {
      SparkContext context = ids.sparkSession().sparkContext();
      AtomicLong nanos = new AtomicLong();
      SparkListener listener =
          new SparkListener() {
            @Override
            public void onTaskEnd(SparkListenerTaskEnd task) {
              nanos.addAndGet(task.taskMetrics().executorCpuTime());
            }
          };
      context.addSparkListener(listener);
      ids.select(selected).write().format("noop").mode("overwrite").save();
      context.listenerBus().waitUntilEmpty();
      context.removeSparkListener(listener);
      return nanos.get();
    }
  }

  private static String byHand(String uuid) {
    String digits = new BigInteger(uuid.replace("-", ""), 16).toString(32);
    StringBuilder text = new StringBuilder("0".repeat(ULID_LENGTH - digits.length()));
    for (int i = 0; i < digits.length(); i++) {
      text.append(CROCKFORD.charAt(Character.digit(digits.charAt(i), 32)));
    }
    return text.toString();
  }

  /** The medians for a number of rows, in nanoseconds per row. */
  private record Measured(long rows, Map<Query, Double> nanos) {
    double ratio(Query rival) {
      return nanos(rival) / nanos(Query.NATIVE);
    }

    /** Returns the ratio without the cost of reading and writing a column. */
    double ratioAboveBaseline(Query rival) {
      double baseline = nanos(Query.BASELINE);
      return (nanos(rival) - baseline) / (nanos(Query.NATIVE) - baseline);
    }

    double nanos(Query query) {
      return nanos.getOrDefault(query, Double.NaN);
    }

    String line() {
      return "| %,d | %s | %s | %s | %s | %s |%n"
          .formatted(
              rows,
              cell(Query.BASELINE),
              cell(Query.NATIVE),
              cell(Query.OF_CORE),
              cell(Query.OF_ULID_CREATOR),
              cell(Query.BY_HAND));
    }

    private String cell(Query query) {
      return nanos.containsKey(query) ? "%.1f ns".formatted(nanos(query)) : "-";
    }
  }

  private SparkBenchmarks() {}

  public static void main(String[] args) throws IOException, TimeoutException {
    if (args.length < 3) {
      throw new IllegalArgumentException("expected FILE DIRECTORY ROWS...: " + args.length);
    }
    Path directory = Path.of(args[1]).toAbsolutePath();
    List<Measured> all = new ArrayList<>();
    String version;
    try (SparkSession spark = session(directory)) {
      version = spark.version();
      for (String rows : Arrays.asList(args).subList(2, args.length)) {
        Measured measured =
            measured(ids(spark, directory, Long.parseLong(rows)), Long.parseLong(rows));
        System.err.print(measured.line());
        all.add(measured);
      }
    }
    String page = page(all, version);
    BenchmarkPage.SPARK.write(Path.of(args[0]), page);
    System.out.println(page);
  }

  private static SparkSession session(Path directory) {
    return SparkSession.builder()
        .master("local[1]")
        .config("spark.sql.extensions", MintmarkExtensions.class.getName())
        .config("spark.ui.enabled", false)
        .config("spark.driver.host", "127.0.0.1")
        .config("spark.driver.bindAddress", "127.0.0.1")
        .config("spark.local.dir", directory.resolve("local").toString())
        .getOrCreate();
  }

  private static Dataset<Row> ids(SparkSession spark, Path directory, long rows) {
    String place = directory.resolve(rows + ".parquet").toString();
    if (!Files.exists(Path.of(place, "_SUCCESS"))) {
      spark
          .range(0, rows, 1, 4)
          .selectExpr("uuid() id")
          .write()
          .mode("overwrite")
          .option("compression", "none")
          .parquet(place);
    }
    return spark.read().parquet(place);
  }

  private static Measured measured(Dataset<Row> ids, long rows) throws TimeoutException {
    Set<Query> queries = EnumSet.allOf(Query.class);
    if (rows > ROWS_BY_HAND_MAX) {
      queries.remove(Query.BY_HAND);
    }
    Map<Query, List<Long>> nanos = new EnumMap<>(Query.class);
    for (int round = 0; round <= ROUNDS; round++) {
      for (Query query : queries) {
        long each = query.processorNanos(ids);
        if (round > 0) {
          nanos.computeIfAbsent(query, any -> new ArrayList<>()).add(each);
        }
      }
    }
    Map<Query, Double> medians = new EnumMap<>(Query.class);
    nanos.forEach((query, rounds) -> medians.put(query, (double) median(rounds) / rows));
    return new Measured(rows, medians);
  }

  private static long median(List<Long> rounds) {
    return rounds.stream().sorted().skip(rounds.size() / 2).findFirst().orElseThrow();
  }

  private static String page(List<Measured> all, String version) {
    StringBuilder page =
        new StringBuilder(
            INTRODUCTION.formatted(
                ROUNDS, BenchmarkPage.SPARK.links(), MeasuredOn.here("Spark " + version).line()));
    all.forEach(measured -> page.append(measured.line()));
    page.append("\n| metric | measured | target | |\n|---|--:|--:|---|\n");
    Measured most = all.get(all.size() - 1);
    Measured mostByHand =
        all.stream()
            .filter(measured -> measured.nanos.containsKey(Query.BY_HAND))
            .reduce((first, second) -> second)
            .orElse(most);
    ratios(page, "UDF of ulid-creator", most, Query.OF_ULID_CREATOR);
    ratios(page, "UDF of core", most, Query.OF_CORE);
    ratios(page, "UDF by hand", mostByHand, Query.BY_HAND);
    double growth = most.nanos(Query.NATIVE) / all.get(0).nanos(Query.NATIVE);
    target(page, "time of a row, most rows relative to fewest", growth, GROWTH_WANTED, false);
    return page.toString();
  }

  private static void ratios(StringBuilder page, String name, Measured measured, Query rival) {
    target(page, name + ", relative to ulid_text", measured.ratio(rival), RATIO_WANTED, true);
    target(
        page,
        name + ", relative to ulid_text, baseline subtracted from both",
        measured.ratioAboveBaseline(rival),
        RATIO_WANTED,
        true);
  }

  private static void target(
      StringBuilder page, String name, double measured, double wanted, boolean atLeast) {
    boolean met = atLeast ? measured >= wanted : measured <= wanted;
    page.append(
        "| %s | %.2f | %s %.2f | %s |%n"
            .formatted(
                name,
                measured,
                atLeast ? "at least" : "at most",
                wanted,
                met ? "met" : "**not met**"));
  }
}
