package dev.mintmark.hibernate.bench;

import dev.mintmark.IdType;
import dev.mintmark.SequenceId;
import dev.mintmark.fixtures.TestDatabase;
import dev.mintmark.fixtures.TestServer;
import dev.mintmark.hibernate.MintmarkTypes;
import dev.mintmark.postgres.pack.Pack;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.function.Supplier;
import javax.sql.DataSource;
import org.hibernate.SessionFactory;
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
        String page = table(rows, sent, measure(factory, rows));
        System.out.print(page);
        Files.writeString(Path.of(arguments[0]), page);
      }
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
    StringBuilder table =
        new StringBuilder(
            "| id | batches | other statements | processor time, ratio | lowest to highest | us an entity |\n|---|--:|--:|--:|--:|--:|\n");
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
