package dev.mintmark.postgres.pool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mintmark.Block;
import dev.mintmark.PoolSpec;
import dev.mintmark.fixtures.BreakableDataSource;
import dev.mintmark.fixtures.Patience;
import dev.mintmark.fixtures.TestDatabase;
import dev.mintmark.postgres.pool.ClaimResult.Granted;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.postgresql.ds.PGSimpleDataSource;

/** Pools in two databases, one of which fails at times. */
@Tag("database")
class ShardedPoolsTest {
  private final TestDatabase home = TestDatabase.create();
  private final TestDatabase eu = TestDatabase.create();
  private final BreakableDataSource toHome = new BreakableDataSource(home.dataSource());
  private final BreakableDataSource toEu = new BreakableDataSource(eu.dataSource());
  private final Pools pools = across();

  @AfterEach
  void close() {
    pools.close();
  }

  private Pools across() {
    return Pools.across(
        List.of(Pools.over("home", toHome.dataSource()), Pools.over("eu", toEu.dataSource())));
  }

  private static PoolSpec spec(String name) {
    return PoolSpec.of(name, List.of(Block.parse("1..9")));
  }

  private static PoolSpec specInEu(String name) {
    return spec(name).withDatabase(Optional.of("eu"));
  }

  @Test
  void poolIsInTheDatabaseThatItNames() {
    assertThat(pools.create(spec("a"))).isTrue();
    assertThat(pools.create(specInEu("b"))).isTrue();

    assertThat(names(home)).containsExactly("a");
    assertThat(names(eu)).containsExactly("b");
    assertThat(pools.names()).containsExactly("a", "b");
    assertThat(pools.open("a").spec().database()).contains("home");
    assertThat(pools.open("b").spec().database()).contains("eu");
    assertThat(pools.open("b").claim(ClaimRequest.of("c"))).isInstanceOf(Granted.class);
    assertThat(eu.number("select count(*) from mintmark.pool_claim")).isOne();
  }

  @Test
  void nameIsTakenInAllDatabases() {
    pools.create(specInEu("a"));

    assertThat(pools.create(spec("a"))).isFalse();

    assertThat(names(home)).isEmpty();
    assertThat(home.number("select count(*) from mintmark.pool_name")).isZero();
  }

  @Test
  void nameThatAnotherInstanceHasTakenIsNotCreated() {
    home.execute(
        "insert into mintmark.pool_name (name, holder) values ('a', pg_catalog.gen_random_uuid())");

    assertThatThrownBy(() -> pools.create(specInEu("a")))
        .isInstanceOf(PoolUnavailableException.class)
        .hasMessage("pool \"a\": another instance creates a pool of that name");

    home.execute("update mintmark.pool_name set taken_at = taken_at - interval '6 minutes'");
    assertThat(pools.create(specInEu("a"))).isTrue();
  }

  @Test
  void nameThatWasTakenBeforeTheClockSteppedBackIsTakenOver() {
    home.execute(
        "insert into mintmark.pool_name (name, holder, taken_at)"
            + " values ('a', pg_catalog.gen_random_uuid(), now() + interval '1 hour')");

    assertThat(pools.create(spec("a"))).isTrue();
  }

  /** A program does not wait for itself, and keeps no name. */
  @Test
  void nameIsTakenAgainIfTheAnswerIsLost() {
    boolean complete = false;
    for (int step = 0; !complete; step++) {
      toHome.cutOnceAfter(step);
      try {
        boolean unused = pools.create(spec("a" + step));
      } catch (PoolUnavailableException e) {
        assertThat(e).as("step %s", step).hasMessageNotContaining("another instance");
      }
      complete = !toHome.hasCut();
      assertThat(home.number("select count(*) from mintmark.pool_name"))
          .as("step %s", step)
          .isZero();
    }
  }

