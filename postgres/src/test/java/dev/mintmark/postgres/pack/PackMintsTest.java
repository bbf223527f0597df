package dev.mintmark.postgres.pack;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.mintmark.fixtures.OnServers;
import dev.mintmark.fixtures.TestDatabase;
import dev.mintmark.fixtures.TestServer;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The mints of the pack: form, order within a transaction, order across sessions. */
@Tag("long")
class PackMintsTest {
  private static final Map<TestServer, TestDatabase> INSTALLED = new EnumMap<>(TestServer.class);

  /** The first tick in the upper half of a millisecond's counter, where the mint takes the lock. */
  private static final long HALF_COUNTER = 131_072;

  private static final List<String> MINTS =
      List.of("ulid()", "uuidv7()", "ulid_monotonic()", "ulids(1)");

  private static final String AN_HOUR_AHEAD =
      "(extract(epoch from now() + interval '1 hour') * 1000)::bigint << 18";

  /**
   * The mints that give the rows of one transaction in insert order, and the servers where they do.
   */
  static Stream<Arguments> orderedMints() {
    return TestServer.enabled()
        .flatMap(
            server ->
                Stream.of("ulid_monotonic", "ulid", "uuidv7")
                    .filter(mint -> mint.equals("ulid_monotonic") || server == TestServer.V18)
                    .map(mint -> Arguments.of(server, mint)));
  }

  @OnServers
  void identifiersBeginWithTheServersMilliseconds(TestServer server) throws SQLException {
    TestDatabase database = installed(server);

    for (String mint : MINTS) {
      mintSlowly(database, mint);

      assertThat(
              database.number(
                  """
                  select count(*)
                  from minted
                  where mintmark.ulid_time(id) not between date_trunc('milliseconds', before) and after
                  """))
          .as(mint)
          .isZero();
    }
  }

  /** Mints 100 ids one by one, at different times within the millisecond. */
  private static void mintSlowly(TestDatabase database, String mint) {
    database.execute(
        """
        drop table if exists minted;
        create table minted (before timestamptz, id uuid, after timestamptz);
        do $$
        declare
          before timestamptz;
          id uuid;
        begin
          for i in 1 .. 100 loop
            perform pg_sleep(0.0002);
            before := clock_timestamp();
            id := mintmark.{mint};
            insert into minted values (before, id, clock_timestamp());
          end loop;
        end $$
        """
            .replace("{mint}", mint));
  }

  @OnServers
  void everyBitThatIsNotFixedTakesBothValues(TestServer server) throws SQLException {
    TestDatabase database = installed(server);
    String random = "*".repeat(62);
    String uuidV7 = "0111" + "*".repeat(12) + "10" + random;
    // The counter starts in the lowest quarter of its 18 bits.
    String counted = "0111" + "00" + "*".repeat(10) + "10" + random;
    // A double of seconds fills 12 bits of the fraction.
    String ulid = server == TestServer.V18 ? uuidV7 : "*".repeat(12) + "0000" + "*".repeat(64);

    assertThat(bitsAfterTime(database, "uuidv7()")).isEqualTo(uuidV7);
    assertThat(bitsAfterTime(database, "ulid()")).isEqualTo(ulid);
    assertThat(bitsAfterTime(database, "ulid_monotonic()")).isEqualTo(counted);
    assertThat(bitsAfterTime(database, "ulids(1)")).isEqualTo(counted);
  }

  /**
   * The bits after the 48 of time, the most significant first: a star if both values occur. Without
   * the ids whose counter has just left the lowest quarter: it may start at the end of it.
   */
  private static String bitsAfterTime(TestDatabase database, String mint) {
    mintSlowly(database, mint);
    return database.text(
        """
        select string_agg(case when least = greatest then least::text else '*' end, '' order by bit)
        from (
          select bit, min(value) as least, max(value) as greatest
          from (
            -- get_bit counts from the least significant bit of each byte.
            select bit, get_bit(uuid_send(id), bit / 8 * 8 + 7 - bit % 8) as value
            from minted
            cross join generate_series(48, 127) bit
            where split_part(id::text, '-', 3) <> '7400') seen
          group by bit) bits
        """);
  }

