package dev.mintmark.hibernate.bench;

import dev.mintmark.IdType;
import dev.mintmark.SequenceId;
import dev.mintmark.fixtures.TestDatabase;
import dev.mintmark.fixtures.TestServer;
import dev.mintmark.fixtures.bench.BenchmarkPage;
import dev.mintmark.fixtures.bench.MeasuredOn;
import dev.mintmark.hibernate.MintmarkTypes;
import dev.mintmark.postgres.pack.Pack;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.function.Supplier;
import javax.sql.DataSource;
import org.hibernate.SessionFactory;
import org.hibernate.Version;
import org.hibernate.cfg.Configuration;

/**
 * Entities through Hibernate with each kind of id, in interleaved rounds: statements counted at the
 * driver, and processor time of the inserting thread.
 */
public final class InsertBenchmarks {
  private static final int ROWS_OF_TRANSACTION = 1_000;
  private static final int ROUNDS = 10;
  private static final SequenceId.Format FORMAT = new SequenceId.Format("R", 1);
  private static final String RIVAL = "`@UuidGenerator(style = VERSION_7)`";

  /** A kind of id: what the page calls it, and a new row. */
  private record Contender(String name, Supplier<? extends Rows.Row> row) {}

  private static final List<Contender> CONTENDERS =
      List.of(
          new Contender(RIVAL, Rows.Version7Row::new),
          new Contender("**`@Minted Ulid`**", Rows.MintedRow::new),
          new Contender("**`@Minted UUID`** (version 7)", Rows.MintedUuidRow::new),
          new Contender("**`@Minted(by = SERVER) Ulid`**", Rows.ServerRow::new),
          new Contender("**`@SequenceKey`**, a class of 8 bytes", Rows.SequenceKeyRow::new),
          new Contender("**`@MintedByDatabase Ulid`**", Rows.DatabaseRow::new),
          new Contender("hypersistence `@Tsid Long`", Rows.TsidRow::new),
          new Contender("`SEQUENCE Long`, 50", Rows.SequenceRow::new),
          new Contender("`IDENTITY Long`", Rows.IdentityRow::new));

  private static final String INTRODUCTION =
      """
      # Benchmarks of Hibernate: entities with each kind of id

      %,d entities of three columns for each kind of id, 1,000 in a transaction, `hibernate.jdbc.batch_size=50`, one thread, on a temporary
      PostgreSQL (`fsync = off`, same machine). Statements are counted at the driver, in a pass of their own that also warms up. The time is
      the processor time of the inserting thread, without that of the server: after one more round that does not count, 10 rounds of a tenth
      of the entities, interleaved, each round as a ratio to Hibernate's own UUIDv7 in the same round; the median of the rounds. Processor
      time and statements depend less on the machine than time does. Compare the ratios.

      To measure everything again and print this page, run

      ```
      mvn -q -Pinsert-benchmarks -DskipTests -pl hibernate -am test
      ```

      `-Dinsert-benchmarks.rows=10000` sets the number of entities; `-Dinsert-benchmarks.write=FILE.md` writes the page to a file, and its
      chart and its figures to `FILE.svg` and `FILE.json`.

      %s
      %s
      | id | batches | other statements | processor time, ratio | lowest to highest | us an entity |
      |---|--:|--:|--:|--:|--:|
      """;

  private static final String REMARKS =
      """

      - The round trips are the figure to rely on: ids that Java mints cost none, ids of the server and of sequences one for 50 entities. A
        single insert with `by = SERVER` costs one round trip more.
      - A `Long` is smaller than any id of 16 bytes. A TSID is one, without a node number that is leased: two processes can mint the same.
      - Ids that Hibernate must read back are inserted one by one, with a round trip for each entity. That holds for `@MintedByDatabase` as for
        `IDENTITY`.
      """;

  private InsertBenchmarks() {}