  /** As of an instance that was stopped for minutes, after it had taken the name. */
  @Test
  void poolWhoseNameWasTakenOverMeanwhileIsNotCreated() {
    home.execute(
        """
        create function public.take_over() returns trigger language plpgsql as $$
        begin
          update mintmark.pool_name set holder = pg_catalog.gen_random_uuid();
          return null;
        end
        $$
        """);
    home.execute(
        "create trigger take_over after insert on mintmark.pool execute function public.take_over()");
    for (Supplier<?> creation :
        List.<Supplier<?>>of(() -> pools.create(spec("a")), () -> pools.declare(spec("b")))) {
      assertThatThrownBy(creation::get)
          .isInstanceOf(PoolUnavailableException.class)
          .hasMessageEndingWith(
              "it took minutes to create it, and another instance may have done so meanwhile: create it again");
    }
    assertThat(names(home)).isEmpty();
  }

  @Test
  void declaredPoolIsChangedWhereItIs() {
    pools.create(specInEu("a"));

    Pools.Declared declared =
        pools.declare(spec("a").withBlocks(List.of(Block.parse("1..9"), Block.parse("11..12"))));

    assertThat(declared.created()).isFalse();
    assertThat(declared.added()).containsExactly(Block.parse("11..12"));
    assertThat(names(home)).isEmpty();
    assertThat(pools.declare(specInEu("b")).created()).isTrue();
    assertThat(names(eu)).containsExactly("a", "b");
  }

  @Test
  void claimsOfEachDatabaseAreReported() {
    pools.create(spec("a"));
    pools.create(specInEu("b"));
    List<String> reported = new ArrayList<>();
    assertThat(pools.reportsClaims()).isFalse();

    pools.reportClaims(
        pool ->
            new ClaimListener.Begun() {
              @Override
              public void ended(ClaimResult result) {
                reported.add(pool);
              }

              @Override
              public void failed(Throwable failure) {}
            });
    pools.open("a").claim(ClaimRequest.of("c"));
    pools.open("b").claim(ClaimRequest.of("c"));

    assertThat(pools.reportsClaims()).isTrue();
    assertThat(reported).containsExactly("a", "b");
  }

  @Test
  void databaseThatFailsTakesItsPoolsAlone() {
    pools.create(spec("a"));
    pools.create(specInEu("b"));
    toEu.cut();

    assertThat(pools.open("a").claim(ClaimRequest.of("c"))).isInstanceOf(Granted.class);
    assertThat(pools.names()).containsExactly("a");
    assertThat(pools.unreachable()).containsExactly("eu");
    assertThatThrownBy(() -> pools.open("b").claim(ClaimRequest.of("c")))
        .isInstanceOf(PoolUnavailableException.class);
    assertThatThrownBy(() -> pools.open("nowhere")).isInstanceOf(PoolUnavailableException.class);
    assertThat(pools.declare(spec("a")).created()).isFalse();
    assertThatThrownBy(() -> pools.create(spec("new")))
        .isInstanceOf(PoolUnavailableException.class);
    assertThatThrownBy(pools::sweep).isInstanceOf(PoolUnavailableException.class);

    toEu.mend();
    assertThat(pools.open("b").claim(ClaimRequest.of("c"))).isInstanceOf(Granted.class);
    assertThatThrownBy(() -> pools.open("nowhere")).isInstanceOf(UnknownPoolException.class);
    assertThat(pools.create(spec("new"))).isTrue();
  }

  @Test
  void databaseThatHangsIsNotAskedAgainForAsLongAsItDidNotAnswer() {
    pools.create(spec("a"));
    pools.create(spec("b"));
    pools.create(spec("c"));
    AtomicLong clock = new AtomicLong();
    AtomicInteger attempts = new AtomicInteger();
    DataSource hanging = hangsFor(Duration.ofSeconds(30), clock, attempts);

    try (Pools two =
        ShardedPools.of(
            List.of(Pools.over("home", home.dataSource()), Pools.over("eu", hanging)),
            clock::get)) {
      two.open("a");
      two.open("b");
      assertThatThrownBy(() -> two.open("nowhere"))
          .isInstanceOf(PoolUnavailableException.class)
          .hasMessageContaining("hangs")
          .hasCauseInstanceOf(SQLException.class);
      assertThat(attempts).hasValue(1);

      clock.addAndGet(Duration.ofSeconds(10).toNanos());
      two.open("c");
      assertThat(attempts).hasValue(2);
    }
  }