  @ParameterizedTest
  @MethodSource("orderedMints")
  void rowsOfOneTransactionAreInInsertOrder(TestServer server, String mint) throws SQLException {
    TestDatabase database = installed(server);
    database.execute(
        "create table t (n bigint generated always as identity, id uuid default mintmark.%s(), k int)"
            .formatted(mint));

    database.execute(
        """
        do $$ begin
          for i in 1 .. 5000 loop insert into t (k) values (i); end loop;
        end $$
        """);
    database.execute("insert into t (k) values (1)" + ", (1)".repeat(5_000));
    database.execute(
        "insert into t (k) select i from generate_series(1, 30000) i order by md5(i::text)");

    assertThat(inversions(database)).isZero();
    assertThat(
            database.number(
                """
                select count(*) from (
                  select md5(k::text) < lag(md5(k::text)) over (order by id) as inverted
                  from t where n > 10001) x
                where inverted
                """))
        .isZero();
  }

  @ParameterizedTest
  @ValueSource(strings = {"mintmark.ulid_monotonic()", "mintmark.ulid()"})
  void aMillionRowsOfOneStatementAreInInsertOrder(String mint) throws SQLException {
    TestDatabase database = installed(TestServer.V18);

    assertThat(
            database.number(
                "select count(*) from (select id <= lag(id) over () as inverted"
                    + " from (select %s as id from generate_series(1, 1000000)) m) x where inverted"
                        .formatted(mint)))
        .isZero();
  }

  @OnServers
  void aBulkAscendsAndSoDoBulksAndSinglesAmongThem(TestServer server) throws SQLException {
    TestDatabase database = installed(server);
    database.execute("create table t (n bigint generated always as identity, id uuid)");

    database.execute(
        """
        do $$ begin
          for i in 0 .. 100 loop
            insert into t (id) select mintmark.ulids(i);
            insert into t (id) values (mintmark.ulid_monotonic());
            insert into t (id) select * from mintmark.ulids(1);
          end loop;
          insert into t (id) select * from mintmark.ulids(100000);
        end $$
        """);

    assertThat(database.number("select count(*) from t")).isEqualTo(101 * 50 + 202 + 100_000);
    assertThat(inversions(database)).isZero();
  }

  @Test
  void aMillionInOneBulkAscend() throws SQLException {
    TestDatabase database = installed(TestServer.oldest());

    assertThat(
            database.rows(
                "select count(*), count(*) filter (where inverted) from (select id <= lag(id) over () as"
                    + " inverted from mintmark.ulids(1000000) id) x"))
        .isEqualTo(List.of(List.of("1000000", "0")));
  }

  @ParameterizedTest
  @ValueSource(longs = {-1, 10_000_001, Long.MIN_VALUE})
  void aBulkBeyondItsLimitIsRefused(long n) throws SQLException {
    TestDatabase database = installed(TestServer.NEWEST);

    assertThatExceptionOfType(IllegalStateException.class)
        .isThrownBy(() -> database.rows("select mintmark.ulids(" + n + ")"))
        .havingCause()
        .withMessageContaining("ulids(" + n + "): expected 0 to 10000000")
        .isInstanceOfSatisfying(
            SQLException.class, e -> assertThat(e.getSQLState()).isEqualTo("22023"));
  }

