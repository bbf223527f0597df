package dev.mintmark.verify.bench;

import dev.mintmark.embedded.EmbeddedDatabase;
import dev.mintmark.fixtures.bench.BenchmarkPage;
import dev.mintmark.fixtures.bench.MeasuredOn;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;

/**
 * Measures pools and the article's query in the same run and prints a page: the targets and whether
 * they are met.
 *
 * <pre>
 *   PoolBenchmarks FILE DIVISOR PARTS    /dev/null 1 drain,storm
 * </pre>
 *
 * The page goes to FILE besides; without PARTS all is measured. Numbers of clients and of claims
 * are divided by DIVISOR: a run with 100 shows only that everything works.
 */
public final class PoolBenchmarks {
  /** In the order they are measured. */
  private static final Set<String> PARTS =
      new LinkedHashSet<>(
          List.of("drain", "storm", "processes", "rejection", "churn", "discarded", "sizes"));

  private static final int ROUNDS = 3;
  private static final int ADDRESSES_LARGE = 1_048_574;
  private static final int RIVAL_CLIENTS_LARGE = 400;
  private static final int STORM_CLIENTS = 500_000;
  private static final int HTTP_CLIENTS = 100_000;
  private static final int DISCARDED_CLIENTS = 20_000;
  private static final int CHURNS = 100_000;
  private static final int SIZES_CLAIMS = 200_000;

  private static final String INTRODUCTION =
      """
      # Benchmarks of pools

      Pools are compared with the query of [the article](pools.md#where-it-comes-from) in the same run, on the same temporary PostgreSQL
      18 (`fsync = off`, on the machine of the clients), with one connection for each of 50 instances. Compare the ratios; absolute
      figures depend on the machine.

      To measure everything again and print this page, run

      ```
      mvn -q -Ppool-benchmarks -DskipTests -pl verify -am test
      ```

      `-Dpool-benchmarks.write=FILE.md` writes the page to a file, and its chart and its figures to `FILE.svg` and `FILE.json`;
      `-Dpool-benchmarks.parts=drain,storm,processes,rejection,churn,discarded,sizes` selects parts. Each storm is a separate
      `mintmark storm --json`, shown above its table.

      %s
      Both are warmed up in the same way before the measurement: 20,000 clients claim 2,046 other addresses through the same connections
      (for the article's query in a table of the same name, which is then recreated). The time of every client starts when all clients
      start. Processor time is that of all database processes, if the machine reports it (Linux). A client is *falsely* rejected if an
      address for it was still free at the end.
      """;

  private static final String FIGURES =
      """

      | | granted | rejected | falsely | doubled | wall | claims/s | p99 | statements | retries | deadlocks | database CPU |
      |---|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|
      """;

  private final StringBuilder page =
      new StringBuilder(INTRODUCTION.formatted(BenchmarkPage.POOLS.links()));

  private final int divisor;
  private final MeasuredOn measured;

  private PoolBenchmarks(int divisor, MeasuredOn measured) {
    this.divisor = divisor;
    this.measured = measured;
  }

  public static void main(String[] args) throws IOException, SQLException, InterruptedException {
    if (args.length != 3) {
      throw new IllegalArgumentException("expected FILE DIVISOR PARTS: " + args.length);
    }
    PoolBenchmarks benchmarks = new PoolBenchmarks(Integer.parseInt(args[1]), measured());
    Set<String> parts = args[2].isEmpty() ? PARTS : new TreeSet<>(List.of(args[2].split(",", -1)));
    for (String part : PARTS) {
      if (parts.contains(part)) {
        benchmarks.measure(part);
        // So that what was measured is not lost with what was not.
        BenchmarkPage.POOLS.write(Path.of(args[0]), benchmarks.page);
      }
    }
    System.out.println(benchmarks.page);
  }

