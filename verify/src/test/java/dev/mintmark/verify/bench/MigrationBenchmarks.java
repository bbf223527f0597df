package dev.mintmark.verify.bench;

import dev.mintmark.fixtures.bench.BenchmarkPage;
import dev.mintmark.fixtures.bench.MeasuredOn;
import dev.mintmark.operations.migrate.InvalidValues;
import dev.mintmark.operations.migrate.MigrationPlan;
import dev.mintmark.operations.migrate.MigrationPlanner;
import dev.mintmark.operations.migrate.Migrations;
import dev.mintmark.operations.migrate.Pace;
import dev.mintmark.postgres.pack.Pack;
import dev.mintmark.verify.bench.MigrationLoad.Found;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryPoolMXBean;
import java.lang.management.MemoryType;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import javax.sql.DataSource;

/**
 * Measures key migrations under load and the same changes by {@code alter table}, and prints a
 * page: the targets and whether they are met.
 *
 * <pre>
 *   MigrationBenchmarks FILE ORDERS LINES RATE SCENARIOS    /dev/null 1000000 3000000 200 text,integer,gain
 * </pre>
 *
 * The page goes to FILE besides; without SCENARIOS all are measured.
 */
public final class MigrationBenchmarks {
  private static final int STEPS_SHOWN = 10;
  private static final Duration WARM = Duration.ofSeconds(10);
  private static final Duration IDLE = Duration.ofSeconds(20);
  private static final Duration BAKE = Duration.ofSeconds(5);

  /** Those of production, on a small server; what is not here is as PostgreSQL has it. */
  private static final Map<String, String> SETTINGS =
      new TreeMap<>(
          Map.of(
              "fsync", "on",
              "synchronous_commit", "on",
              "full_page_writes", "on",
              "wal_level", "replica",
              "shared_buffers", "512MB",
              "max_wal_size", "4GB",
              "maintenance_work_mem", "128MB"));

  private static final String INTRODUCTION =
      """
      # Benchmarks of key migrations

      Each of the three key migrations runs on %,d orders with %,d lines that refer to them, under a load of %d transactions a
      second. It is compared, in the same run and on a copy, with the `alter table` that does the same without Mintmark. PostgreSQL %s
      and the clients share %d processors: compare the ratios; milliseconds depend on the machine.

      To measure everything again and print this page, run

      ```
      mvn -q -Pmigrate-benchmarks -DskipTests -pl verify -am test
      ```

      `-Dmigrate-benchmarks.orders=200000`, `-Dmigrate-benchmarks.lines=600000` and `-Dmigrate-benchmarks.rate=200` set other sizes,
      `-Dmigrate-benchmarks.scenarios=text` selects migrations, and `-Dmigrate-benchmarks.write=FILE.md` writes the page to a file, and its
      chart and its figures to `FILE.svg` and `FILE.json`. The Java process has 256 MiB of heap.

      %s

      The clients are old code that does not know of the migration: 20 connections with prepared statements. Half of the transactions
      read an order by its key, a fifth join its lines, a fifth add an order with three lines, a tenth change one. Every other client has
      `autosave=conservative` of pgjdbc, the rest its defaults. Transactions arrive at a steady rate. The time of each is measured from
      when it was due, so a stall counts for all transactions that arrive during it. A transaction counts for every phase that it overlaps.

      Settings of PostgreSQL: %s. Locale C.
      """;

  private final EmbeddedPostgres server;
  private final long orders;
  private final long lines;
  private final int rate;
  private final StringBuilder page = new StringBuilder();

  private MigrationBenchmarks(EmbeddedPostgres server, long orders, long lines, int rate) {
    this.server = server;
    this.orders = orders;
    this.lines = lines;
    this.rate = rate;
  }