  @OnServers
  void aClockThatStepsBackDoesNotBreakTheOrder(TestServer server) throws SQLException {
    TestDatabase database = installed(server);
    // For the mint, its own clock ahead has the same effect as a server's clock that stepped back.
    database.execute("select setval('mintmark.ulid_clock', %s)".formatted(AN_HOUR_AHEAD));
    database.execute("create table t (n bigint generated always as identity, id uuid)");

    database.execute(
        "insert into t (id) select mintmark.ulid_monotonic() from generate_series(1, 140000)");
    database.execute("insert into t (id) select mintmark.ulids(1000)");

    assertThat(inversions(database)).isZero();
    // At most 131,072 ids per millisecond: the clock runs ahead no further than necessary.
    assertThat(
            database.value(
                "select mintmark.ulid_time(max(id::text)::uuid) - mintmark.ulid_time(min(id::text)::uuid)"
                    + " between interval '1 ms' and interval '5 ms' from t",
                Boolean.class))
        .isTrue();
  }

  @OnServers
  void sessionsSeeOneOrderOfMinting(TestServer server) throws Exception {
    TestDatabase database = installed(server);
    int sessions = 6;
    ExecutorService threads = Executors.newFixedThreadPool(sessions + 1);
    List<Minted> all = new ArrayList<>();
    try {
      Callable<List<Minted>> minting = () -> mintForAWhile(database);
      List<Future<List<Minted>>> minted =
          Stream.generate(() -> threads.submit(minting)).limit(sessions).toList();
      // Moves the counter to its upper half repeatedly, which mints do only after 131,072 a
      // millisecond.
      Future<?> nudging = threads.submit(() -> nudgeToHalfCounter(database));
      for (Future<List<Minted>> each : minted) {
        all.addAll(each.get());
      }
      nudging.get();
    } finally {
      threads.shutdownNow();
    }

    assertThat(all.stream().map(Minted::id)).doesNotHaveDuplicates();
    assertThat(overtaken(all)).isEmpty();
  }

  /** An identifier as text in unsigned order, and the times of the call and of its return. */
  private record Minted(String id, long asked, long answered) {}

  private static List<Minted> mintForAWhile(TestDatabase database) throws SQLException {
    List<Minted> minted = new ArrayList<>();
    try (Connection connection = database.dataSource().getConnection();
        Statement statement = connection.createStatement()) {
      for (int i = 0; i < 1_000; i++) {
        String mint =
            i % 50 == 0 ? "max(id::text) from mintmark.ulids(700) id" : "mintmark.ulid_monotonic()";
        long asked = System.nanoTime();
        try (ResultSet row = statement.executeQuery("select " + mint)) {
          row.next();
          minted.add(new Minted(row.getString(1), asked, System.nanoTime()));
        }
      }
    }
    return minted;
  }

  /** Draws from the counter until its half, as many mints would. */
  private static void nudgeToHalfCounter(TestDatabase database) {
    for (int i = 0; i < 20; i++) {
      database.rows(
          """
          select max(nextval('mintmark.ulid_clock'))
          from generate_series(1, 131072 - (select last_value & 131071 from mintmark.ulid_clock)) where false
          or (select last_value & 262143 from mintmark.ulid_clock) < 131072
          """);
    }
  }

  /** The ids that are less than an id whose call had returned before theirs began. */
  private static List<Minted> overtaken(List<Minted> all) {
    List<Minted> byAsked = all.stream().sorted(Comparator.comparingLong(Minted::asked)).toList();
    List<Minted> byAnswered =
        all.stream().sorted(Comparator.comparingLong(Minted::answered)).toList();
    List<Minted> overtaken = new ArrayList<>();
    String greatest = "";
    int answered = 0;
    for (Minted minted : byAsked) {
      while (byAnswered.get(answered).answered() < minted.asked()) {
        String id = byAnswered.get(answered++).id();
        greatest = id.compareTo(greatest) > 0 ? id : greatest;
      }
      if (minted.id().compareTo(greatest) <= 0) {
        overtaken.add(minted);
      }
    }
    return overtaken;
  }