  private static MeasuredOn measured() throws SQLException {
    try (EmbeddedDatabase database = EmbeddedDatabase.startTemporary();
        Connection connection = DriverManager.getConnection(database.jdbcUrl())) {
      return MeasuredOn.here("PostgreSQL " + connection.getMetaData().getDatabaseProductVersion());
    }
  }

  private void measure(String part) throws IOException, SQLException, InterruptedException {
    switch (part) {
      case "drain" -> drain();
      case "storm" -> storm();
      case "processes" -> processes();
      case "rejection" -> onDatabase(this::rejection);
      case "churn" -> onDatabase(this::churn);
      case "discarded" -> discarded();
      case "sizes" -> onDatabase(this::sizes);
      default -> throw new IllegalArgumentException(part);
    }
  }

  private interface Part {
    void measure(EmbeddedDatabase database) throws SQLException, InterruptedException;
  }

  private static void onDatabase(Part part) throws SQLException, InterruptedException {
    try (EmbeddedDatabase database = EmbeddedDatabase.startTemporary()) {
      part.measure(database);
    }
  }

  /** Few addresses, then many: that a claim costs the same takes both. */
  private void drain() throws IOException, InterruptedException {
    String command = "storm --clients 2044 --rival article,article-keyed";
    section("2,044 addresses, 2,044 clients", command, "The median of %d runs.".formatted(ROUNDS));
    List<JsonNode> runs = Stream.generate(() -> StormRun.json(512, command)).limit(ROUNDS).toList();
    JsonNode median = median(runs, PoolBenchmarks::claimsRatio);
    rows(median);
    target("claims/s, relative to the article's", claimsRatio(median), 3, true);
    target(
        "database CPU, relative to the article's",
        cpu(median) / cpu(median.path("rival")),
        1.0 / 3,
        false);
    drainLarge(claims(median));
  }

  private void drainLarge(double drainClaims) throws IOException, InterruptedException {
    String command =
        "storm --block 10.0.0.0/12 --clients %d --rival article --rival-clients %d"
            .formatted(ADDRESSES_LARGE / divisor, RIVAL_CLIENTS_LARGE / divisor);
    section(
        "1,048,574 addresses",
        command,
        "Mintmark serves all these clients; the article's query only the first %d, because all of them"
                .formatted(RIVAL_CLIENTS_LARGE / divisor)
            + " would take days.");
    JsonNode run = StormRun.json(2_048, command);
    rows(run);
    target("claims/s, relative to the article's", claimsRatio(run), 500, true);
    target("time of a claim, relative to 2,044 addresses", drainClaims / claims(run), 2, false);
  }

  private void storm() throws IOException, InterruptedException {
    int clients = STORM_CLIENTS / divisor;
    String command = "storm --clients %d --rival".formatted(clients);
    section(
        "%,d clients, 2,044 addresses".formatted(clients),
        command,
        "With 512 MiB of heap. Clients are rejected from memory when the pool is exhausted.");
    JsonNode run = StormRun.json(512, command);
    JsonNode rival = run.path("rival");
    rows(run);
    target(
        "times as fast as the article's",
        number(rival, "wall_ms") / number(run, "wall_ms"),
        30,
        true);
    target(
        "times fewer statements than the article's",
        number(rival, "statements") / number(run, "statements"),
        1_000,
        true);
  }

  private void processes() throws IOException, InterruptedException {
    String command =
        "storm --clients %d --processes 4 --rival article,article-cached"
            .formatted(HTTP_CLIENTS / divisor);
    section(
        "Four server processes over HTTP",
        command,
        """
        Each instance is a server in a separate process with 8 connections to the database, and receives up to 64 requests at a time. \
        Mintmark's are servers as run by `mintmark serve`. Those of the rivals are the smallest: the HTTP server of the JDK, \
        a thread for each connection and one prepared statement. `article-cached` is the article's query in an instance that rejects \
        clients from memory for 750 ms after the query returned no row.""");
    JsonNode run = StormRun.json(512, command);
    JsonNode article = run.path("rivals").path("article");
    JsonNode cached = run.path("rivals").path("article-cached");
    rows(run);
    target("claims/s, relative to the article's", claims(run) / claims(article), 3, true);
    target("database CPU, relative to the article's", cpu(run) / cpu(article), 0.1, false);
    target(
        "rejections/s, relative to the article's",
        rejections(run) / rejections(article),
        2.2,
        true);
    target(
        "rejections/s, relative to the article's with a cached rejection",
        rejections(run) / rejections(cached),
        1,
        true);
  }

