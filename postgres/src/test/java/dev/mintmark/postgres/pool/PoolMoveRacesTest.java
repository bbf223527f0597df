package dev.mintmark.postgres.pool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariDataSource;
import dev.mintmark.Block;
import dev.mintmark.PoolSpec;
import dev.mintmark.fixtures.BreakableDataSource;
import dev.mintmark.fixtures.Patience;
import dev.mintmark.fixtures.TestDatabase;
import dev.mintmark.fixtures.ThreadPerTask;
import dev.mintmark.postgres.pool.ClaimResult.Granted;
import dev.mintmark.postgres.pool.ManyClaims.Named;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What programs do at the moment in which a pool is moved, and what they know from before. */
@Tag("database")
class PoolMoveRacesTest {
  private static final PoolMove.Progress UNSEEN = (rows, expected) -> {};

  private final TestDatabase home = TestDatabase.create();
  private final TestDatabase eu = TestDatabase.create();
  private final BreakableDataSource toEu = new BreakableDataSource(eu.dataSource());
  private final Pools pools = across(home.dataSource(), toEu.dataSource());

  @BeforeEach
  void create() {
    pools.create(spec());
  }

  @AfterEach
  void close() {
    pools.close();
  }

  /** As if a move was interrupted after its copy was made: the pool is not that of the copy. */
  private void leaveCopyInEu() {
    moveWithoutArrival();
    home.execute("delete from mintmark.pool_departure");
    try (Pools alone = Pools.over(home.dataSource())) {
      assertThat(alone.create(spec())).isTrue();
    }
  }

  private static PoolSpec spec() {
    return PoolSpec.of("p", List.of(Block.parse("1..9"))).withLease(Duration.ofHours(1));
  }

  private static Pools across(DataSource home, DataSource eu) {
    return Pools.across(List.of(Pools.over("home", home), Pools.over("eu", eu)));
  }

  private Claim claim(String client) {
    return ((Granted) pools.open("p").claim(ClaimRequest.of(client))).claims().get(0);
  }

  private void move() {
    assertThat(PoolMove.move(pools, "p", "eu", UNSEEN).moved()).isTrue();
  }

  /** As if the program that has moved the pool was killed before it has made the copy the pool. */
  private void moveWithoutArrival() {
    move();
    forgetArrival();
  }

  private void forgetArrival() {
    eu.execute("update mintmark.pool set moving_since = pg_catalog.now()");
    eu.execute("update mintmark.pool_arrival set arrived_at = null");
  }

  /** A data source that runs something before it gives a certain connection. */
  private static DataSource before(int connection, DataSource dataSource, Runnable work) {
    return before(new AtomicInteger(connection), dataSource, work);
  }

  private static DataSource before(AtomicInteger left, DataSource dataSource, Runnable work) {
    return before(() -> left.decrementAndGet() == 0, dataSource, work);
  }

