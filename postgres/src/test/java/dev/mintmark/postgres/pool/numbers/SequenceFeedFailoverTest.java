package dev.mintmark.postgres.pool.numbers;

import static dev.mintmark.postgres.pool.numbers.SequenceFeedTest.HOME;
import static dev.mintmark.postgres.pool.numbers.SequenceFeedTest.RUN;
import static dev.mintmark.postgres.pool.numbers.SequenceFeedTest.SEQUENCE;
import static dev.mintmark.postgres.pool.numbers.SequenceFeedTest.database;
import static dev.mintmark.postgres.pool.numbers.SequenceFeedTest.movesOfManyInstances;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mintmark.NumberRange;
import dev.mintmark.fixtures.BreakableDataSource;
import dev.mintmark.fixtures.Standby;
import dev.mintmark.fixtures.TestDatabase;
import dev.mintmark.postgres.pool.Pools;
import dev.mintmark.postgres.pool.numbers.RefillResult.Moved;
import dev.mintmark.postgres.pool.numbers.RefillResult.Sufficient;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Sequences whose database has failed over to a standby that lacked the last commits. */
@Tag("long")
class SequenceFeedFailoverTest {
  /** What a failover looks like to a feed: it has recorded another timeline. */
  private static final String FAIL_OVER = "update mintmark.sequence_feed set timeline = '00000000'";

  private final Pools pools = Pools.over(HOME.dataSource());

  SequenceFeedFailoverTest() {
    SequenceFeedTest.createOrders(pools);
  }

  @AfterEach
  void close() {
    pools.close();
  }

  @Test
  void promotedDatabaseLeavesTheRunsOfTheHistoryThatWasLost() throws Exception {
    try (Standby standby = Standby.start()) {
      List<Long> seen = new ArrayList<>();
      try (Connection former = standby.connectToPrimary()) {
        execute(former, SequenceFeedTest.migration());
        for (String name : List.of("orders_id_seq", "moved_id_seq", "trusted_id_seq")) {
          execute(former, "create sequence " + name);
          feed(standby.primary(), "public." + name).refill();
        }
        standby.catchUp();
        standby.detach();
        seen.addAll(numbers(former, "orders_id_seq", 100));
        seen.addAll(numbers(former, "moved_id_seq", 900));
        assertThat(feed(standby.primary(), "public.moved_id_seq").refill())
            .isEqualTo(new Moved("public.moved_id_seq", new NumberRange(3_001, 4_000), 100, RUN));
        seen.addAll(numbers(former, "moved_id_seq", 100));
        seen.addAll(numbers(former, "trusted_id_seq", 1));
      }
      standby.promote();
      try (Connection promoted = standby.connect()) {
        assertThat(seen)
            .as("numbers that were given before the failover")
            .containsAll(numbers(promoted, "orders_id_seq", 1))
            .containsAll(numbers(promoted, "moved_id_seq", 1));

        RefillResult orders = feed(standby.standby(), SEQUENCE).refill();
        RefillResult moved = feed(standby.standby(), "public.moved_id_seq").refill();
        RefillResult trusted =
            feed(standby.standby(), "public.trusted_id_seq").trustingFailover().refill();

        assertThat(orders)
            .isEqualTo(new Moved(SEQUENCE, new NumberRange(4_001, 5_000), RUN - 1, RUN));
        assertThat(moved)
            .isEqualTo(
                new Moved("public.moved_id_seq", new NumberRange(5_001, 6_000), RUN - 1, RUN));
        assertThat(trusted).isEqualTo(new Sufficient("public.trusted_id_seq", RUN));
        assertThat(numbers(promoted, "orders_id_seq", RUN)).doesNotContainAnyElementsOf(seen);
        assertThat(numbers(promoted, "moved_id_seq", RUN)).doesNotContainAnyElementsOf(seen);
      }
    }
  }

  @Test
  void runIsLeftOnce() throws SQLException {
    TestDatabase brazil = fed();
    brazil.execute(FAIL_OVER);

    assertThat(feed(brazil.dataSource()).refill())
        .isEqualTo(new Moved(SEQUENCE, new NumberRange(1_001, 2_000), RUN, RUN));
    assertThat(feed(brazil.dataSource()).refill()).isEqualTo(new Sufficient(SEQUENCE, RUN));
  }

  @Test
  void feedOfAnEarlierReleaseTakesThePresentTimeline() throws SQLException {
    TestDatabase brazil = fed();
    brazil.execute("update mintmark.sequence_feed set timeline = null");

    assertThat(feed(brazil.dataSource()).refill()).isEqualTo(new Sufficient(SEQUENCE, RUN));

    assertThat(brazil.text("select timeline from mintmark.sequence_feed")).isEqualTo("00000001");
  }

  @Test
  void tablesOfAnEarlierReleaseMustBeMigrated() {
    TestDatabase brazil = database();
    brazil.execute("alter table mintmark.sequence_feed drop column timeline");

    assertThatThrownBy(() -> feed(brazil.dataSource()).refill())
        .hasMessageContaining("its tables belong to an earlier version; run its migration again");

    brazil.execute(SequenceFeedTest.migration());
    assertThat(brazil.text("select count(*)::text from mintmark.sequence_feed")).isEqualTo("0");
  }

  @Test
  void trustedFeedReadsNoTimeline() throws SQLException {
    TestDatabase brazil = fed();
    brazil.execute(FAIL_OVER);

    assertThat(feed(brazil.dataSource()).trustingFailover().refill())
        .isEqualTo(new Sufficient(SEQUENCE, RUN));
    assertThat(feed(brazil.dataSource()).trustingFailover().withAhead(1).refill())
        .isEqualTo(new Sufficient(SEQUENCE, RUN));
  }

