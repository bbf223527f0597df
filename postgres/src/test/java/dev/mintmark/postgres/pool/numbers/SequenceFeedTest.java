package dev.mintmark.postgres.pool.numbers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mintmark.Block;
import dev.mintmark.NumberRange;
import dev.mintmark.PoolSpec;
import dev.mintmark.fixtures.BreakableDataSource;
import dev.mintmark.fixtures.OnServers;
import dev.mintmark.fixtures.Patience;
import dev.mintmark.fixtures.TestDatabase;
import dev.mintmark.fixtures.TestPgBouncer;
import dev.mintmark.fixtures.TestServer;
import dev.mintmark.postgres.pool.Pool;
import dev.mintmark.postgres.pool.PoolUnavailableException;
import dev.mintmark.postgres.pool.Pools;
import dev.mintmark.postgres.pool.numbers.RefillResult.Exhausted;
import dev.mintmark.postgres.pool.numbers.RefillResult.Moved;
import dev.mintmark.postgres.pool.numbers.RefillResult.Sufficient;
import dev.mintmark.postgres.pool.numbers.RefillResult.WaitingForLock;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;
import org.flywaydb.core.Flyway;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Sequences of several databases, fed from one pool in a database of its own. */
@Tag("long")
class SequenceFeedTest {
  static final String SEQUENCE = "public.orders_id_seq";
  static final int RUN = 1_000;

  /** The database of the pools. */
  static final TestDatabase HOME = TestDatabase.create();

  /** How many numbers each of those who draw takes. */
  private static final int LOAD = 1_500;

  private final BreakableDataSource poolSource = new BreakableDataSource(HOME.dataSource());
  private final Pools pools = Pools.over(poolSource.dataSource());

  SequenceFeedTest() {
    createOrders(pools);
  }

  @AfterEach
  void close() {
    pools.close();
  }

  @Test
  void sequenceThatWasNeverUsedIsMovedToItsFirstRun() throws SQLException {
    TestDatabase brazil = database();
    SequenceFeed feed = feed(brazil);

    RefillResult first = feed.refill();
    RefillResult second = feed.refill();

    assertThat(first).isEqualTo(new Moved(SEQUENCE, new NumberRange(1, 1_000), 0, 1_000));
    assertThat(second).isEqualTo(new Sufficient(SEQUENCE, 1_000));
    assertThat(next(brazil)).isEqualTo(1);
  }

  @Test
  void runThatBeginsWhereThePresentOneEndsIsGoneOnWith() throws SQLException {
    TestDatabase brazil = database();
    SequenceFeed feed = feed(brazil);
    feed.refill();
    brazil.number("select setval('orders_id_seq', 801)");

    RefillResult result = feed.refill();

    assertThat(result).isEqualTo(new Moved(SEQUENCE, new NumberRange(1_001, 2_000), 0, 1_199));
    assertThat(next(brazil)).isEqualTo(802);
    assertThat(bounds(brazil)).isEqualTo("1..2000");
    assertThat(feed.refill()).isEqualTo(new Sufficient(SEQUENCE, 1_198));
  }

  @Test
  void runElsewhereIsJumpedToWhenFewNumbersAreLeft() throws SQLException {
    TestDatabase brazil = database();
    SequenceFeed feed = feed(brazil);
    feed.refill();
    feed(database()).refill();
    brazil.number("select setval('orders_id_seq', 800)");
    assertThat(feed.refill()).isEqualTo(new Sufficient(SEQUENCE, 200));
    next(brazil);

    RefillResult result = feed.refill();

    assertThat(result).isEqualTo(new Moved(SEQUENCE, new NumberRange(2_001, 3_000), 199, 1_000));
    assertThat(next(brazil)).isEqualTo(2_001);
    assertThat(bounds(brazil)).isEqualTo("2001..3000");
  }