  private static DataSource before(BooleanSupplier isTime, DataSource dataSource, Runnable work) {
    return (DataSource)
        Proxy.newProxyInstance(
            PoolMoveRacesTest.class.getClassLoader(),
            new Class<?>[] {DataSource.class},
            (proxy, method, arguments) -> {
              if (method.getName().equals("getConnection") && isTime.getAsBoolean()) {
                work.run();
              }
              try {
                return method.invoke(dataSource, arguments);
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            });
  }

  /** As {@link #before}, the first time that a session of home has a transaction open. */
  private DataSource onceWhileOpen(DataSource dataSource, Runnable work) {
    AtomicBoolean done = new AtomicBoolean();
    return before(
        () -> !done.get() && openTransactions("count(pid)") > 0 && done.compareAndSet(false, true),
        dataSource,
        work);
  }

  private long openTransactions(String result) {
    return home.number(
        """
        select pg_catalog.%s from pg_catalog.pg_stat_activity
        where datname = pg_catalog.current_database() and state = 'idle in transaction'
        """
            .formatted(result));
  }

  private static long pools(TestDatabase database) {
    return database.number("select count(*) from mintmark.pool where name = 'p'");
  }

  @Test
  void creationDoesNotDeleteThePoolThatArrivesMeanwhile() {
    Claim claim = claim("a");
    DataSource asked = before(1, home.dataSource(), this::moveWithoutArrival);
    try (Pools creator =
        Pools.across(List.of(Pools.over("eu", eu.dataSource()), Pools.over("home", asked)))) {
      assertThat(creator.create(spec())).isFalse();
      assertThat(creator.open("p").find(claim.value()).orElseThrow().token())
          .isEqualTo(claim.token());
    }
    assertThat(pools(home)).isZero();
  }

  @Test
  void declarationDoesNotCreateThePoolThatWasMovedMeanwhile() {
    Claim claim = claim("a");
    try (Pools declaring = across(before(2, home.dataSource(), this::move), eu.dataSource())) {
      assertThat(declaring.declare(spec()).created()).isFalse();
      assertThat(declaring.open("p").find(claim.value())).isPresent();
    }
    assertThat(pools(home)).isZero();
  }

  @Test
  void deletionFindsThePoolThatWasMovedMeanwhile() {
    try (Pools deleting = across(before(2, home.dataSource(), this::move), eu.dataSource())) {
      assertThat(deleting.delete("p")).isTrue();
    }
    assertThat(pools(home) + pools(eu)).isZero();
  }

  @Test
  void poolWithoutArrivalIsListedAndArrivesBySo() {
    claim("a");
    moveWithoutArrival();
    try (Pools restarted = across(home.dataSource(), eu.dataSource())) {
      assertThat(restarted.names()).containsExactly("p");
    }
    assertThat(eu.number("select count(*) from mintmark.pool where moving_since is null")).isOne();
  }

  /** Empty results would say that nothing is held. */
  @Test
  void objectFromBeforeAMoveAnswersNothing() {
    Claim claim = claim("a");
    pools.open("p").notes().set(claim.value(), claim.token(), ClaimNote.of(Map.of("rack", "7")));
    try (Pools other = across(home.dataSource(), eu.dataSource())) {
      Pool stale = other.open("p");
      move();
      isMoved(() -> stale.claims(ClaimFilter.ALL, 9));
      isMoved(() -> stale.history(PastClaim.Filter.ALL, OptionalLong.empty(), 9));
      isMoved(stale::newestToken);
      isMoved(stale::stats);
      isMoved(() -> stale.find(claim.value()));
      isMoved(
          () ->
              stale
                  .many()
                  .renew(
                      List.of(new Named(claim.value(), claim.token())),
                      Optional.empty(),
                      Optional.empty()));
      isMoved(() -> stale.notes().set(claim.value(), claim.token(), ClaimNote.NONE));
      isMoved(() -> stale.notes().of(claim.token()));
      isMoved(() -> stale.survey().heldBefore("9"));
      isMoved(() -> stale.survey().quarantined(Optional.empty(), 9));
      Instant now = Instant.now();
      isMoved(() -> stale.survey().usage(now.minusSeconds(60), now, 9));
      isMoved(
          () -> {
            stale.quarantineAll(Duration.ofHours(1));
            return "";
          });
    }
  }

  @Test
  void changeOfAPoolFromBeforeAMoveReportsTheMove() {
    List<Consumer<Pool>> changes =
        List.of(
            pool -> pool.change(UnaryOperator.identity()),
            pool -> pool.addBlock(Block.parse("20..29"), List.of()),
            pool -> pool.exclude(List.of(Block.parse("1"))),
            pool -> pool.include(List.of(Block.parse("1"))));
    try (HikariDataSource one = home.connectionPool(1, Duration.ofMinutes(1));
        Pools other = across(one, eu.dataSource())) {
      for (Consumer<Pool> change : changes) {
        Pool stale = other.open("p");
        move();
        assertThatThrownBy(() -> change.accept(stale)).isInstanceOf(PoolMovedException.class);
        assertThat(other.open("p").spec().database()).contains("eu");
        PoolMove.move(pools, "p", "home", UNSEEN);
        assertThatThrownBy(() -> other.open("p").claims(ClaimFilter.ALL, 9))
            .isInstanceOf(PoolMovedException.class);
      }
    }
  }

  /** Whenever it comes back: it is never unknown. */
  @Test
  void objectFromBeforeAMoveKnowsOfItWhileThePoolComesBack() {
    Claim claim = claim("a");
    AtomicInteger left = new AtomicInteger();
    DataSource toHome =
        before(left, home.dataSource(), () -> PoolMove.move(pools, "p", "home", UNSEEN));
    try (Pools other = across(toHome, eu.dataSource())) {
      for (int connections = 1; connections <= 6; connections++) {
        Pool stale = other.open("p");
        move();
        left.set(connections);
        isMoved(() -> stale.find(claim.value()));
        left.set(0);
        PoolMove.move(pools, "p", "home", UNSEEN);
      }
    }
  }

  private static void isMoved(Supplier<?> request) {
    assertThatThrownBy(request::get).isInstanceOf(PoolMovedException.class);
  }

  /** Runs while the pool is copied, after its notes: until it has ended, or waits for a lock. */
  private <T> CompletableFuture<T> whileItIsCopied(Supplier<T> work) {
    AtomicReference<CompletableFuture<T>> running = new AtomicReference<>();
    PoolMove.move(
        pools,
        "p",
        "eu",
        (rows, expected) -> {
          if (running.get() == null) {
            CompletableFuture<T> begun =
                CompletableFuture.supplyAsync(work, ThreadPerTask.EXECUTOR);
            running.set(begun);
            Patience.await("an end or a lock", () -> begun.isDone() || waits());
          }
        });
    return Objects.requireNonNull(running.get());
  }

  private boolean waits() {
    return home.number(
            """
            select pg_catalog.count(*) from pg_catalog.pg_stat_activity
            where datname = pg_catalog.current_database() and wait_event_type = 'Lock'
            """)
        > 0;
  }

  @Test
  void noteThatWasAcknowledgedIsCopied() {
    Claim claim = claim("a");
    ClaimNotes before = pools.open("p").notes();
    before.set(claim.value(), claim.token(), ClaimNote.of(Map.of("rack", "7")));
    ClaimNote later = ClaimNote.of(Map.of("rack", "8"));

    CompletableFuture<NoteResult> set =
        whileItIsCopied(() -> before.set(claim.value(), claim.token(), later));

    assertThatThrownBy(set::join).hasCauseInstanceOf(PoolUnavailableException.class);
    assertThat(pools.open("p").notes().of(claim.token()))
        .isEqualTo(ClaimNote.of(Map.of("rack", "7")));
  }

  @Test
  void renewalInSqlThatWaitsForAMoveIsToBeRepeated() {
    Claim claim = claim("a");
    String call =
        "select outcome from mintmark.%s('p', '%s', %s)"
            .formatted("%s", claim.value(), claim.token());

    CompletableFuture<String> renewed =
        whileItIsCopied(() -> home.text(call.formatted("renew_value")));

    assertThat(renewed.join()).isEqualTo("contended");
    assertThatThrownBy(() -> home.text(call.formatted("release_value")))
        .hasMessageContaining("no pool \"p\"")
        .hasMessageContaining("It was moved to the database \"eu\".");
    assertThat(eu.text(call.formatted("renew_value"))).isEqualTo("renewed");
  }

  @Test
  void copyIsOfNoUseInSqlBeforeItArrives() {
    Claim claim = claim("a");
    moveWithoutArrival();

    assertThatThrownBy(
            () ->
                eu.text(
                    "select outcome from mintmark.release_value('p', '%s', %s)"
                        .formatted(claim.value(), claim.token())))
        .hasMessageContaining("no pool \"p\"");
    try (Pools alone = Pools.over("eu", eu.dataSource())) {
      assertThatThrownBy(() -> alone.open("p"))
          .isInstanceOf(PoolUnavailableException.class)
          .hasMessage("pool \"p\" arrives from another database at present: try again in a second");
    }
    assertThat(pools.open("p").find(claim.value())).isPresent();
  }

  @Test
  void poolIsSettledInTheDatabaseThatItLeaves() throws Exception {
    pools
        .open("p")
        .change(spec -> spec.withAfterFailover(Optional.of(PoolSpec.AfterFailover.STOP)));
    CompletableFuture<PoolMove.Result> moving;
    try (Connection holder = home.newSessions().getConnection()) {
      holder.setAutoCommit(false);
      holder.createStatement().execute("select from mintmark.pool for no key update");
      moving =
          CompletableFuture.supplyAsync(
              () -> Session.repeated(() -> PoolMove.move(pools, "p", "eu", UNSEEN)),
              ThreadPerTask.EXECUTOR);
      Patience.await("the move waits", this::waits);
      // As an instance that has found a failover.
      holder
          .createStatement()
          .execute(
              """
              insert into mintmark.pool_epoch
                (number, epoch, timeline, system_identifier, went_back, last_token)
              select number + 1, pg_catalog.gen_random_uuid(), timeline, system_identifier, true, last_token
              from mintmark.pool_epoch
              order by number desc
              limit 1
              """);
      holder.commit();
    }
    assertThat(moving.get().moved()).isTrue();

    assertThat(pools.open("p").stoppedAt()).isPresent();
  }

  @Test
  void nothingIsStoppedForADatabaseThatDoesNotAnswer() {
    String before = home.text("select xmin::text from mintmark.pool");
    toEu.cutAfter(0);

    assertThatThrownBy(() -> PoolMove.move(pools, "p", "eu", UNSEEN))
        .isInstanceOf(PoolUnavailableException.class);

    assertThat(home.text("select xmin::text from mintmark.pool")).isEqualTo(before);
  }

  /** Sessions that wait for as long as a great pool is moved could be all that the server has. */
  @Test
  @Tag("long")
  void renewalLeavesNoSessionThatWaits() throws Exception {
    Claim claim = claim("a");
    try (Connection mover = home.newSessions().getConnection()) {
      mover.setAutoCommit(false);
      mover.createStatement().execute("select from mintmark.pool_claim for update");

      for (Supplier<?> request : changesOf(claim)) {
        assertThatThrownBy(request::get)
            .isInstanceOf(PoolUnavailableException.class)
            .hasMessageContaining("another session has locked a claim, or the pool is moved");
        assertThat(waits()).isFalse();
      }
    }
  }

  private List<Supplier<?>> changesOf(Claim claim) {
    Pool pool = pools.open("p");
    List<Named> named = List.of(new Named(claim.value(), claim.token()));
    return List.of(
        () -> pool.renew(claim.value(), claim.token(), Optional.empty()),
        () -> pool.release(claim.value(), claim.token()),
        () -> pool.many().renew(named, Optional.empty(), Optional.empty()),
        () -> pool.many().release(ClaimFilter.ofClient("a"), 9));
  }

  @Test
  void poolThatGoesWhileItIsReadIsUnknown() throws Exception {
    CompletableFuture<Pool> opening;
    try (Pools other = across(home.dataSource(), eu.dataSource());
        Connection mover = home.newSessions().getConnection()) {
      mover.setAutoCommit(false);
      mover.createStatement().execute("lock table mintmark.pool_block in access exclusive mode");
      opening = CompletableFuture.supplyAsync(() -> other.open("p"), ThreadPerTask.EXECUTOR);
      Patience.await("its blocks are read", this::waits);
      mover.createStatement().execute("delete from mintmark.pool");
      mover.commit();

      assertThatThrownBy(opening::join).hasCauseInstanceOf(UnknownPoolException.class);
    }
  }

  /** As of a program that is stopped, and goes on after its session of home has ended. */
  @Test
  void moverThatWakesLateDeletesNoCopyButTheOneThatItFound() {
    leaveCopyInEu();
    AtomicReference<Claim> claim = new AtomicReference<>();
    Runnable overtakes =
        () -> {
          assertThat(openTransactions("count(pg_catalog.pg_terminate_backend(pid))")).isOne();
          try (Pools other = across(home.dataSource(), eu.dataSource())) {
            claim.set(((Granted) other.open("p").claim(ClaimRequest.of("a"))).claim());
            var unused = PoolMove.move(other, "p", "eu", UNSEEN);
          }
          forgetArrival();
        };
    try (Pools late = across(home.dataSource(), onceWhileOpen(eu.dataSource(), overtakes))) {
      assertThatThrownBy(() -> PoolMove.move(late, "p", "eu", UNSEEN))
          .isInstanceOf(PoolUnavailableException.class);
    }
    try (Pools restarted = across(home.dataSource(), eu.dataSource())) {
      Pool pool = restarted.open("p");
      assertThat(pool.spec().database()).contains("eu");
      assertThat(pool.find(Objects.requireNonNull(claim.get()).value()).map(Claim::client))
          .contains("a");
    }
  }

  @Test
  void poolThatIsNotThereDoesNotArrive() {
    moveWithoutArrival();
    long id = eu.number("select pool_id::bigint from mintmark.pool");
    String move = eu.text("select move_id::text from mintmark.pool_arrival");
    PoolDatabase database = PoolDatabase.named("eu", eu.dataSource());

    PoolStandings.arrive(database, (int) id, move);
    PoolStandings.arrive(database, (int) id, move);
    eu.execute("delete from mintmark.pool");

    assertThatThrownBy(() -> PoolStandings.arrive(database, (int) id, move))
        .isInstanceOf(PoolUnavailableException.class)
        .hasMessage(
            "a pool that was moved to the database eu is not there: another program has deleted it, or moved it on");
  }

  /** As after a failover of home that lost the end of a move, whose program is stopped. */
  @Test
  void copyOfAPoolThatIsUsedAgainWhereItWasDoesNotArrive() {
    Claim claim = claim("a");
    TestDatabase older = home.copy();
    moveWithoutArrival();
    long id = eu.number("select pool_id::bigint from mintmark.pool");
    String move = eu.text("select move_id::text from mintmark.pool_arrival");

    try (Pools restarted = across(older.dataSource(), eu.dataSource())) {
      Pool pool = restarted.open("p");
      assertThat(pool.spec().database()).contains("home");
      assertThat(pool.find(claim.value())).isPresent();
    }

    assertThatThrownBy(
            () -> PoolStandings.arrive(PoolDatabase.named("eu", eu.dataSource()), (int) id, move))
        .isInstanceOf(PoolUnavailableException.class);
    assertThat(pools(older)).isOne();
    assertThat(pools(eu)).isZero();
    assertThat(eu.number("select count(*) from mintmark.pool_claim")).isZero();
  }

  /** As after a failover of eu that lost its last second. */
  @Test
  void poolThatTheOtherDatabaseLostIsNotCreatedAnew() {
    move();
    eu.execute("delete from mintmark.pool");
    try (Pools restarted = across(home.dataSource(), eu.dataSource())) {
      for (Supplier<?> creation :
          List.<Supplier<?>>of(() -> restarted.create(spec()), () -> restarted.declare(spec()))) {
        assertThatThrownBy(creation::get)
            .isInstanceOf(PoolUnavailableException.class)
            .hasMessage(
                "pool \"p\" was moved from the database home to \"eu\", which does not have it and may have lost it: to create a new one, delete the pool before");
      }
      assertThat(pools(home) + pools(eu)).isZero();

      assertThat(restarted.delete("p")).isTrue();
      assertThat(restarted.delete("p")).isFalse();
      assertThat(restarted.create(spec())).isTrue();
    }
  }
}