  public static void main(String[] args) throws IOException, SQLException, InterruptedException {
    if (args.length != 5) {
      throw new IllegalArgumentException(
          "expected FILE ORDERS LINES RATE SCENARIOS: " + args.length);
    }
    EmbeddedPostgres.Builder builder =
        EmbeddedPostgres.builder()
            .setLocaleConfig("locale", "C")
            .setPGStartupWait(Duration.ofMinutes(2))
            .setOutputRedirector(ProcessBuilder.Redirect.DISCARD)
            .setErrorRedirector(ProcessBuilder.Redirect.DISCARD);
    SETTINGS.forEach(builder::setServerConfig);
    try (EmbeddedPostgres server = builder.start()) {
      MigrationBenchmarks benchmarks =
          new MigrationBenchmarks(
              server, Long.parseLong(args[1]), Long.parseLong(args[2]), Integer.parseInt(args[3]));
      benchmarks.introduce();
      for (MigrationScenario scenario : MigrationScenario.values()) {
        String name = scenario.name().toLowerCase(Locale.ROOT);
        if (args[4].isEmpty() || List.of(args[4].split(",", -1)).contains(name)) {
          benchmarks.measure(scenario, name);
          // So that what was measured is not lost with what was not.
          BenchmarkPage.MIGRATIONS.write(Path.of(args[0]), benchmarks.page);
        }
      }
      System.out.println(benchmarks.page);
    }
  }

  private void introduce() throws SQLException {
    page.append(
        INTRODUCTION.formatted(
            orders,
            lines,
            rate,
            version(),
            Runtime.getRuntime().availableProcessors(),
            BenchmarkPage.MIGRATIONS.links(),
            SETTINGS.entrySet().stream()
                .map(setting -> "`%s = %s`".formatted(setting.getKey(), setting.getValue()))
                .collect(Collectors.joining(", "))));
  }

  private String version() throws SQLException {
    return text(server.getPostgresDatabase(), "show server_version");
  }

  private void measure(MigrationScenario scenario, String name)
      throws SQLException, InterruptedException {
    DataSource original = create(scenario, name);
    DataSource alone = copy(name, name + "_alone");
    DataSource naive = copy(name, name + "_naive");
    page.append(
        "\n## %s%n%n%s"
            .formatted(
                capital(scenario.title()), MeasuredOn.here("PostgreSQL " + version()).line()));
    Outcome throttled = underLoad(scenario, original);
    long wal = alone(scenario, alone);
    naive(scenario, naive, throttled, wal);
    drop(name, name + "_alone", name + "_naive");
  }

  // ---- Databases

  private DataSource create(MigrationScenario scenario, String name) throws SQLException {
    execute(server.getPostgresDatabase(), "create database " + name);
    DataSource database = server.getDatabase("postgres", name);
    Pack.inSchema("mintmark").install(database);
    for (String statement : scenario.create(orders, lines)) {
      execute(database, statement);
    }
    return database;
  }

  private DataSource copy(String name, String copy) throws SQLException {
    execute(
        server.getPostgresDatabase(),
        "create database %s template %s strategy file_copy".formatted(copy, name));
    return server.getDatabase("postgres", copy);
  }

  private void drop(String... names) throws SQLException {
    for (String name : names) {
      execute(server.getPostgresDatabase(), "drop database " + name + " with (force)");
    }
  }

  private static MigrationPlan plan(MigrationScenario scenario, DataSource database)
      throws SQLException {
    MigrationPlan plan =
        MigrationPlanner.over(database, Pack.inSchema("mintmark").sql())
            .plan(scenario.catalog(), InvalidValues.REFUSE, reading -> {});
    if (plan.isEmpty() || !plan.refusals().isEmpty()) {
      throw new IllegalStateException("there is nothing to measure: " + plan.refusals());
    }
    return plan;
  }

  // ---- Under load

  /** What a migration took, and how the load fared meanwhile. */
  private record Outcome(double seconds, double worst, double p99, long failed) {
    static Outcome of(Found found, long failed) {
      return new Outcome(found.seconds(), found.worst(), found.quantile(0.99), failed);
    }
  }