  private void rejection(EmbeddedDatabase database) {
    double nanos = PoolLoops.rejectionNanos(database.jdbcUrl());
    page.append(
        """

        ## Rejection by an exhausted pool

        %s
        Measured in one thread. The time includes the creation of each request, and a query every 750 ms.

        | | time |
        |---|--:|
        | `pool.claim(ClaimRequest.of(client))` | %s ns |
        """
            .formatted(measured.line(), whole(nanos)));
    page.append("\n| metric | measured | target | |\n|---|--:|--:|---|\n");
    target("microseconds for a rejection", nanos / 1_000, 1, false);
  }

  private void churn(EmbeddedDatabase database) throws SQLException, InterruptedException {
    PoolLoops.Churn ours = PoolLoops.churnPool(database.jdbcUrl(), CHURNS / divisor);
    PoolLoops.Churn theirs = PoolLoops.churnArticle(database.jdbcUrl(), CHURNS / divisor);
    page.append(
        """

        ## Claims and releases during a long transaction

        %s
        Another session keeps a snapshot open, so no deleted or updated row version can be vacuumed. 8 threads claim one of 2,046
        addresses, each time for another client, and release it: %,d times, or for %d s.

        | | claims | in the first second | in the last second | slowdown |
        |---|--:|--:|--:|--:|
        """
            .formatted(measured.line(), CHURNS / divisor, PoolLoops.CHURN_SECONDS_MAX));
    churnRow("**mintmark**", ours);
    churnRow("article-keyed", theirs);
    page.append("\n| metric | measured | target | |\n|---|--:|--:|---|\n");
    target("slowdown from the first second to the last", ours.slowdown(), 1.3, false);
  }

  private void churnRow(String name, PoolLoops.Churn churn) {
    page.append(
        "| %s | %,d | %,d | %,d | %s |%n"
            .formatted(
                name,
                churn.times(),
                churn.firstSecond(),
                churn.lastSecond(),
                plain(churn.slowdown())));
  }

  private void discarded() throws IOException, InterruptedException {
    String command =
        "storm --clients %d --idle 5 --rival all".formatted(DISCARDED_CLIENTS / divisor);
    section(
        "Discarded designs",
        command,
        "5 of the 50 instances receive no clients, because anycast routes all clients elsewhere.");
    rows(StormRun.json(512, command));
    page.append(
        """

        - `random-guess` guesses 10 times, and cannot detect whether the pool is exhausted.
        - `for-update` waits for one locked row; in random order sessions can deadlock, and the database aborts one of them.
        - `nowait` tries again as long as the row is locked, up to 1,000 times.
        - `static-shards` assigns each instance a fixed share; no other instance uses the shares of idle instances.
        """);
  }

