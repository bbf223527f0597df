package dev.mintmark.spark.bench;

import static org.apache.spark.sql.functions.col;
import static org.apache.spark.sql.functions.udf;

import dev.mintmark.Ulid;
import dev.mintmark.Uuids;
import dev.mintmark.spark.MintmarkExtensions;
import dev.mintmark.spark.MintmarkFunctions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
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
 * Measures {@code ulid_text} beside a plain UDF over the same rows in the same run and prints a
 * page.
 *
 * <pre>
 *   SparkBenchmarks FILE DIRECTORY ROWS...    /dev/null target/spark-benchmarks 1000000 10000000 50000000
 * </pre>
 *
 * The page goes to FILE besides; the rows are written into DIRECTORY once.
 */
public final class SparkBenchmarks {
  private static final int ROUNDS = 5;
  private static final double RATIO_WANTED = 3;
  private static final double GROWTH_WANTED = 1.25;
  private static final long NANOS_PER_MILLI = 1_000_000;

  private static final String INTRODUCTION =
      """
      # Benchmarks of the Spark extension

      `ulid_text` beside a plain UDF in Java that does the same through the same library, `Ulid.of(Uuids.parse(text)).toString()`,
      over the same rows in the same run. One thread (`local[1]`) reads a column of UUIDs as text from Parquet without compression;
      the answers go to Spark's `noop` sink. What reading costs alone is the query `length(id)`, the *baseline*. Each figure is the
      median of %d rounds, in which the queries take turns, after one that is not counted. Take the ratios: the figures are the
      machine's.

      ```
      mvn -q -Pspark-benchmarks -DskipTests -pl spark -am test
      ```

      measures all of it again and prints this page (`-Dspark-benchmarks.write=FILE` writes it to a file,
      `-Dspark-benchmarks.rows="1000000 10000000"` takes other numbers of rows).

      | rows | baseline | ulid_text | UDF | UDF to ulid_text | the same, baseline taken off |
      |--:|--:|--:|--:|--:|--:|
      """
          .formatted(ROUNDS);

  /** What is measured, and what is selected for it. */
  private enum Query {
    BASELINE(col("id")),
    NATIVE(MintmarkFunctions.ulid_text(col("id"))),
    UDF(
        udf(
                (UDF1<String, String>) text -> Ulid.of(Uuids.parse(text)).toString(),
                DataTypes.StringType)
            .apply(col("id")));

    @SuppressWarnings("ImmutableEnumChecker") // It is.
    private final Column selected;

    Query(Column selected) {
      this.selected = selected;
    }

    /** What its tasks took of a processor: what it costs, on a machine that is busy too. */
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

  /** The medians of one number of rows. */
  private record Measured(long rows, Map<Query, Long> nanos) {
    double nanos(Query query) {
      return nanos.getOrDefault(query, 0L);
    }

    double ratio() {
      return nanos(Query.UDF) / nanos(Query.NATIVE);
    }

    double ratioAboveBaseline() {
      double baseline = nanos(Query.BASELINE);
      return (nanos(Query.UDF) - baseline) / (nanos(Query.NATIVE) - baseline);
    }

    double nanosPerRow(Query query) {
      return nanos(query) / rows;
    }

    String line() {
      return "| %,d | %s | **%s** | %s | %.2f | %.2f |%n"
          .formatted(
              rows,
              cell(Query.BASELINE),
              cell(Query.NATIVE),
              cell(Query.UDF),
              ratio(),
              ratioAboveBaseline());
    }

    private String cell(Query query) {
      return "%,.0f ms, %.1f ns each".formatted(nanos(query) / NANOS_PER_MILLI, nanosPerRow(query));
    }
  }

  private SparkBenchmarks() {}

  public static void main(String[] args) throws IOException, TimeoutException {
    if (args.length < 3) {
      throw new IllegalArgumentException("expected FILE DIRECTORY ROWS...: " + args.length);
    }
    Path directory = Path.of(args[1]).toAbsolutePath();
    List<Measured> all = new ArrayList<>();
    try (SparkSession spark = session(directory)) {
      for (String rows : Arrays.asList(args).subList(2, args.length)) {
        Measured measured =
            measured(ids(spark, directory, Long.parseLong(rows)), Long.parseLong(rows));
        System.err.print(measured.line());
        all.add(measured);
      }
    }
    String page = page(all);
    Files.writeString(Path.of(args[0]), page);
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
    Map<Query, long[]> nanos = new EnumMap<>(Query.class);
    for (int round = -1; round < ROUNDS; round++) {
      for (Query query : Query.values()) {
        long each = query.processorNanos(ids);
        if (round >= 0) {
          nanos.computeIfAbsent(query, any -> new long[ROUNDS])[round] = each;
        }
      }
    }
    Map<Query, Long> medians = new EnumMap<>(Query.class);
    nanos.forEach((query, rounds) -> medians.put(query, median(rounds)));
    return new Measured(rows, medians);
  }

  private static long median(long[] rounds) {
    return Arrays.stream(rounds).sorted().skip(rounds.length / 2).findFirst().orElseThrow();
  }

  private static String page(List<Measured> all) {
    StringBuilder page = new StringBuilder(INTRODUCTION);
    all.forEach(measured -> page.append(measured.line()));
    page.append("\n| target | measured | wanted | |\n|---|--:|--:|---|\n");
    Measured most = all.get(all.size() - 1);
    target(page, "UDF to ulid_text, reading and all", most.ratio(), RATIO_WANTED, true);
    target(
        page,
        "UDF to ulid_text, baseline taken off",
        most.ratioAboveBaseline(),
        RATIO_WANTED,
        true);
    double growth = most.nanosPerRow(Query.NATIVE) / all.get(0).nanosPerRow(Query.NATIVE);
    target(page, "time of a row, of the most rows to the fewest", growth, GROWTH_WANTED, false);
    return page.toString();
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
                met ? "met" : "**missed**"));
  }
}