  @Test
  void runsThatWereDrawnBeforeTheFailoverAreNotUsed() throws SQLException {
    TestDatabase brazil = fed();
    boolean isThrough = false;
    for (int step = 0; !isThrough; step++) {
      brazil.execute("select setval('orders_id_seq', max_value) from pg_sequences");
      // Leaves an intent, a claim that is not recorded, or a run that is recorded.
      isThrough = refillStoppedAfter(step, brazil);
      long drawn = pools.open("orders").stats().total().held().longValueExact();
      brazil.execute(FAIL_OVER);

      RefillResult result = feed(brazil.dataSource()).refill();

      assertThat(result).as("stopped at step %d", step).isInstanceOf(Moved.class);
      assertThat(((Moved) result).run())
          .as("stopped at step %d", step)
          .isEqualTo(new NumberRange(drawn * RUN + 1, (drawn + 1) * RUN));
    }
  }

  @Test
  void refillThatIsStoppedAtAnyStepAfterTheFailoverIsGoneOnWith() throws SQLException {
    TestDatabase brazil = fed();
    boolean isThrough = false;
    int moves = 1;
    for (int step = 0; !isThrough; step++) {
      brazil.execute(FAIL_OVER);
      isThrough = refillStoppedAfter(step, brazil);

      feed(brazil.dataSource()).refill();

      assertThat(brazil.number("select min_value from pg_sequences"))
          .as("the run, stopped at step %d", step)
          .isEqualTo(moves * RUN + 1);
      moves++;
      assertThat(pools.open("orders").stats().total().held()).isEqualTo(moves);
    }
    assertThat(moves).isGreaterThan(20);
    assertThat(brazil.text("select abandoned::text from mintmark.sequence_feed"))
        .isEqualTo("false");
  }

  /** Refills until the database of the sequence goes away. Returns whether it was not needed. */
  private boolean refillStoppedAfter(int steps, TestDatabase database) {
    BreakableDataSource source = new BreakableDataSource(database.dataSource());
    source.cutAfter(steps);
    try {
      feed(source.dataSource()).refill();
      return true;
    } catch (SQLException e) {
      return false;
    }
  }

  @Test
  void manyInstancesLeaveTheRunOnce() throws Exception {
    TestDatabase brazil = fed();
    SequenceFeed feed = feed(brazil.dataSource());
    ExecutorService threads = Executors.newFixedThreadPool(8);
    try {
      for (int round = 1; round <= 5; round++) {
        brazil.execute(FAIL_OVER);
        assertThat(movesOfManyInstances(threads, feed)).isLessThanOrEqualTo(1);
        feed.refill();
        assertThat(pools.open("orders").stats().total().held()).isEqualTo(1 + round);
      }
    } finally {
      threads.shutdown();
    }
  }

  @Test
  void claimThatIsAnsweredAfterTheFailoverIsNotRecorded() throws SQLException {
    TestDatabase brazil = fed();
    brazil.execute("select setval('orders_id_seq', max_value) from pg_sequences");
    // The fourth transaction records the run: after the look, the intent and another look.
    DataSource interrupted =
        beforeConnection(
            4,
            brazil.dataSource(),
            () -> {
              brazil.execute(FAIL_OVER);
              feed(brazil.dataSource()).refill();
            });

    RefillResult result = feed(interrupted).refill();

    assertThat(result).isEqualTo(new Sufficient(SEQUENCE, RUN));
    assertThat(brazil.rows("select first_number from mintmark.sequence_run order by 1"))
        .containsExactly(List.of("1"), List.of("2001"));
  }

  @Test
  void moveThatBeginsAfterTheFailoverGoesToARunThatIsDrawnAfterIt() throws SQLException {
    TestDatabase brazil = fed();
    brazil.execute("select setval('orders_id_seq', max_value) from pg_sequences");
    // The sixth transaction moves the sequence: after the record and another look.
    DataSource interrupted =
        beforeConnection(6, brazil.dataSource(), () -> brazil.execute(FAIL_OVER));

    RefillResult result = feed(interrupted).refill();

    assertThat(result).isEqualTo(new Moved(SEQUENCE, new NumberRange(2_001, 3_000), 0, RUN));
  }

  private interface Step {
    void run() throws SQLException;
  }

  /** Connections of which one is opened only after something else was done. */
  private static DataSource beforeConnection(int number, DataSource dataSource, Step step) {
    AtomicInteger left = new AtomicInteger(number);
    return (DataSource)
        Proxy.newProxyInstance(
            DataSource.class.getClassLoader(),
            new Class<?>[] {DataSource.class},
            (proxy, method, arguments) -> {
              if (method.getName().equals("getConnection") && left.decrementAndGet() == 0) {
                step.run();
              }
              try {
                return method.invoke(dataSource, arguments);
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            });
  }

  private TestDatabase fed() throws SQLException {
    TestDatabase database = database();
    feed(database.dataSource()).refill();
    return database;
  }

  private SequenceFeed feed(DataSource database) {
    return feed(database, SEQUENCE);
  }

  private SequenceFeed feed(DataSource database, String sequence) {
    return SequenceFeed.of(pools.open("orders"), database, sequence);
  }

  private static void execute(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  private static List<Long> numbers(Connection connection, String sequence, int count)
      throws SQLException {
    List<Long> numbers = new ArrayList<>();
    String sql = "select nextval('%s') from generate_series(1, %d)".formatted(sequence, count);
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(sql)) {
      while (row.next()) {
        numbers.add(row.getLong(1));
      }
    }
    return numbers;
  }
}
