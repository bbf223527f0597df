package dev.mintmark.verify.bench;

import dev.mintmark.app.embedded.EmbeddedDatabase;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
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
 * Measures pools beside the article's query in the same run and prints a page: the targets and
 * whether they are met.
 *
 * <pre>
 *   PoolBenchmarks FILE PARTS    /dev/null drain,storm
 * </pre>
 *
 * The page goes to FILE besides; without PARTS all is measured.
 */
public final class PoolBenchmarks {
  /** In the order they are measured. */
  private static final Set<String> PARTS =
      new LinkedHashSet<>(
          List.of("drain", "storm", "processes", "rejection", "churn", "discarded"));

  private static final int ROUNDS = 3;
  private static final int ADDRESSES_LARGE = 1_048_574;

  private static final String INTRODUCTION =
      """
      # Benchmarks of pools

      Pools beside the query of [the article](pools.md#where-it-comes-from), in the same run on the same throw-away PostgreSQL 18
      (`fsync = off`, on the machine of the clients), one connection for each of 50 instances. Take the ratios: the figures are the
      machine's.

      ```
      mvn -q -Ppool-benchmarks -DskipTests -pl verify -am test
      ```

      measures all of it again and prints this page (`-Dpool-benchmarks.write=FILE` writes it to a file,
      `-Dpool-benchmarks.parts=drain,storm,processes,rejection,churn,discarded` measures only some). Each storm is a
      `mintmark storm --json` of its own; the command stands with its table.

      Both are warmed alike before the clock starts: 20,000 clients ask for 2,046 other addresses through the same connections
      (the article's on a table of the same name, made anew afterwards). A client waits from the moment all of them ask. Processor
      time is that of all processes of the database, where the machine tells it (Linux). A client is *falsely* rejected when an
      address was still there for it at the end.
      """;

  private static final String FIGURES =
      """

      | | granted | rejected | falsely | doubled | wall | claims/s | p99 | statements | retries | deadlocks | database CPU |
      |---|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|
      """;

  private final StringBuilder page = new StringBuilder(INTRODUCTION);

  private PoolBenchmarks() {}

  public static void main(String[] args) throws IOException, SQLException, InterruptedException {
    if (args.length != 2) {
      throw new IllegalArgumentException("expected FILE PARTS: " + args.length);
    }
    PoolBenchmarks benchmarks = new PoolBenchmarks();
    Set<String> parts = args[1].isEmpty() ? PARTS : new TreeSet<>(List.of(args[1].split(",", -1)));
    for (String part : PARTS) {
      if (parts.contains(part)) {
        benchmarks.measure(part);
        // So that what was measured is not lost with what was not.
        Files.writeString(Path.of(args[0]), benchmarks.page);
      }
    }
    System.out.println(benchmarks.page);
  }

