package dev.mintmark.app.service;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import dev.mintmark.Block;
import dev.mintmark.PoolSpec;
import dev.mintmark.fixtures.BreakableDataSource;
import dev.mintmark.fixtures.TestDatabase;
import dev.mintmark.postgres.pool.Claim;
import dev.mintmark.postgres.pool.ClaimRequest;
import dev.mintmark.postgres.pool.ClaimResult.Granted;
import dev.mintmark.postgres.pool.Pool;
import dev.mintmark.postgres.pool.PoolMove;
import dev.mintmark.postgres.pool.PoolStats;
import dev.mintmark.postgres.pool.Pools;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What is seen of a pool between two readings, on a real PostgreSQL. */
@Tag("slow")
class PoolWatchTest {
  private static final Instant NOW = Instant.parse("2026-11-22T12:00:00.123Z");

  private final AtomicLong nanos = new AtomicLong();
  private HikariDataSource connections;
  private BreakableDataSource breakable;
  private Pools pools;

  @BeforeEach
  void open() {
    connections = TestDatabase.create().connectionPool(2);
    breakable = new BreakableDataSource(connections);
    pools = Pools.over(breakable.dataSource());
  }

  @AfterEach
  void close() {
    pools.close();
    connections.close();
  }

  @Test
  void theFirstReadingIsThePool() {
    PoolWatch watch = watch(pool("1..10"));

    PoolEvent.Standing first = standing(watch.read());

    assertThat(first.stats().total().held()).isZero();
    assertThat(first.at()).isEqualTo(NOW);
    assertThat(watch.pause()).isEqualTo(PoolWatch.PAUSE_MIN);
    assertThat(watch.read()).isEmpty();
  }

  @Test
  void aClaimAndAReleaseAreChanges() {
    Pool pool = pool("1..10");
    PoolWatch watch = watch(pool);
    var unused = watch.read();

    Claim claim = claim(pool, "a");

    assertThat(standing(watch.read()).stats().total().held()).isOne();
    assertThat(watch.read()).isEmpty();
    pool.release(claim.value(), claim.token());
    assertThat(standing(watch.read()).stats().total().held()).isZero();
    assertThat(watch.read()).isEmpty();
  }

  @Test
  void aChangeThatLeavesTheCountsAsTheyWereIsSeen() {
    Pool pool = pool("1..10");
    Claim first = claim(pool, "a");
    PoolWatch watch = watch(pool);
    PoolStats before = standing(watch.read()).stats();

    pool.release(first.value(), first.token());
    claim(pool, "b");

    assertThat(standing(watch.read()).stats()).isEqualTo(before);
    assertThat(watch.read()).isEmpty();
  }

  @Test
  void anotherPoolsClaimsAreNoChange() {
    PoolWatch watch = watch(pool("1..10"));
    var unused = watch.read();

    pools.create(PoolSpec.of("other", List.of(Block.parse("1..10"))));
    claim(pools.open("other"), "a");

    assertThat(watch.read()).isEmpty();
  }

  @Test
  void aBlockThatIsAddedIsAChange() {
    Pool pool = pool("1..10");
    PoolWatch watch = watch(pool);
    var unused = watch.read();

    pool.addBlock(Block.parse("11..20"), List.of());

    assertThat(standing(watch.read()).stats().blocks()).hasSize(2);
  }

  @Test
  void thresholdsAreReportedInTheOrderInWhichTheyArePassed() {
    Pool pool = pool("1..100");
    PoolWatch watch = watch(pool);
    assertThat(watch.read()).hasSize(1);
    List<Claim> claims = new ArrayList<>();

    for (int i = 0; i < 79; i++) {
      claims.add(claim(pool, "c" + i));
    }
    assertThat(watch.read()).hasSize(1);
    for (int i = 79; i < 96; i++) {
      claims.add(claim(pool, "c" + i));
    }
    List<PoolEvent> up = watch.read();
    claims.subList(0, 20).forEach(claim -> pool.release(claim.value(), claim.token()));
    List<PoolEvent> down = watch.read();

    assertThat(up.get(0)).isInstanceOf(PoolEvent.Standing.class);
    assertThat(up.subList(1, 3))
        .extracting(PoolWatchTest::describe)
        .containsExactly("80 true 96.0", "95 true 96.0");
    assertThat(down.subList(1, 3))
        .extracting(PoolWatchTest::describe)
        .containsExactly("95 false 76.0", "80 false 76.0");
    assertThat(watch.read()).isEmpty();
  }