  private void sizes(EmbeddedDatabase database) throws SQLException {
    PoolSizes sizes = new PoolSizes(database.jdbcUrl(), SIZES_CLAIMS / divisor);
    PoolSizes.Bytes bytes = sizes.bytes();
    page.append(
        """

        ## Sizes

        %s
        %,d claims of clients with names of 16 characters, half of them released. Rows include their indexes, after `vacuum full`. The
        log is that of a claim, full-page images included. [Sizing](sizing.md) computes with these figures.

        | | bytes |
        |---|--:|
        """
            .formatted(measured.line(), SIZES_CLAIMS / divisor));
    bytes
        .rows()
        .forEach(
            (table, row) -> page.append("| row of `%s` | %s |%n".formatted(table, whole(row))));
    page.append("| log for a claim | %s |%n".formatted(whole(bytes.logged())));
    page.append("\n| pools | a sweep that finds nothing |\n|--:|--:|\n");
    sizes
        .sweepMillis()
        .forEach(
            (pools, millis) -> page.append("| %,d | %s ms |%n".formatted(pools, plain(millis))));
    page.append("\n| listeners | transactions/s with a notification each |\n|--:|--:|\n");
    sizes
        .notificationsPerSecond()
        .forEach(
            (listeners, rate) -> page.append("| %d | %s |%n".formatted(listeners, whole(rate))));
  }

  private void section(String title, String command, String remark) {
    page.append(
        "\n## %s%n%n`mintmark %s --json`%n%n%s%n%s%n"
            .formatted(title, command, measured.line(), remark));
  }

  private void rows(JsonNode run) {
    page.append(FIGURES);
    row("**mintmark**", run);
    if (run.has("rivals")) {
      run.path("rivals").properties().forEach(rival -> row(rival.getKey(), rival.getValue()));
    } else if (run.has("rival")) {
      row("article", run.path("rival"));
    }
    if (run.has("rival")) {
      page.append("\n| metric | measured | target | |\n|---|--:|--:|---|\n");
    }
  }

  private void row(String name, JsonNode run) {
    page.append(
        "| %s | %s | %s | %s | %s | %s ms | %s | %s ms | %s | %s | %s | %s |%n"
            .formatted(
                name,
                cell(run, "granted"),
                cell(run, "rejected"),
                cell(run, "false_rejections"),
                cell(run, "doubled"),
                cell(run, "wall_ms"),
                cell(run, "claims_per_s"),
                cell(run, "p99_ms"),
                cell(run, "statements"),
                cell(run, "retries"),
                cell(run, "deadlocks"),
                run.path("database_cpu_ms").isNull() ? "-" : cell(run, "database_cpu_ms") + " ms"));
  }

  private void target(String what, double measured, double wanted, boolean atLeast) {
    String verdict =
        Double.isNaN(measured)
            ? "not available"
            : (atLeast ? measured >= wanted : measured <= wanted) ? "met" : "**not met**";
    page.append(
        "| %s | %s | %s %s | %s |%n"
            .formatted(
                what, plain(measured), atLeast ? "at least" : "at most", plain(wanted), verdict));
  }

  private static JsonNode median(List<JsonNode> runs, ToDoubleFunction<JsonNode> by) {
    return runs.stream().sorted(Comparator.comparingDouble(by)).toList().get(runs.size() / 2);
  }

  /** Of runs that grant a value to every client: the rival's claims/s may be less than ten. */
  private static double claimsRatio(JsonNode run) {
    return grantsOfWall(run) / grantsOfWall(run.path("rival"));
  }

  private static double grantsOfWall(JsonNode run) {
    return number(run, "granted") / number(run, "wall_ms");
  }

  private static double claims(JsonNode run) {
    return number(run, "claims_per_s");
  }

  private static double rejections(JsonNode run) {
    return number(run, "rejections_per_s");
  }

  private static double cpu(JsonNode run) {
    return run.path("database_cpu_ms").isNull() ? Double.NaN : number(run, "database_cpu_ms");
  }

  private static double number(JsonNode run, String figure) {
    return run.path(figure).doubleValue();
  }

  private static String cell(JsonNode run, String figure) {
    return run.path(figure).isNull() ? "-" : whole(number(run, figure));
  }

  private static String whole(double number) {
    return String.format(Locale.ROOT, "%,d", Math.round(number));
  }

  private static String plain(double number) {
    return String.format(Locale.ROOT, number < 100 ? "%.2f" : "%,.0f", number);
  }
}