  private void measure(String part) throws IOException, SQLException, InterruptedException {
    switch (part) {
      case "drain" -> drain();
      case "storm" -> storm();
      case "processes" -> processes();
      case "rejection" -> onDatabase(this::rejection);
      case "churn" -> onDatabase(this::churn);
      case "discarded" -> discarded();
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
    section(
        "2,044 addresses, as many clients", command, "The median of %d runs.".formatted(ROUNDS));
    List<JsonNode> runs = Stream.generate(() -> StormRun.json(512, command)).limit(ROUNDS).toList();
    JsonNode median = median(runs, PoolBenchmarks::claimsRatio);
    rows(median);
    target("claims/s, beside the article's", claimsRatio(median), 3, true);
    target(
        "database CPU, beside the article's",
        cpu(median) / cpu(median.path("rival")),
        1.0 / 3,
        false);
    drainLarge(claims(median));
  }

  private void drainLarge(double drainClaims) throws IOException, InterruptedException {
    String command =
        "storm --block 10.0.0.0/12 --clients %d --rival article --rival-clients 400"
            .formatted(ADDRESSES_LARGE);
    section(
        "1,048,574 addresses",
        command,
        "As many clients for ours; of the article's query the first 400, for the others would take"
            + " days.");
    JsonNode run = StormRun.json(2_048, command);
    rows(run);
    target("claims/s, beside the article's", claimsRatio(run), 500, true);
    target("time of a claim, beside that of 2,044", drainClaims / claims(run), 2, false);
  }

  private void storm() throws IOException, InterruptedException {
    String command = "storm --rival";
    section("500,000 clients, 2,044 addresses", command, "In 512 MiB of heap.");
    JsonNode run = StormRun.json(512, command);
    JsonNode rival = run.path("rival");
    rows(run);
    target(
        "shorter than the article's", number(rival, "wall_ms") / number(run, "wall_ms"), 30, true);
    target(
        "fewer statements", number(rival, "statements") / number(run, "statements"), 1_000, true);
  }

  private void processes() throws IOException, InterruptedException {
    String command = "storm --clients 50000 --processes 4";
    section(
        "Four server processes over HTTP",
        command,
        "Each request comes through a server of its own process, 64 of them at a time for each.");
    rows(StormRun.json(512, command));
  }

  private void rejection(EmbeddedDatabase database) {
    double nanos = PoolLoops.rejectionNanos(database.jdbcUrl());
    page.append(
        """

        ## Turned away by a pool known to be empty

        By one thread, with the request made anew each time and what is asked of the database every 750 ms.

        | | each |
        |---|--:|
        | `pool.claim(ClaimRequest.of(client))` | %s ns |
        """
            .formatted(whole(nanos)));
    page.append("\n| target | measured | wanted | |\n|---|--:|--:|---|\n");
    target("microseconds", nanos / 1_000, 1, false);
  }

  private void churn(EmbeddedDatabase database) throws SQLException, InterruptedException {
    PoolLoops.Churn ours = PoolLoops.churnPool(database.jdbcUrl());
    PoolLoops.Churn theirs = PoolLoops.churnArticle(database.jdbcUrl());
    page.append(
        """

        ## Claims and releases while a snapshot is held

        Another session has a snapshot open, so that nothing that was deleted or updated can be vacuumed. 8 threads claim one of
        2,046 addresses, each for another client, and give it back: %,d times, or for %d s.

        | | times | in the first second | in the last | slower by |
        |---|--:|--:|--:|--:|
        """
            .formatted(PoolLoops.CHURNS, PoolLoops.CHURN_SECONDS_MAX));
    churnRow("**mintmark**", ours);
    churnRow("article-keyed", theirs);
    page.append("\n| target | measured | wanted | |\n|---|--:|--:|---|\n");
    target("the last second beside the first", ours.slowdown(), 1.3, false);
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
    String command = "storm --clients 20000 --idle 5 --rival all";
    section(
        "The ideas that were discarded",
        command,
        "No client comes to 5 of the 50 instances: anycast takes them elsewhere.");
    rows(StormRun.json(512, command));
    page.append(
        """

        - `random-guess` guesses 10 times, and cannot know whether that was enough.
        - `for-update` waits in line for one row; in random order it may wait in a circle, and the database breaks that up.
        - `nowait` tries again for as long as the row is locked, up to 1,000 times.
        - `static-shards` gives each instance its share for good: those of the idle ones are nobody's.
        """);
  }

  private void section(String title, String command, String remark) {
    page.append("\n## %s%n%n`mintmark %s --json`%n%n%s%n".formatted(title, command, remark));
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
      page.append("\n| target | measured | wanted | |\n|---|--:|--:|---|\n");
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
            ? "not known here"
            : (atLeast ? measured >= wanted : measured <= wanted) ? "met" : "**missed**";
    page.append(
        "| %s | %s | %s %s | %s |%n"
            .formatted(
                what, plain(measured), atLeast ? "at least" : "at most", plain(wanted), verdict));
  }

  private static JsonNode median(List<JsonNode> runs, ToDoubleFunction<JsonNode> by) {
    return runs.stream().sorted(Comparator.comparingDouble(by)).toList().get(runs.size() / 2);
  }

  private static double claimsRatio(JsonNode run) {
    return claims(run) / claims(run.path("rival"));
  }

  private static double claims(JsonNode run) {
    return number(run, "claims_per_s");
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
