package dev.mintmark.postgres.pool;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import dev.mintmark.Block;
import dev.mintmark.PoolSpec;
import dev.mintmark.fixtures.TestDatabase;
import dev.mintmark.fixtures.TestPgBouncer;
import dev.mintmark.postgres.pool.ClaimResult.Exhausted;
import dev.mintmark.postgres.pool.ClaimResult.Granted;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.postgresql.PGConnection;
import org.postgresql.PGNotification;
import org.postgresql.ds.PGSimpleDataSource;

/** What instances tell one another. */
@Tag("slow")
class PoolListenerTest {
  private final TestDatabase database = TestDatabase.create();
  private final Pools pools = Pools.over(database.dataSource());
  private final Pools listening = Pools.over(database.dataSource());

  @AfterEach
  void close() {
    pools.close();
    listening.close();
  }

  @Test
  void aReleaseElsewhereEndsTheMemoryOfAnEmptyPool() {
    create(spec());
    Pool other = listen();
    Claim claim = claim(pools.open("p"), "a");
    assertThat(other.claim(ClaimRequest.of("b"))).isInstanceOf(Exhausted.class);

    awaitHeardOf(other, () -> pools.open("p").release(claim.value(), claim.token()));
  }

  @Test
  void onlyWhatEndsAnEmptyPoolIsTold() throws SQLException {
    create(PoolSpec.of("p", List.of(Block.parse("10.0.0.0/30"))));
    Pool pool = pools.open("p");
    Claim first = claim(pool, "a");
    Claim second = claim(pool, "b");
    try (Connection connection = database.dataSource().getConnection()) {
      connection.createStatement().execute("listen " + PoolListener.CHANNEL);
      pool.release(first.value(), first.token());
      assertThat(told(connection)).containsExactly("1");

      pool.release(second.value(), second.token());
      assertThat(told(connection)).as("it had something already").isEmpty();
    }
  }

  /** Every listener receives each notification, so a pool at its limit must not send many. */
  @Test
  void releasesInARowAreToldTogetherAndTheLastOneIsTold() throws SQLException {
    create(spec());
    Pool pool = pools.open("p");
    int rounds = 100;
    try (Connection connection = database.dataSource().getConnection()) {
      connection.createStatement().execute("listen " + PoolListener.CHANNEL);
      long start = System.nanoTime();
      for (int i = 0; i < rounds; i++) {
        Claim claim = claim(pool, "client-" + i);
        pool.release(claim.value(), claim.token());
      }
      List<String> told = told(connection);
      long intervals = (System.nanoTime() - start) / PoolNotices.INTERVAL.toNanos() + 2;

      assertThat(told).isNotEmpty().hasSizeLessThanOrEqualTo((int) intervals);
      pools.close();
      assertThat(Stream.concat(told.stream(), told(connection).stream()))
          .hasSizeBetween(2, (int) intervals + 1);
    }
  }

  @Test
  void aSweepTellsOnlyWhereNothingWasLeftToDraw() throws SQLException {
    create(PoolSpec.of("p", List.of(Block.parse("10.0.0.0/16"))).withLease(Duration.ofHours(1)));
    create(PoolSpec.of("q", List.of(Block.parse("10.0.0.0/30"))).withLease(Duration.ofHours(1)));
    claim(pools.open("p"), "a");
    database.execute("delete from mintmark.pool_free where pool_id = 1");
    database.execute("update mintmark.pool_block set issued = 1 where pool_id = 1");
    claim(pools.open("q"), "a");
    claim(pools.open("q"), "b");
    try (Connection connection = database.dataSource().getConnection()) {
      connection.createStatement().execute("listen " + PoolListener.CHANNEL);
      database.execute("update mintmark.pool_claim set expires_at = now() - interval '1 second'");

      pools.sweep();

      assertThat(told(connection)).containsExactly("2");
    }
  }

  /** A pool of connections that is closed fails without an SQLSTATE. */
  @Test
  void aFailureWithoutAnSqlStateIsNoLackOfNotifications() {
    SQLException closed = new SQLException("the pool of connections was closed");

    assertThat(PoolDatabase.isUnsupported(new PoolUnavailableException("closed", closed)))
        .isFalse();
  }

  @Test
  void whatComesBackOfADrainedBlockIsNotTold() throws SQLException {
    create(PoolSpec.of("p", List.of(Block.parse("10.0.0.1"), Block.parse("10.0.0.2"))));
    Pool pool = pools.open("p");
    Claim first = claim(pool, "a");
    claim(pool, "b");
    pool.drain(first.value() + "/32", true);
    try (Connection connection = database.dataSource().getConnection()) {
      connection.createStatement().execute("listen " + PoolListener.CHANNEL);

      pool.release(first.value(), first.token());

      assertThat(told(connection)).isEmpty();
    }
  }