  @Test
  void moreIsKeptAheadIfWantedButNeverMoreThanHalfARun() throws SQLException {
    TestDatabase brazil = database();
    SequenceFeed feed = feed(brazil).withAhead(1_000_000);
    feed.refill();

    assertThat(feed.refill()).isInstanceOf(Sufficient.class);
    brazil.number("select setval('orders_id_seq', 501)");
    assertThat(feed.refill()).isInstanceOf(Moved.class);
    assertThatThrownBy(() -> feed.withAhead(0)).hasMessage("ahead is 0: expected at least 1");
  }

  @Test
  void sequenceThatIsNotRefilledFailsRatherThanLeaveItsRuns() throws SQLException {
    TestDatabase brazil = database();
    SequenceFeed feed = feed(brazil);
    feed.refill();
    poolSource.cut();

    assertThat(numbers(brazil, 1_000)).hasSize(RUN).allMatch(number -> number <= RUN);

    assertThatThrownBy(() -> numbers(brazil, 1))
        .isInstanceOfSatisfying(
            SQLException.class, e -> assertThat(e.getSQLState()).isEqualTo("2200H"));
    assertThatThrownBy(feed::refill).isInstanceOf(PoolUnavailableException.class);
    poolSource.mend();
    assertThat(feed.refill()).isInstanceOf(Moved.class);
    assertThat(numbers(brazil, 1)).containsExactly(1_001L);
  }

  @Test
  void poolWithoutARunIsAnAnswer() throws SQLException {
    pools.create(PoolSpec.of("few", List.of(Block.parse("1..1000 by 1000"))));
    SequenceFeed.of(pools.open("few"), database().dataSource(), SEQUENCE).refill();
    TestDatabase canada = database();

    RefillResult result =
        SequenceFeed.of(pools.open("few"), canada.dataSource(), SEQUENCE).refill();

    assertThat(result).isInstanceOf(Exhausted.class);
    assertThat(result.remaining()).isEqualTo(Long.MAX_VALUE);
  }

  @Test
  void openTransactionThatTookANumberIsNotWaitedForAndItsRunIsUsedLater() throws SQLException {
    TestDatabase brazil = database();
    SequenceFeed feed = feed(brazil);
    feed.refill();
    brazil.number("select setval('orders_id_seq', 950)");
    try (Connection open = brazil.dataSource().getConnection()) {
      open.setAutoCommit(false);
      open.createStatement().execute("select nextval('orders_id_seq')");

      RefillResult result = feed.refill();

      assertThat(result).isEqualTo(new WaitingForLock(SEQUENCE, new NumberRange(1_001, 2_000), 49));
      assertThat(next(brazil)).isEqualTo(952);
      open.commit();
    }
    assertThat(feed.refill())
        .isEqualTo(new Moved(SEQUENCE, new NumberRange(1_001, 2_000), 0, 1_048));
    assertThat(pools.open("orders").stats().total().held()).isEqualTo(2);
  }

  @Test
  void refillThatIsStoppedAtAnyStepIsGoneOnWithAndDrawsNoRunTwice() throws SQLException {
    TestDatabase brazil = database();
    BreakableDataSource source = new BreakableDataSource(brazil.dataSource());
    SequenceFeed feed = SequenceFeed.of(pools.open("orders"), source.dataSource(), SEQUENCE);
    feed.refill();
    int moves = 1;
    for (BreakableDataSource broken : List.of(source, poolSource)) {
      int stopped = 0;
      boolean isThrough = false;
      for (int step = 0; !isThrough; step++) {
        brazil.execute("select setval('orders_id_seq', max_value) from pg_sequences");
        broken.cutAfter(step);
        try {
          feed.refill();
          isThrough = true;
        } catch (SQLException | PoolUnavailableException e) {
          stopped++;
        }
        broken.mend();
        feed.refill();
        assertThat(brazil.number("select max_value - last_value from pg_sequences"))
            .as("numbers left, stopped at step %d", step)
            .isEqualTo(RUN);
        moves++;
      }
      assertThat(stopped).as("steps at which it was stopped").isPositive();
      assertThat(pools.open("orders").stats().total().held()).isEqualTo(moves);
      assertThat(brazil.number("select count(*) from mintmark.sequence_run where moved_at is null"))
          .isZero();
    }
  }