  private Outcome underLoad(MigrationScenario scenario, DataSource database)
      throws SQLException, InterruptedException {
    Migrations migrations = Migrations.over(database);
    MigrationTimes forwards = new MigrationTimes();
    MigrationTimes backwards = new MigrationTimes();
    try (MigrationLoad load = MigrationLoad.start(scenario, database, rate)) {
      Thread.sleep(WARM.toMillis());
      long idleFrom = System.nanoTime();
      Thread.sleep(IDLE.toMillis());
      long begin = System.nanoTime();
      migrations.apply(plan(scenario, database), Pace.GENTLE, forwards);
      long baking = System.nanoTime();
      Thread.sleep(BAKE.toMillis());
      long back = System.nanoTime();
      migrations.rollback(Pace.GENTLE, backwards);
      long end = System.nanoTime();
      Thread.sleep(1_000);

      Found idle = load.found(idleFrom, begin);
      page.append(
          """

          Under load, throttled (`Pace.GENTLE`):

          | | seconds | transactions/s | p50 | p99 | worst |
          |---|--:|--:|--:|--:|--:|
          """);
      row("before", idle);
      forwards
          .phases()
          .forEach((phase, period) -> row(phase.label(), load.found(period.from(), period.to())));
      row("bake", load.found(baking, back));
      row("rollback", load.found(back, end));
      Found during = load.found(begin, end);
      row("**total**", during);
      told("waits", forwards.waits());
      told("waits of the rollback", backwards.waits());
      told("failed transactions", load.failures());

      page.append("\n| metric | measured | target | |\n|---|--:|--:|---|\n");
      target("failed transactions", (double) sum(load.failures()), 0, false);
      target(
          "failed transactions with autosave=conservative",
          (double) load.failuresDespiteAutosave(),
          0,
          false);
      target(
          "worst stall, above that before the migration, ms",
          during.worst() - idle.worst(),
          100,
          false);
      target(
          "p99, relative to that before the migration",
          during.quantile(0.99) / idle.quantile(0.99),
          2,
          false);
      target("switch, ms", forwards.switchMillis(), 50, false);
      target("switch back, ms", backwards.switchMillis(), 50, false);
      page.append(
          "%nRows backfilled a second under load: %,.0f.%n".formatted(forwards.filledPerSecond()));
      return Outcome.of(during, sum(load.failures()));
    }
  }

  private void told(String what, Map<String, Long> times) {
    if (!times.isEmpty()) {
      page.append('\n').append(capital(what)).append(":\n\n");
      times.forEach((why, count) -> page.append("- %,d times: %s%n".formatted(count, why)));
    }
  }

  private void row(String name, Found found) {
    page.append(
        "| %s | %.1f | %.0f | %.1f ms | %.1f ms | %.1f ms |%n"
            .formatted(
                name,
                found.seconds(),
                found.perSecond(),
                found.quantile(0.5),
                found.quantile(0.99),
                found.worst()));
  }

  // ---- Alone

  /** Returns the bytes of the write-ahead log. */
  private long alone(MigrationScenario scenario, DataSource database) throws SQLException {
    Migrations migrations = Migrations.over(database);
    MigrationTimes times = new MigrationTimes();
    MigrationTimes contraction = new MigrationTimes();
    long bytesBefore = bytes(database);
    resetHeapPeak();
    long wal = wal(database);
    long start = System.nanoTime();
    migrations.apply(plan(scenario, database), Pace.FULL, times);
    double seconds = (System.nanoTime() - start) / 1e9;
    long walAfter = wal(database);
    long bytesBaking = bytes(database);
    migrations.contract(Pace.FULL, contraction);
    long bytesContracted = bytes(database);
    execute(database, "vacuum full orders");
    execute(database, "vacuum full order_lines");

    page.append(
        """

        Without load (`Pace.FULL`): %.1f s, %,d MB of write-ahead log, peak heap %,d MiB.

        | table and indexes | MB |
        |---|--:|
        | before | %,d |
        | baking, old and new columns | %,d |
        | contracted | %,d |
        | repacked (`vacuum full`) | %,d |

        | metric | measured | target | |
        |---|--:|--:|---|
        """
            .formatted(
                seconds,
                (walAfter - wal) / 1_000_000,
                heapPeak() >> 20,
                bytesBefore / 1_000_000,
                bytesBaking / 1_000_000,
                bytesContracted / 1_000_000,
                bytes(database) / 1_000_000));
    target("rows backfilled a second", times.filledPerSecond(), 30_000, true);
    page.append("\n| longest steps | phase | seconds |\n|---|---|--:|\n");
    times.steps().stream()
        .sorted(Comparator.comparingDouble((MigrationTimes.Ran ran) -> -ran.seconds()))
        .limit(STEPS_SHOWN)
        .forEach(
            ran ->
                page.append(
                    "| %s | %s | %.1f |%n"
                        .formatted(ran.step().title(), ran.step().phase().label(), ran.seconds())));
    return walAfter - wal;
  }