  /** Takes the file to write and the number of entities. */
  public static void main(String[] arguments) throws IOException, SQLException {
    int rows = Integer.parseInt(arguments[1]);
    TestDatabase database = TestServer.NEWEST.createDatabase();
    Pack.inSchema(Pack.SCHEMA).install(database.dataSource());

    List<SentStatements> sent = new ArrayList<>();
    try (var connections = database.connectionPool(1)) {
      SentStatements counter = new SentStatements();
      try (SessionFactory factory = start(counter.around(connections))) {
        for (Contender each : CONTENDERS) {
          counter.reset();
          insert(factory, each, rows);
          sent.add(counter.copy());
        }
      }
      try (SessionFactory factory = start(connections)) {
        String page =
            INTRODUCTION.formatted(
                    rows, BenchmarkPage.HIBERNATE.links(), measured(connections).line())
                + table(rows, sent, measure(factory, rows))
                + REMARKS;
        System.out.print(page);
        BenchmarkPage.HIBERNATE.write(Path.of(arguments[0]), page);
      }
    }
  }

  private static MeasuredOn measured(DataSource dataSource) throws SQLException {
    try (Connection connection = dataSource.getConnection()) {
      return MeasuredOn.here(
          "PostgreSQL " + connection.getMetaData().getDatabaseProductVersion(),
          "Hibernate " + Version.getVersionString());
    }
  }

  private static SessionFactory start(DataSource dataSource) {
    Configuration configuration = new Configuration();
    for (Contender each : CONTENDERS) {
      configuration.addAnnotatedClass(each.row().get().getClass());
    }
    configuration.getProperties().put("hibernate.connection.datasource", dataSource);
    configuration
        .getProperties()
        .put(
            MintmarkTypes.TYPES_SETTING,
            List.of(
                IdType.sequences(FORMAT)
                    .map(
                        Rows.RowId.class,
                        id -> new Rows.RowId(id.number()),
                        id -> FORMAT.of(id.value()))));
    configuration.setProperty("hibernate.jdbc.batch_size", "50");
    configuration.setProperty("hibernate.hbm2ddl.auto", "update");
    return configuration.buildSessionFactory();
  }

  /** Inserts rows in transactions; returns the processor time of this thread in nanoseconds. */
  private static long insert(SessionFactory factory, Contender contender, int rows) {
    ThreadMXBean threads = ManagementFactory.getThreadMXBean();
    long begin = threads.getCurrentThreadCpuTime();
    for (int left = rows; left > 0; left -= ROWS_OF_TRANSACTION) {
      int count = Math.min(left, ROWS_OF_TRANSACTION);
      factory.inTransaction(
          session -> {
            for (int i = 0; i < count; i++) {
              Rows.Row row = contender.row().get();
              row.title = "title";
              row.plays = i;
              session.persist(row);
            }
          });
    }
    return threads.getCurrentThreadCpuTime() - begin;
  }

  /** The time of each contender in each round, after one that does not count. */
  private static long[][] measure(SessionFactory factory, int rows) {
    long[][] times = new long[CONTENDERS.size()][ROUNDS];
    for (int round = -1; round < ROUNDS; round++) {
      for (int i = 0; i < CONTENDERS.size(); i++) {
        // Each begins a round once, so none always follows the same one.
        int index = Math.floorMod(i + round, CONTENDERS.size());
        long time = insert(factory, CONTENDERS.get(index), rows / ROUNDS);
        if (round >= 0) {
          times[index][round] = time;
        }
      }
    }
    return times;
  }

  private static String table(int rows, List<SentStatements> sent, long[][] times) {
    StringBuilder table = new StringBuilder();
    for (int index = 0; index < times.length; index++) {
      double[] ratios = new double[ROUNDS];
      for (int i = 0; i < ROUNDS; i++) {
        ratios[i] = (double) times[index][i] / times[0][i];
      }
      Arrays.sort(ratios);
      table.append(
          String.format(
              Locale.ROOT,
              "| %s | %,d | %,d | %.2f | %.2f to %.2f | %.1f |%n",
              CONTENDERS.get(index).name(),
              sent.get(index).batches(),
              sent.get(index).others(),
              (ratios[ROUNDS / 2 - 1] + ratios[ROUNDS / 2]) / 2,
              ratios[0],
              ratios[ROUNDS - 1],
              Arrays.stream(times[index]).sum() / 1e3 / (rows / ROUNDS * ROUNDS)));
    }
    return table.toString();
  }
}