  @Test
  void manyInstancesAtOnceDrawOneRun() throws Exception {
    TestDatabase brazil = database();
    SequenceFeed feed = feed(brazil);
    ExecutorService threads = Executors.newFixedThreadPool(8);
    try {
      for (int round = 1; round <= 5; round++) {
        assertThat(movesOfManyInstances(threads, feed)).isLessThanOrEqualTo(1);
        feed.refill();
        assertThat(pools.open("orders").stats().total().held()).isEqualTo(round);
        brazil.execute("select setval('orders_id_seq', max_value) from pg_sequences");
      }
    } finally {
      threads.shutdown();
    }
  }

  @Test
  void databasesThatDrawAndAreDrawnFromAtOnceNeverGiveTheSameNumber() throws Exception {
    List<TestDatabase> databases = List.of(database(), database(), database());
    List<SequenceFeedRunner> runners = new ArrayList<>();
    ConcurrentLinkedQueue<Exception> failures = new ConcurrentLinkedQueue<>();
    for (TestDatabase database : databases) {
      // Two instances each.
      for (int i = 0; i < 2; i++) {
        runners.add(
            SequenceFeedRunner.start(
                feed(database).withAhead(400), Duration.ofMillis(100), listener(failures)));
      }
    }
    ExecutorService threads = Executors.newFixedThreadPool(6);
    List<Future<List<Long>>> loads = new ArrayList<>();
    for (int i = 0; i < 6; i++) {
      TestDatabase database = databases.get(i % 3);
      loads.add(threads.submit(() -> load(database)));
    }
    List<Long> all = new ArrayList<>();
    try {
      for (Future<List<Long>> load : loads) {
        all.addAll(load.get());
      }
    } finally {
      threads.shutdown();
      runners.forEach(SequenceFeedRunner::close);
    }

    assertThat(failures).isEmpty();
    assertThat(all).hasSize(6 * LOAD);
    assertThat(new HashSet<>(all)).hasSameSizeAs(all);
    Set<String> drawn = new HashSet<>();
    for (TestDatabase database : databases) {
      database
          .rows("select first_number from mintmark.sequence_run")
          .forEach(row -> assertThat(drawn.add(row.get(0))).isTrue());
    }
    // 9,000 numbers are 9 runs of 1,000.
    assertThat(drawn).hasSizeGreaterThan(8);
  }

  @Test
  void sequenceInUseGoesOnInARunAboveWhatItGave() throws SQLException {
    TestDatabase brazil = database();
    brazil.number("select setval('orders_id_seq', 5000)");
    pools.create(PoolSpec.of("above", List.of(Block.parse("5001..99000 by 1000"))));

    RefillResult result =
        SequenceFeed.of(pools.open("above"), brazil.dataSource(), SEQUENCE).refill();

    assertThat(result).isEqualTo(new Moved(SEQUENCE, new NumberRange(5_001, 6_000), 0, 1_000));
  }

  @Test
  void sequenceInUseAboveTheNextRunIsRefusedAndThePoolLeftAsItWas() {
    TestDatabase brazil = database();
    brazil.number("select setval('orders_id_seq', 5000)");

    assertRefused(
        feed(brazil),
        "it has given numbers up to 5000, and the pool's next run is 1..1000; let the blocks of"
            + " the pool begin above every number that is in use in any database");

    assertThat(next(brazil)).isEqualTo(5_001);
    assertThat(pools.open("orders").stats().total().held()).isZero();
  }