  @Test
  void aPoolHasThresholdsOfItsOwn() {
    pools.create(PoolSpec.of("own", List.of(Block.parse("1..4"))).withThresholds(List.of(25, 100)));
    Pool pool = pools.open("own");
    PoolWatch watch = watch(pool);
    assertThat(watch.read()).hasSize(1);

    for (int i = 0; i < 3; i++) {
      claim(pool, "c" + i);
    }
    List<PoolEvent> most = watch.read();
    claim(pool, "last");
    List<PoolEvent> all = watch.read();

    assertThat(describe(most.get(1))).isEqualTo("25 true 75.0");
    assertThat(most).hasSize(2);
    assertThat(describe(all.get(1))).isEqualTo("100 true 100.0");
  }

  @Test
  @Tag("long")
  void quarantinedValuesAreUsed() {
    Pool pool = pool("1..10");
    PoolWatch watch = watch(pool);
    var unused = watch.read();

    for (int i = 1; i <= 8; i++) {
      pool.quarantine(Integer.toString(i), Duration.ofHours(1));
    }

    assertThat(describe(watch.read().get(1))).isEqualTo("80 true 80.0");
  }

  @Test
  void aLostDatabaseIsReportedOnceAndThenThePoolAgain() {
    Pool pool = pool("1..10");
    PoolWatch watch = watch(pool);
    var unused = watch.read();

    breakable.cut();
    List<PoolEvent> lost = watch.read();
    List<PoolEvent> still = watch.read();
    breakable.mend();

    assertThat(lost).containsExactly(new PoolEvent.Unavailable(NOW));
    assertThat(still).isEmpty();
    assertThat(standing(watch.read()).stats().total().held()).isZero();
    assertThat(watch.read()).isEmpty();
  }

  @Test
  void aPoolThatIsDeletedIsGone() {
    PoolWatch watch = watch(pool("1..10"));
    var unused = watch.read();

    pools.delete("p");

    assertThat(watch.read()).containsExactly(new PoolEvent.Deleted(NOW));
  }

  @Test
  void aPoolOfTheSameNameIsAnother() {
    PoolWatch watch = watch(pool("1..10"));
    var unused = watch.read();

    pools.delete("p");
    pool("1..10");

    assertThat(watch.read()).containsExactly(new PoolEvent.Deleted(NOW));
  }

  @Test
  void aPoolThatWasMovedIsWatchedWhereItIs() {
    try (Pools home = Pools.over("home", connections);
        Pools across =
            Pools.across(List.of(home, Pools.over("eu", TestDatabase.create().dataSource())))) {
      across.create(PoolSpec.of("p", List.of(Block.parse("1..10"))));
      PoolWatch watch = new PoolWatch(across, across.open("p"), () -> NOW, nanos::get);
      var unused = watch.read();

      PoolMove.Result moved = PoolMove.move(across, "p", "eu", (rows, expected) -> {});
      assertThat(moved.moved()).isTrue();
      assertThat(across.open("p").claim(ClaimRequest.of("a"))).isInstanceOf(Granted.class);

      assertThat(standing(watch.read()).stats().total().held()).isOne();
      assertThat(watch.read()).isEmpty();
    }
  }

  @Test
  void readingsThatTakeLongAreFollowedByALongPause() {
    Pool pool = pool("1..10");
    Duration length = Duration.ofSeconds(3);
    PoolWatch watch =
        new PoolWatch(pools, pool, () -> NOW, () -> nanos.getAndAdd(length.toNanos()));

    var unusedFirst = watch.read();
    assertThat(watch.pause()).as("one was slow once").isEqualTo(PoolWatch.PAUSE_MIN);
    var unusedSecond = watch.read();
    assertThat(watch.pause()).isEqualTo(length.multipliedBy(20));
    breakable.cut();
    var unusedFailed = watch.read();
    assertThat(watch.pause()).isEqualTo(Duration.ofSeconds(30));
  }

  private PoolWatch watch(Pool pool) {
    return new PoolWatch(pools, pool, () -> NOW, nanos::get);
  }

  private Pool pool(String block) {
    pools.create(PoolSpec.of("p", List.of(Block.parse(block))).withQuarantine(Duration.ZERO));
    return pools.open("p");
  }

  private static Claim claim(Pool pool, String client) {
    return ((Granted) pool.claim(ClaimRequest.of(client))).claim();
  }

  private static PoolEvent.Standing standing(List<PoolEvent> events) {
    assertThat(events).hasSize(1);
    return (PoolEvent.Standing) events.get(0);
  }

  private static String describe(PoolEvent event) {
    PoolEvent.Threshold threshold = (PoolEvent.Threshold) event;
    return threshold.percent() + " " + threshold.isAbove() + " " + threshold.usedPercent();
  }
}