  private static void resetHeapPeak() {
    System.gc();
    heaps().forEach(MemoryPoolMXBean::resetPeakUsage);
  }

  private static long heapPeak() {
    return heaps().stream().mapToLong(pool -> pool.getPeakUsage().getUsed()).sum();
  }

  private static List<MemoryPoolMXBean> heaps() {
    return ManagementFactory.getMemoryPoolMXBeans().stream()
        .filter(pool -> pool.getType() == MemoryType.HEAP)
        .toList();
  }

  // ---- Without us

  private void naive(MigrationScenario scenario, DataSource database, Outcome ours, long walOfOurs)
      throws SQLException, InterruptedException {
    try (MigrationLoad load = MigrationLoad.start(scenario, database, rate)) {
      Thread.sleep(WARM.toMillis());
      long wal = wal(database);
      long start;
      long end;
      try (Connection connection = database.getConnection();
          Statement statement = connection.createStatement()) {
        connection.setAutoCommit(false);
        start = System.nanoTime();
        for (String sql : scenario.naive()) {
          statement.execute(sql);
        }
        connection.commit();
        end = System.nanoTime();
      }
      long walAfter = wal(database);
      Thread.sleep(2_000);
      Found during = load.found(start, end);
      page.append(
          """

          Without Mintmark, on a copy, under the same load: `%s`. It locks the tables in ACCESS EXCLUSIVE mode for all of its time.
          Its failed transactions are those during the statement and in the 2 s after it. The write-ahead log of Mintmark is that of the
          run without load.

          | | time | worst stall | p99 | write-ahead log | failed transactions |
          |---|--:|--:|--:|--:|--:|
          """
              .formatted(scenario.naive().get(scenario == MigrationScenario.GAIN ? 1 : 2)));
      beside("**mintmark**, throttled, with 5 s of baking and the rollback", ours, walOfOurs);
      beside("`alter table`", Outcome.of(during, sum(load.failures())), walAfter - wal);
      told("failed transactions", load.failures());
    }
  }

  private void beside(String name, Outcome ran, long wal) {
    page.append(
        "| %s | %.1f s | %,.0f ms | %,.0f ms | %,d MB | %,d |%n"
            .formatted(name, ran.seconds(), ran.worst(), ran.p99(), wal / 1_000_000, ran.failed()));
  }

  // ---- The page

  private void target(String what, double measured, double wanted, boolean atLeast) {
    boolean met = atLeast ? measured >= wanted : measured <= wanted;
    page.append(
        "| %s | %s | %s %s | %s |%n"
            .formatted(
                what,
                plain(measured),
                atLeast ? "at least" : "at most",
                plain(wanted),
                met ? "met" : "**not met**"));
  }

  private static String plain(double number) {
    return (number == Math.rint(number) || Math.abs(number) >= 100 ? "%,.0f" : "%,.2f")
        .formatted(number);
  }

  private static long sum(Map<String, Long> counts) {
    return counts.values().stream().mapToLong(Long::longValue).sum();
  }

  private static String capital(String text) {
    return text.substring(0, 1).toUpperCase(Locale.ROOT) + text.substring(1);
  }

  // ---- SQL

  private static long bytes(DataSource database) throws SQLException {
    return Long.parseLong(
        text(
            database,
            "select sum(pg_total_relation_size(oid)) from pg_class where relname in ('orders', 'order_lines') and relkind = 'r'"));
  }

  private static long wal(DataSource database) throws SQLException {
    return Long.parseLong(
        text(database, "select pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0')::bigint"));
  }

  private static void execute(DataSource database, String sql) throws SQLException {
    try (Connection connection = database.getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  private static String text(DataSource database, String sql) throws SQLException {
    try (Connection connection = database.getConnection();
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(sql)) {
      row.next();
      return row.getString(1);
    }
  }
}