  @Test
  void whoeverPassesHalfACounterWaitsForTheSessionThatMovesTheClock() throws Exception {
    TestDatabase database = installed(TestServer.NEWEST);
    ExecutorService thread = Executors.newSingleThreadExecutor();
    try (Connection holder = database.dataSource().getConnection();
        Statement statement = holder.createStatement()) {
      database.execute(
          "select setval('mintmark.ulid_clock', (%s) + %d)"
              .formatted(AN_HOUR_AHEAD, HALF_COUNTER - 2));
      holder.setAutoCommit(false);
      statement.execute(
          "select pg_advisory_xact_lock(1296649812, 'mintmark.ulid_clock'::regclass::oid::integer)");

      String last = database.text("select mintmark.ulid_monotonic()");
      Future<String> next = thread.submit(() -> database.text("select mintmark.ulid_monotonic()"));
      while (database.number("select count(*) from pg_locks where not granted") == 0) {
        assertThat(next.isDone()).isFalse();
        Thread.onSpinWait();
      }
      holder.rollback();

      assertThat(next.get()).isGreaterThan(last);
      assertThat(database.number("select last_value & 262143 from mintmark.ulid_clock"))
          .isLessThan(65_536);
    } finally {
      thread.shutdownNow();
    }
  }

  @Test
  void aMintLeavesNoLockBehindInItsTransaction() throws SQLException {
    TestDatabase database = installed(TestServer.NEWEST);
    try (Connection connection = database.dataSource().getConnection();
        Statement statement = connection.createStatement()) {
      connection.setAutoCommit(false);
      statement.execute("select mintmark.ulid_monotonic(), count(*) from mintmark.ulids(3000)");

      assertThat(database.number("select count(*) from pg_locks where locktype = 'advisory'"))
          .isZero();
    }
  }

  @Test
  void aMintThatIsCancelledWhileItWaitsLeavesNoLockBehind() throws SQLException {
    TestDatabase database = installed(TestServer.NEWEST);
    try (Connection holder = database.dataSource().getConnection();
        Statement held = holder.createStatement();
        Connection other = database.dataSource().getConnection();
        Statement waiting = other.createStatement()) {
      holder.setAutoCommit(false);
      held.execute(
          "select pg_advisory_xact_lock(1296649812, 'mintmark.ulid_clock'::regclass::oid::integer)");
      other.setAutoCommit(false);
      waiting.execute("set local statement_timeout = '50ms'");

      assertThatExceptionOfType(SQLException.class)
          .isThrownBy(() -> waiting.execute("select mintmark.ulid_monotonic()"))
          .satisfies(e -> assertThat(e.getSQLState()).isEqualTo("57014"));
      holder.rollback();
      other.rollback();

      other.setAutoCommit(true);
      waiting.execute("select mintmark.ulid_monotonic()");
      assertThat(database.number("select count(*) from pg_locks where locktype = 'advisory'"))
          .isZero();
    }
  }

  @Test
  void aReadOnlyTransactionCannotMintInOrder() throws SQLException {
    TestDatabase database = installed(TestServer.NEWEST);
    try (Connection connection = database.dataSource().getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute("set default_transaction_read_only = on");

      assertThatExceptionOfType(SQLException.class)
          .isThrownBy(() -> statement.execute("select mintmark.ulid_monotonic()"))
          .satisfies(e -> assertThat(e.getSQLState()).isEqualTo("25006"));
      statement.execute("select mintmark.ulid()");
    }
  }

  private static long inversions(TestDatabase database) {
    return database.number(
        "select count(*) from (select id <= lag(id) over (order by n) as inverted from t) x"
            + " where inverted");
  }

  /**
   * A new database with the pack. It is a copy, which takes a tenth of the time of an installation.
   */
  static TestDatabase installed(TestServer server) throws SQLException {
    TestDatabase template = INSTALLED.get(server);
    if (template == null) {
      template = server.createDatabase();
      Pack.inSchema(Pack.SCHEMA).install(template.dataSource());
      INSTALLED.put(server, template);
    }
    return template.copy();
  }
}
