package dev.mintmark.postgres.pool;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import dev.mintmark.Block;
import dev.mintmark.PoolSpec;
import dev.mintmark.fixtures.TestDatabase;
import dev.mintmark.fixtures.ThreadPerTask;
import dev.mintmark.postgres.pool.ClaimResult.AlreadyHeld;
import dev.mintmark.postgres.pool.ClaimResult.Contended;
import dev.mintmark.postgres.pool.ClaimResult.Granted;
import dev.mintmark.postgres.pool.ClaimResult.ValueTaken;
import java.io.IOException;
import java.sql.Connection;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What holds up one claim, or one kind of claims, does not hold up the others. */
@Tag("slow")
class PoolStallTest {
  private static final int INSTANCES = 3;
  private static final int CALLERS = 32;
  private static final int CLAIMS = 20;

  private final TestDatabase database = TestDatabase.create();
  private final List<HikariDataSource> connections = new ArrayList<>();
  private final List<Pools> instances = new ArrayList<>();

  @AfterEach
  void close() {
    assertThat(PoolInvariants.violations(database)).isEmpty();
    instances.forEach(Pools::close);
    connections.forEach(HikariDataSource::close);
  }

  @Test
  void everyClaimForOneOwnerThroughAllInstancesIsGrantedWhileValuesAreFree() {
    start(INSTANCES, 4, spec("1..100000").withPerOwner(Optional.of(100_000)));
    List<CompletableFuture<List<ClaimResult>>> callers =
        IntStream.range(0, CALLERS)
            .mapToObj(
                caller ->
                    CompletableFuture.supplyAsync(
                        () -> claimInTurn(caller), ThreadPerTask.EXECUTOR))
            .toList();

    List<ClaimResult> results = callers.stream().map(Session::join).flatMap(List::stream).toList();
    assertThat(results).hasOnlyElementsOfTypes(Granted.class, AlreadyHeld.class);
    assertThat(ClaimResults.values(results)).hasSize(CALLERS * CLAIMS).doesNotHaveDuplicates();
    assertThat(database.number("select count(*) from mintmark.pool_claim"))
        .isEqualTo(CALLERS * CLAIMS);
  }

  private List<ClaimResult> claimInTurn(int caller) {
    return IntStream.range(0, CLAIMS)
        .mapToObj(
            i ->
                pool(caller % INSTANCES)
                    .claim(ClaimRequest.of("c-" + caller + "-" + i).withOwner("acme")))
        .toList();
  }

  @Test
  void claimsForTakenValuesAndForManyValuesDoNotHoldUpPlainClaims() {
    start(1, 8, spec("1..100000").withPerClient(1_000).withOrder(PoolSpec.Order.ASCENDING));
    pool(0).claim(ClaimRequest.of("holder").withValue("7"));

    assertThat(ClaimResults.decided(this::claimWhileNamedClaimsWait)).isInstanceOf(Granted.class);

    assertThat(pool(0).claim(ClaimRequest.of("other").withValue("7")))
        .isInstanceOf(ValueTaken.class);
  }

  /** Returns an answer of the named claims: of one that was not granted, if there is any. */
  private ClaimResult claimWhileNamedClaimsWait(int attempt) {
    try (Session slow = new Session(database)) {
      // Claims by name and for several values are transactions, which wait here.
      slow.run("select from mintmark.pool_block for update");
      List<CompletableFuture<ClaimResult>> waiting =
          IntStream.range(attempt * 8, attempt * 8 + 8)
              .mapToObj(
                  i -> pool(0).claimAsync(ClaimRequest.of("n" + i).withValue("" + (50_000 + i))))
              .toList();
      Session.awaitWaiting(
          database, 1, CompletableFuture.anyOf(waiting.toArray(CompletableFuture<?>[]::new)));

      assertThat(Session.join(pool(0).claimAsync(ClaimRequest.of("quick-" + attempt))))
          .isInstanceOfAny(Granted.class, AlreadyHeld.class);
      assertThat(waiting.stream().filter(CompletableFuture::isDone).map(CompletableFuture::join))
          .allMatch(Contended.class::isInstance);
      slow.rollback();
      List<ClaimResult> results = waiting.stream().map(Session::join).toList();
      return results.stream()
          .filter(result -> !(result instanceof Granted))
          .findFirst()
          .orElse(results.get(0));
    }
  }

  /** Connection pools close a connection that broke, so that nothing more can be asked of it. */
  @Test
  void aTransactionWhoseConnectionBreaksIsRepeated() {
    start(1, 8, spec("1..100000").withPerClient(1_000).withOrder(PoolSpec.Order.ASCENDING));

    assertThat(ClaimResults.decided(attempt -> claimWhileItsConnectionBreaks()))
        .isInstanceOf(Granted.class);
  }

  private ClaimResult claimWhileItsConnectionBreaks() {
    try (Session slow = new Session(database)) {
      slow.run("select from mintmark.pool_block for update");
      CompletableFuture<ClaimResult> named =
          pool(0).claimAsync(ClaimRequest.of("one").withValue("50000"));
      Session.awaitWaiting(database, 1, named);
      database.execute(
          "select pg_terminate_backend(pid) from pg_stat_activity"
              + " where datname = current_database() and wait_event_type = 'Lock'");
      slow.rollback();

      return Session.join(named);
    }
  }

  /** A backend that is stopped answers neither its statement nor a request to cancel it. */
  @Test
  void aSessionThatHangsHoldsUpOnlyItsOwnBatchAndThatForAFewSeconds() throws Exception {
    start(1, 2, spec("1..100"));
    HikariDataSource dataSource = connections.get(0);
    CompletableFuture<ClaimResult> hanging;
    long pid;
    try (Connection taken = dataSource.getConnection()) {
      taken.createStatement().execute("select 'the other connection is that of the pool'");
      pool(0).claim(ClaimRequest.of("before"));
      pid =
          database.number(
              "select pid::bigint from pg_stat_activity where datname = current_database()"
                  + " and query like '%pool_claim%' and pid <> pg_backend_pid()");
      signal("STOP", pid);
      hanging = pool(0).claimAsync(ClaimRequest.of("hanging"));
      Session.await(
          "the claim has the other connection",
          () -> dataSource.getHikariPoolMXBean().getActiveConnections() == 2);
    }
    try {
      ClaimResult other = Session.join(pool(0).claimAsync(ClaimRequest.of("other")));

      assertThat(other).isInstanceOf(Granted.class);
      assertThat(Session.join(hanging)).isInstanceOf(Granted.class);
    } finally {
      signal("CONT", pid);
    }
  }

  private static void signal(String name, long pid) throws IOException, InterruptedException {
    Process kill = new ProcessBuilder("kill", "-" + name, Long.toString(pid)).inheritIO().start();
    assertThat(kill.waitFor()).isZero();
  }

  private void start(int count, int connectionsEach, PoolSpec spec) {
    for (int i = 0; i < count; i++) {
      HikariDataSource dataSource = database.connectionPool(connectionsEach);
      connections.add(dataSource);
      instances.add(Pools.over(dataSource));
    }
    instances.get(0).create(spec);
    instances.forEach(pools -> pools.open("p"));
  }

  private Pool pool(int instance) {
    return instances.get(instance).open("p");
  }

  private static PoolSpec spec(String... blocks) {
    return PoolSpec.of("p", Stream.of(blocks).map(Block::parse).toList());
  }
}