  @Test
  void copyOfADatabaseIsRefusedUntilItIsFedFresh() throws SQLException {
    TestDatabase brazil = database();
    feed(brazil).refill();
    next(brazil);
    TestDatabase copy = brazil.copy();

    assertRefused(feed(copy), "this database is a copy of the one in which it was fed");
    RefillResult result = feed(copy).refillFresh();

    assertThat(result).isEqualTo(new Moved(SEQUENCE, new NumberRange(1_001, 2_000), 999, 1_000));
    assertThat(next(copy)).isEqualTo(1_001);
    assertThat(feed(copy).refill()).isInstanceOf(Sufficient.class);
    assertThat(next(brazil)).isEqualTo(2);
  }

  @Test
  void copyForgetsTheRunThatItsOriginalHasStillToMoveTo() throws SQLException {
    TestDatabase brazil = database();
    feed(brazil).refill();
    brazil.execute("select setval('orders_id_seq', 999)");
    BreakableDataSource source = new BreakableDataSource(brazil.dataSource());
    SequenceFeed stopped = SequenceFeed.of(pools.open("orders"), source.dataSource(), SEQUENCE);
    for (int step = 0; waiting(brazil) == 0; step++) {
      source.cutOnceAfter(step);
      assertThatThrownBy(stopped::refill).isInstanceOf(SQLException.class);
      source.mend();
    }
    TestDatabase copy = brazil.copy();

    feed(copy).refillFresh();
    feed(brazil).refill();

    assertThat(next(brazil)).isEqualTo(1_000);
    assertThat(bounds(brazil)).isEqualTo("1..2000");
    assertThat(bounds(copy)).isEqualTo("2001..3000");
  }

  @Test
  void sequenceThatSomebodyAlteredIsRefusedUntilItIsFedFresh() throws SQLException {
    TestDatabase brazil = database();
    feed(brazil).refill();
    brazil.execute("alter sequence orders_id_seq maxvalue 5000");

    assertRefused(
        feed(brazil), "it has been altered to give numbers from 1 to 5000: expected 1..1000");
    assertThat(feed(brazil).refillFresh()).isInstanceOf(Moved.class);
    assertThat(bounds(brazil)).isEqualTo("1001..2000");
  }

  @Test
  void runWithNumbersThatWereHadBeforeIsRefused() throws SQLException {
    TestDatabase brazil = database();
    feed(brazil).refill();
    brazil.execute("select setval('orders_id_seq', 1000)");
    Pool pool = pools.open("orders");
    pool.release("1..1000", pool.find("1..1000").orElseThrow().token());

    assertRefused(feed(brazil), "the pool gave it 1..1000, of which it has had numbers before");

    assertThat(feed(brazil).refill()).isInstanceOf(Moved.class);
    assertThat(next(brazil)).isEqualTo(1_001);
  }

  @Test
  void sequencesThatCannotBeFedAreRefused() {
    TestDatabase brazil = database();
    brazil.execute(
        """
        create sequence small as integer;
        create sequence wide increment 50;
        create sequence round maxvalue 10 cycle;
        create unlogged sequence light;
        create role clerk login;
        grant usage on schema mintmark to clerk;
        grant all on all tables in schema mintmark to clerk;
        """);
    assertRefused(feed(brazil, "public.none"), "there is no such sequence");
    assertRefused(feed(brazil, "public.small"), "it is of type integer: expected bigint");
    assertRefused(feed(brazil, "public.wide"), "its increment is 50: expected 1");
    assertRefused(feed(brazil, "public.round"), "it cycles");
    assertRefused(feed(brazil, "public.light"), "it is unlogged or temporary");
    assertRefused(
        SequenceFeed.of(pools.open("orders"), brazil.dataSource("clerk"), SEQUENCE),
        "this role does not own it");
    assertThatThrownBy(() -> feed(brazil, "orders_id_seq"))
        .hasMessage("sequence \"orders_id_seq\": expected its schema, a dot and its name");
    pools.create(
        PoolSpec.of("leased", List.of(Block.parse("1..9 by 3"))).withLease(Duration.ofHours(1)));
    assertThatThrownBy(() -> SequenceFeed.of(pools.open("leased"), brazil.dataSource(), SEQUENCE))
        .hasMessageContaining("pool \"leased\" cannot feed sequences: it has a lease of 1h");
    assertThat(pools.open("orders").stats().total().held()).isZero();
    brazil.execute("drop owned by clerk; drop role clerk");
  }