  /** No connection comes, and a clock shows how long each attempt took. */
  private static DataSource hangsFor(Duration time, AtomicLong clock, AtomicInteger attempts) {
    return new PGSimpleDataSource() {
      @Override
      public Connection getConnection() throws SQLException {
        attempts.incrementAndGet();
        clock.addAndGet(time.toNanos());
        throw new SQLException("the database hangs");
      }
    };
  }

  @Test
  void eachDatabaseIsSweptWhileAnotherFails() {
    pools.create(spec("a").withLease(Duration.ofSeconds(1)));
    assertThat(pools.open("a").claim(ClaimRequest.of("c"))).isInstanceOf(Granted.class);
    Queue<String> failures = new ConcurrentLinkedQueue<>();
    toEu.cut();

    try (PoolSweeper sweeper =
        PoolSweeper.start(pools, Duration.ofMillis(100), new Listener(failures))) {
      Patience.await(
          "the end of the claim",
          () -> home.number("select count(*) from mintmark.pool_claim") == 0);
      Patience.await("a failure", () -> !failures.isEmpty());
      assertThat(sweeper).isNotNull();
    }
    assertThat(failures).allMatch(message -> message.startsWith("all pools of \"eu\": "));
  }

  @Test
  void poolOfTwoDatabasesGrantsNothing() {
    try (Pools alone = Pools.over(eu.dataSource())) {
      alone.create(spec("a"));
    }
    try (Pools alone = Pools.over(home.dataSource())) {
      alone.create(spec("a"));
    }

    assertThatThrownBy(() -> pools.open("a"))
        .isInstanceOf(PoolUnavailableException.class)
        .hasMessage(
            "pool \"a\" is in the databases home and eu: nothing is granted until one of the two is deleted");
  }

  @Test
  void databasesHaveNamesOfTheirOwn() {
    Pools named = Pools.over("eu", eu.dataSource());
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Pools.across(List.of(named, named)))
        .withMessage("two databases are named \"eu\"");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Pools.across(List.of(Pools.over(eu.dataSource()))))
        .withMessageContaining("without a name");
    assertThatIllegalArgumentException().isThrownBy(() -> Pools.across(List.of()));
    assertThatIllegalArgumentException().isThrownBy(() -> Pools.over("EU", eu.dataSource()));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> pools.create(spec("a").withDatabase(Optional.of("ue"))))
        .withMessage("unknown database \"ue\": did you mean \"eu\"? expected one of home, eu");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> named.create(spec("a").withDatabase(Optional.of("us"))));
    assertThatIllegalStateException().isThrownBy(() -> pools.listenThrough(eu.dataSource()));
  }

  /** A lossy failover may bring a pool back that was moved away. */
  @Test
  void poolsAreLookedForAgainAfterAFailover() {
    pools.create(spec("a"));
    Pool before = pools.open("a");
    assertThat(pools.open("a")).isSameAs(before);

    Pools.restored(home.dataSource(), false);
    pools.sweep();

    assertThat(pools.open("a")).isNotSameAs(before);
  }

  @Test
  void deletedPoolIsUnknown() {
    pools.create(specInEu("a"));

    assertThat(pools.delete("a")).isTrue();

    assertThat(pools.delete("a")).isFalse();
    assertThatThrownBy(() -> pools.open("a")).isInstanceOf(UnknownPoolException.class);
  }

  private static List<String> names(TestDatabase database) {
    try (Pools alone = Pools.over(database.dataSource())) {
      return alone.names();
    }
  }

  private record Listener(Queue<String> failures) implements PoolSweeper.Listener {
    @Override
    public void swept(long freed) {}

    @Override
    public void failed(PoolSweeper.Failures failed) {
      failures.add(String.valueOf(failed.last().getMessage()));
    }

    @Override
    public void recovered(PoolSweeper.Failures failed) {}
  }
}