  @Test
  void aListenerWhoseSessionIsEndedComesBack() {
    create(spec());
    PGSimpleDataSource own = database.newSessions();
    own.setApplicationName("listener");
    Pool other = listen(own);
    long ended = endListener();

    Session.await("another session listens", () -> listener() != 0 && listener() != ended);
    Session.await("listening again", listening::isListening);
    awaitHeardOf(other);
  }

  @Test
  void aListenerThatIsClosedGivesItsConnectionBack() throws SQLException {
    try (HikariDataSource connections = database.connectionPool(1)) {
      int before = backend(connections);
      listening.listenThrough(connections);
      Session.await("listening", listening::isListening);

      listening.close();

      assertThat(backend(connections)).isEqualTo(before);
      try (Connection connection = connections.getConnection()) {
        ResultSet channels =
            connection.createStatement().executeQuery("select pg_listening_channels()");
        assertThat(channels.next()).as("it listens").isFalse();
      }
    }
  }

  private static int backend(HikariDataSource connections) throws SQLException {
    try (Connection connection = connections.getConnection()) {
      return connection.unwrap(PGConnection.class).getBackendPID();
    }
  }

  @Test
  void whatIsNoPoolIsNotListenedTo() {
    create(spec());
    Pool other = listen();
    for (String payload : List.of("", "x", "-1", "99999999999999999999", "1 ", "self x")) {
      database.execute("select pg_notify('%s', '%s')".formatted(PoolListener.CHANNEL, payload));
    }

    awaitHeardOf(other);
    assertThat(listening.isListening()).isTrue();
  }

  @Test
  void throughATransactionPoolerNothingIsHeardAndClaimsGoOn() {
    create(spec());
    try (TestPgBouncer bouncer = TestPgBouncer.before(database);
        Pools behind = Pools.over(bouncer.dataSource())) {
      behind.listenThrough(bouncer.dataSource());
      Pool pool = behind.open("p");
      Claim claim = claim(pool, "a");
      assertThat(pool.claim(ClaimRequest.of("b"))).isInstanceOf(Exhausted.class);
      pools.open("p").release(claim.value(), claim.token());

      Session.await("granted", () -> pool.claim(ClaimRequest.of("b")) instanceof Granted);
      assertThat(behind.isListening()).isFalse();
    }
  }

  /** The listening instance's view of the pool, which listens by now. */
  private Pool listen() {
    return listen(database.dataSource());
  }

  private Pool listen(DataSource sessions) {
    Pool pool = listening.open("p");
    listening.listenThrough(sessions);
    Session.await("listening", listening::isListening);
    return pool;
  }

  private void awaitHeardOf(Pool pool) {
    awaitHeardOf(pool, () -> pool.pools().wakeOthers(pool.id()));
  }

  /**
   * Waits until a pool has heard of what happens elsewhere, which ends what it remembers. The end
   * of a memory itself says nothing: on a machine that stalls it is over before anybody looks.
   */
  private static void awaitHeardOf(Pool pool, Runnable elsewhere) {
    long before = pool.releasesSeen();
    elsewhere.run();
    Session.await("heard of", () -> pool.releasesSeen() > before);
  }

  /** Returns the process identifier of the session that listens, or 0. */
  private long listener() {
    return database.number(
        "select coalesce(max(pid), 0)::bigint from pg_stat_activity"
            + " where datname = current_database() and application_name = 'listener'");
  }

  /** Ends the session that listens, and returns its process identifier. */
  private long endListener() {
    long pid = listener();
    assertThat(database.text("select pg_terminate_backend(" + pid + ")")).isEqualTo("t");
    return pid;
  }

  /** What was told so far: the last that this sends itself is heard after all of that. */
  private List<String> told(Connection connection) throws SQLException {
    database.execute("select pg_notify('%s', 'end')".formatted(PoolListener.CHANNEL));
    List<String> told = new ArrayList<>();
    while (!told.contains("end")) {
      PGNotification[] notifications =
          connection.unwrap(PGConnection.class).getNotifications(20_000);
      told.addAll(Arrays.stream(notifications).map(PGNotification::getParameter).toList());
    }
    told.remove("end");
    return told;
  }

  private void create(PoolSpec spec) {
    assertThat(pools.create(spec)).isTrue();
  }

  private static PoolSpec spec() {
    return PoolSpec.of("p", Stream.of("10.0.0.1").map(Block::parse).toList());
  }

  private static Claim claim(Pool pool, String client) {
    return ((Granted) pool.claim(ClaimRequest.of(client))).claim();
  }
}