  @Test
  void sequenceIsFedFromOnePoolOnly() throws SQLException {
    TestDatabase brazil = database();
    feed(brazil).refill();
    pools.create(PoolSpec.of("others", List.of(Block.parse("1..9 by 3"))));

    assertRefused(
        SequenceFeed.of(pools.open("others"), brazil.dataSource(), SEQUENCE),
        "it is fed from pool \"orders\"");
  }

  @OnServers({TestServer.V14, TestServer.V18})
  void identityColumnOfATableWithAnOddNameIsFed(TestServer server) throws SQLException {
    TestDatabase database = migrated(server.createDatabase());
    database.execute("create table \"Odd \"\"Name\" (id bigint generated always as identity)");
    SequenceFeed feed = feed(database, "public.Odd \"Name_id_seq");

    feed.refill();

    assertThat(database.number("insert into \"Odd \"\"Name\" default values returning id"))
        .isEqualTo(1);
  }

  @Test
  void refillsWorkThroughAPoolerInTransactionMode() throws SQLException {
    TestDatabase brazil = database();
    try (TestPgBouncer bouncer = TestPgBouncer.before(brazil)) {
      SequenceFeed feed = SequenceFeed.of(pools.open("orders"), bouncer.dataSource(), SEQUENCE);

      assertThat(feed.refill()).isInstanceOf(Moved.class);
      brazil.number("select setval('orders_id_seq', 950)");
      assertThat(feed.refill()).isInstanceOf(Moved.class);
    }
    assertThat(brazil.text("show lock_timeout")).isEqualTo("0");
  }

  @Test
  void migrationMayBeRunAgainAndBesideTheTablesOfPools() throws SQLException {
    TestDatabase home = TestDatabase.create();
    home.execute("create sequence orders_id_seq");
    Flyway flyway =
        Flyway.configure()
            .dataSource(home.dataSource())
            .schemas("mintmark")
            .locations("classpath:" + Pools.MIGRATIONS, "classpath:" + SequenceFeed.MIGRATIONS)
            .load();
    flyway.migrate();
    feed(home).refill();

    migrated(home);

    assertThat(flyway.validateWithResult().validationSuccessful).isTrue();
    assertThat(next(home)).isEqualTo(1);
  }

  @Test
  void runnerGoesOnAfterAFailure() {
    TestDatabase brazil = database();
    ConcurrentLinkedQueue<Exception> failures = new ConcurrentLinkedQueue<>();
    SequenceFeed feed = feed(brazil);
    poolSource.cut();
    try (SequenceFeedRunner runner =
        SequenceFeedRunner.start(feed, Duration.ofMillis(100), listener(failures))) {
      while (failures.isEmpty()) {
        Thread.onSpinWait();
      }
      poolSource.mend();
      while (bounds(brazil).startsWith("1..9")) {
        Thread.onSpinWait();
      }
      assertThat(runner).isNotNull();
    }
    assertThat(bounds(brazil)).isEqualTo("1..1000");
    assertThatThrownBy(
            () -> SequenceFeedRunner.start(feed, Duration.ofMillis(99), listener(failures)))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void numbersThatAreTakenWhileTheFirstMoveWaitsAreNotGivenAgain() throws Exception {
    TestDatabase brazil = database();
    brazil.number("select setval('orders_id_seq', 999)");
    pools.create(PoolSpec.of("above", List.of(Block.parse("1001..99000 by 1000"))));
    SequenceFeed feed = SequenceFeed.of(pools.open("above"), brazil.dataSource(), SEQUENCE);
    ExecutorService thread = Executors.newSingleThreadExecutor();
    try (Connection open = brazil.dataSource().getConnection()) {
      open.setAutoCommit(false);
      numbers(open, 1);
      Future<RefillResult> refill = thread.submit(feed::refill);
      Patience.await(
          "the first move waits",
          () ->
              refill.isDone()
                  || brazil.number("select count(*) from pg_locks where not granted") > 0);
      assertThat(numbers(open, 20)).endsWith(1_020L);
      open.commit();

      // The run that it waited for is passed over, also where it gave up waiting.
      if (refill.get() instanceof WaitingForLock) {
        feed.refill();
      }
    } finally {
      thread.shutdown();
    }
    assertThat(next(brazil)).isEqualTo(2_001);
    assertThat(bounds(brazil)).isEqualTo("2001..3000");
  }

  @Test
  void sequenceThatWasSetOrRestartedIsInUseThoughItGaveNoNumberSince() throws SQLException {
    TestDatabase brazil = database();
    brazil.execute("alter sequence orders_id_seq restart with 5000");
    assertRefused(feed(brazil), "it has given numbers up to 4999");

    TestDatabase canada = database();
    feed(canada).refill();
    canada.number("select setval('orders_id_seq', 1000, false)");
    assertThat(feed(canada).refill().remaining()).isEqualTo(RUN + 1);
  }

  @Test
  void sequenceThatWasAlteredIsNotFedFreshBelowWhatItGave() throws SQLException {
    TestDatabase brazil = database();
    feed(brazil).refill();
    brazil.execute("alter sequence orders_id_seq maxvalue 5000");
    brazil.number("select setval('orders_id_seq', 1500)");

    assertThatThrownBy(() -> feed(brazil).refillFresh())
        .hasMessageContaining("it has given numbers up to 1500");
    assertThat(next(brazil)).isEqualTo(1_501);
  }

  @Test
  void runsOfAPoolThatIsGivenALeaseLaterAreRefused() {
    SequenceFeed feed = feed(database());
    PoolSpec spec = PoolSpec.of("orders", List.of(Block.parse("1..200000 by 1000")));
    pools.declare(spec.withLease(Duration.ofHours(1)));

    assertRefused(feed, "the pool has been given a lease, so that runs would come back");

    assertThat(pools.open("orders").stats().total().held()).isZero();
  }

  @Test
  void poolOfOtherValuesThanNumbersIsRefused() {
    pools.create(PoolSpec.of("addresses", List.of(Block.parse("10.0.0.0/29"))));
    DataSource source = database().dataSource();
    assertThatThrownBy(() -> SequenceFeed.of(pools.open("addresses"), source, SEQUENCE))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("it has the block 10.0.0.0/29: expected runs of numbers");
  }

  @Test
  void sequenceThatItsOwnerMayNotReadIsRefused() {
    TestDatabase brazil = database();
    brazil.execute(
        """
        create role keeper login;
        grant usage on schema mintmark to keeper;
        grant create on schema public to keeper;
        grant all on all tables in schema mintmark to keeper;
        alter sequence orders_id_seq owner to keeper;
        revoke all on sequence orders_id_seq from keeper;
        """);
    assertRefused(
        SequenceFeed.of(pools.open("orders"), brazil.dataSource("keeper"), SEQUENCE),
        "its owner may not read it");
    brazil.execute("drop owned by keeper; drop role keeper");
  }

  @Test
  void runnerGoesOnThoughItsListenerFails() throws Exception {
    CountDownLatch told = new CountDownLatch(3);
    SequenceFeedRunner.Listener broken =
        new SequenceFeedRunner.Listener() {
          @Override
          public void refilled(RefillResult result) {
            throw new IllegalStateException("no meter");
          }

          @Override
          public void failed(Exception reason) {
            told.countDown();
            throw new IllegalStateException("no log", reason);
          }
        };
    try (SequenceFeedRunner runner =
        SequenceFeedRunner.start(feed(database()), Duration.ofMillis(100), broken)) {
      assertThat(told.await(Patience.MAX.toSeconds(), TimeUnit.SECONDS)).as("%s", runner).isTrue();
    }
  }

  private void assertRefused(SequenceFeed feed, String why) {
    assertThatThrownBy(feed::refill)
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("cannot be fed from pool")
        .hasMessageContaining(why);
  }

  /** Refills in eight threads at once, and returns how many of them moved the sequence. */
  static int movesOfManyInstances(ExecutorService threads, SequenceFeed feed) throws Exception {
    List<Future<RefillResult>> refills = new ArrayList<>();
    for (int i = 0; i < 8; i++) {
      refills.add(threads.submit(feed::refill));
    }
    int moves = 0;
    for (Future<RefillResult> refill : refills) {
      moves += refill.get() instanceof Moved ? 1 : 0;
    }
    return moves;
  }

  /** Deletes all pools and creates the one that sequences are fed from. */
  static void createOrders(Pools pools) {
    pools.names().forEach(pools::delete);
    pools.create(PoolSpec.of("orders", List.of(Block.parse("1..200000 by 1000"))));
  }

  /** A database with a sequence that was never fed. */
  static TestDatabase database() {
    TestDatabase database = migrated(TestServer.NEWEST.createDatabase());
    database.execute("create sequence orders_id_seq");
    return database;
  }

  private static TestDatabase migrated(TestDatabase database) {
    database.execute(migration());
    return database;
  }

  /** The script of the tables. */
  static String migration() {
    String file = "/" + SequenceFeed.MIGRATIONS + "/R__sequence_feed.sql";
    try (InputStream sql = SequenceFeed.class.getResourceAsStream(file)) {
      return new String(sql.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private SequenceFeed feed(TestDatabase database) {
    return feed(database, SEQUENCE);
  }

  private SequenceFeed feed(TestDatabase database, String sequence) {
    return SequenceFeed.of(pools.open("orders"), database.dataSource(), sequence);
  }

  private static SequenceFeedRunner.Listener listener(ConcurrentLinkedQueue<Exception> failures) {
    return new SequenceFeedRunner.Listener() {
      @Override
      public void refilled(RefillResult result) {
        // What it did shows in the sequence.
      }

      @Override
      public void failed(Exception reason) {
        failures.add(reason);
      }
    };
  }

  /** Takes numbers in small transactions, again where the sequence is not fed yet. */
  private static List<Long> load(TestDatabase database) throws SQLException {
    List<Long> taken = new ArrayList<>();
    DataSource source = database.dataSource();
    try (Connection connection = source.getConnection()) {
      connection.setAutoCommit(false);
      while (taken.size() < LOAD) {
        try {
          // Before it is fed it may give any number.
          if (database.number("select max_value from pg_sequences") < Long.MAX_VALUE) {
            taken.addAll(numbers(connection, 20));
          }
          connection.commit();
        } catch (SQLException e) {
          assertThat(e.getSQLState()).isEqualTo("2200H");
          connection.rollback();
        }
      }
    }
    return taken;
  }

  private static List<Long> numbers(TestDatabase database, int count) throws SQLException {
    try (Connection connection = database.dataSource().getConnection()) {
      return numbers(connection, count);
    }
  }

  private static List<Long> numbers(Connection connection, int count) throws SQLException {
    List<Long> numbers = new ArrayList<>();
    try (var rows =
        connection
            .createStatement()
            .executeQuery(
                "select nextval('orders_id_seq') from generate_series(1, " + count + ")")) {
      while (rows.next()) {
        numbers.add(rows.getLong(1));
      }
    }
    return numbers;
  }

  private static long next(TestDatabase database) {
    return database.number("select nextval('orders_id_seq')");
  }

  private static long waiting(TestDatabase database) {
    return database.number("select count(*) from mintmark.sequence_run where moved_at is null");
  }

  private static String bounds(TestDatabase database) {
    return database.text("select min_value || '..' || max_value from pg_sequences");
  }
}
