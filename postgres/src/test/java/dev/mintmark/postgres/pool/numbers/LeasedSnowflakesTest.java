package dev.mintmark.postgres.pool.numbers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mintmark.Block;
import dev.mintmark.MintException;
import dev.mintmark.PoolSpec;
import dev.mintmark.Snowflake;
import dev.mintmark.SnowflakeLayout;
import dev.mintmark.fixtures.BreakableDataSource;
import dev.mintmark.fixtures.TestDatabase;
import dev.mintmark.postgres.pool.Claim;
import dev.mintmark.postgres.pool.ClaimFilter;
import dev.mintmark.postgres.pool.Pool;
import dev.mintmark.postgres.pool.Pools;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Node numbers leased from a pool, on a server whose clock is not that of this process. */
@Tag("slow")
class LeasedSnowflakesTest {
  private static final SnowflakeLayout LAYOUT = SnowflakeLayout.TWITTER;

  /** The server's clock is far from that of this process, so that neither can stand in for it. */
  private static final Duration APART = Duration.ofDays(400);

  private static final TestDatabase DATABASE = TestDatabase.create();

  private final ShiftedClock clock = ShiftedClock.of(DATABASE);
  private final BreakableDataSource breakable =
      new BreakableDataSource(clock.through(DATABASE.dataSource()));
  private final Pools pools = Pools.over(breakable.dataSource());
  private final List<LeasedSnowflakes> mints = new ArrayList<>();

  LeasedSnowflakesTest() {
    pools.names().forEach(pools::delete);
    clock.move(APART);
  }

  @AfterEach
  void close() {
    breakable.mend();
    mints.forEach(LeasedSnowflakes::close);
    pools.close();
  }

  @Test
  void idsBearALeasedNumberAndTheTimeOfTheServer() {
    pools.create(spec("0..1023").withLease(Duration.ofHours(1)));
    Pool pool = pools.open("workers");
    Instant before = serverTime();

    LeasedSnowflakes mint = open(pool, "billing");
    List<Snowflake> ids = mint.mint(10_000);

    Claim claim = pool.claims(ClaimFilter.ofOwner("billing"), 2).get(0);
    assertThat(ids).allSatisfy(id -> assertThat(id.node(LAYOUT)).isEqualTo(mint.node()));
    assertThat(claim.value()).isEqualTo(String.valueOf(mint.node()));
    assertThat(claim.client()).startsWith("billing/");
    assertThat(mint.leaseEnd()).isEqualTo(claim.expiresAt().orElseThrow());
    assertThat(ids).isSorted().doesNotHaveDuplicates();
    assertThat(ids.get(0).time(LAYOUT)).isAfterOrEqualTo(before.minusMillis(1));
    assertThat(last(ids).time(LAYOUT)).isBefore(mint.leaseEnd());
    assertThat(mint)
        .hasToString("node " + mint.node() + " of pool \"workers\" until " + mint.leaseEnd());
  }

  @Test
  void numberThatWasGivenBackCanBeHadAtOnceAndItsIdsStandAboveThoseBefore() {
    Pool pool = pool("0..0");
    LeasedSnowflakes first = open(pool, "first");
    List<Snowflake> before = first.mint(5_000);

    first.close();
    LeasedSnowflakes second = open(pool, "second");
    List<Snowflake> after = second.mint(5_000);

    assertThat(after.get(0)).isGreaterThan(last(before));
    assertThatThrownBy(first::mint)
        .isInstanceOf(MintException.class)
        .hasMessageContaining("closed");
  }

  @Test
  void numberWhoseLeaseEndedIsStampedBehindThatEndThoughItsHolderKnowsNothing() {
    Pool pool = pool("0..0");
    FrozenClock frozen = new FrozenClock();
    LeasedSnowflakes first = open(pool, "first", frozen);
    Instant end = first.leaseEnd();

    clock.move(Duration.ofHours(1));
    LeasedSnowflakes second = open(pool, "second");
    List<Snowflake> after = second.mint(100);
    frozen.move(Duration.ofSeconds(29));
    List<Snowflake> late = first.mint(100);

    assertThat(late).allSatisfy(id -> assertThat(id.time(LAYOUT)).isBefore(end));
    assertThat(after).allSatisfy(id -> assertThat(id.time(LAYOUT)).isAfterOrEqualTo(end));
  }

  @Test
  void holderThatLostItsNumberGoesOnWithAnother() {
    Pool pool = pool("0..1");
    FrozenClock frozen = new FrozenClock();
    LeasedSnowflakes first = open(pool, "first", frozen);
    int lost = first.node();
    Snowflake before = first.mint();
    clock.move(Duration.ofHours(1));
    open(pool, "second");
    open(pool, "third");
    mints.remove(2).close();

    // Its lease ends, as of a process that wakes up; then it asks, and hears that it has nothing.
    frozen.move(Duration.ofSeconds(31));
    Set<Snowflake> ids = new HashSet<>(first.mint(100));

    assertThat(ids).allMatch(id -> id.compareTo(before) > 0);
    assertThat(pool.find(String.valueOf(first.node())).orElseThrow().owner()).hasValue("first");
    assertThat(first.node()).isIn(lost, 1 - lost);
  }

  @Test
  void nothingIsMadeWhenTheLeaseHasEndedAndTheDatabaseIsAway() {
    FrozenClock frozen = new FrozenClock();
    LeasedSnowflakes mint = open(pool("0..3"), "cut-off", frozen);
    Snowflake before = mint.mint();
    breakable.cut();

    frozen.move(Duration.ofSeconds(29));
    Snowflake lastOne = mint.mint();
    frozen.move(Duration.ofSeconds(1));

    assertThat(lastOne).isGreaterThan(before);
    assertThatThrownBy(mint::mint)
        .isInstanceOf(MintException.class)
        .hasMessageContaining("pool \"workers\": the lease of node " + mint.node() + " has ended")
        .hasMessageContaining("the database failed: cut");
    breakable.mend();
    assertThat(mint.mint()).isGreaterThan(lastOne);
  }

  @Test
  void requestThatFailsAtAnyStepIsMadeAgainAndLeavesNoSecondNumberBehind() {
    pools.create(spec("0..3").withLease(Duration.ofSeconds(3)));
    Pool pool = pools.open("workers");
    FrozenClock frozen = new FrozenClock();
    LeasedSnowflakes mint = open(pool, "unlucky", frozen);
    List<Snowflake> ids = new ArrayList<>();
    for (int step = 0; step < 14; step++) {
      clock.move(Duration.ofHours(1));
      pools.sweep();
      frozen.move(Duration.ofSeconds(4));
      breakable.cutOnceAfter(step);
      ids.add(mint.mint());
      breakable.mend();
      assertThat(pool.stats().total().held()).as("step %d", step).isEqualTo(1);
    }

    assertThat(ids).isSorted().doesNotHaveDuplicates();
  }

  @Test
  void idsAscendAndAreStillMadeAfterTheServersClockSteppedBack() {
    PoolSpec spec = spec("0..3").withLease(Duration.ofSeconds(1));
    pools.create(spec);
    Pool pool = pools.open("workers");
    LeasedSnowflakes mint = open(pool, "failed-over");
    List<Snowflake> ids = new ArrayList<>(mint.mint(10));
    clock.move(Duration.ofMinutes(-5));

    // What was leased before the step is used up on the way: it takes an end by the new clock.
    Instant stamped = mint.leaseEnd().plusSeconds(1);
    while (last(ids).time(LAYOUT).isBefore(stamped)) {
      ids.add(mint.mint());
      LockSupport.parkNanos(1_000_000);
    }

    assertThat(ids).isSorted().doesNotHaveDuplicates();
    // The lease may have ended meanwhile.
    Instant known =
        DATABASE
            .value("select expires_at from mintmark.pool_claim", OffsetDateTime.class)
            .toInstant();
    assertThat(last(ids).time(LAYOUT)).isBefore(known);
  }

  @Test
  void poolThatCannotNumberNodesIsRefused() {
    pools.create(spec("0..1024"));
    assertRefused("it has the block 0..1024: expected numbers from 0 to 1023");
    pools.delete("workers");
    pools.create(spec("10.0.0.0/24"));
    assertRefused("it has the block 10.0.0.0/24: expected numbers from 0 to 1023");
    pools.delete("workers");
    pools.create(PoolSpec.of("workers", List.of(Block.parse("0..7"))));
    assertRefused("it has no lease: expected one, such as 30s");
    pools.delete("workers");
    pools.create(spec("0..7").withLease(Duration.ofSeconds(2)));
    SnowflakeLayout seconds = new SnowflakeLayout(Instant.EPOCH, 1_000, 33, 10, 3, false);
    Pool pool = pools.open("workers");
    assertThatThrownBy(() -> LeasedSnowflakes.open(pool, seconds, "x"))
        .hasMessageContaining("its lease is 2s: expected 3s at least");
    assertThatThrownBy(() -> LeasedSnowflakes.open(pool, LAYOUT, ""))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> LeasedSnowflakes.open(pool, LAYOUT, "x".repeat(219)))
        .hasMessageContaining("expected at most 218 characters, got 219");
    assertThat(pool.stats().total().held()).isZero();
  }

  @Test
  void poolWithoutAFreeNumberIsAClearError() {
    pools.create(spec("5..5").withLease(Duration.ofHours(1)));
    Pool pool = pools.open("workers");
    open(pool, "first");

    assertThatThrownBy(() -> LeasedSnowflakes.open(pool, LAYOUT, "second"))
        .isInstanceOf(MintException.class)
        .hasMessageContaining("pool \"workers\": no node number is free: Exhausted");
  }

  /**
   * Instances come, mint, are suspended, killed and closed while the server's clock leaps and their
   * own clocks run apart: no id comes twice.
   */
  @Test
  void instancesInTurmoilNeverMakeTheSameId() {
    long seed = 6;
    Random random = new Random(seed);
    Pool pool = pool("0..2");
    Map<LeasedSnowflakes, FrozenClock> running = new HashMap<>();
    Map<LeasedSnowflakes, List<Snowflake>> made = new HashMap<>();
    for (int round = 0; round < 120; round++) {
      List<LeasedSnowflakes> all = new ArrayList<>(running.keySet());
      switch (random.nextInt(6)) {
        case 0, 1 -> {
          if (running.size() < 3) {
            FrozenClock frozen = new FrozenClock();
            try {
              running.put(open(pool, "instance-" + round, frozen), frozen);
            } catch (MintException e) {
              assertThat(e).hasMessageContaining("Exhausted");
            }
          }
        }
        case 2 -> {
          if (!all.isEmpty()) {
            LeasedSnowflakes one = all.get(random.nextInt(all.size()));
            running.remove(one);
            one.close();
          }
        }
        case 3 -> clock.move(Duration.ofMillis(random.nextInt(40_000)));
        default -> {
          // Time passes, but not for those that are suspended.
          Duration length = Duration.ofMillis(random.nextInt(12_000));
          clock.move(length);
          running
              .values()
              .forEach(own -> own.move(random.nextInt(4) == 0 ? Duration.ZERO : length));
        }
      }
      for (LeasedSnowflakes one : running.keySet()) {
        try {
          made.computeIfAbsent(one, key -> new ArrayList<>()).addAll(one.mint(20));
        } catch (MintException e) {
          assertThat(e).hasMessageContaining("node");
        }
      }
    }

    List<Snowflake> ids = made.values().stream().flatMap(List::stream).toList();
    assertThat(ids).as("seed %d", seed).hasSizeGreaterThan(500).doesNotHaveDuplicates();
    made.values().forEach(own -> assertThat(own).as("seed %d", seed).isSorted());
  }

  private void assertRefused(String why) {
    Pool pool = pools.open("workers");
    assertThatThrownBy(() -> LeasedSnowflakes.open(pool, LAYOUT, "x"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("pool \"workers\" cannot number nodes: " + why);
  }

  private Pool pool(String numbers) {
    pools.create(spec(numbers));
    return pools.open("workers");
  }

  private static PoolSpec spec(String block) {
    return PoolSpec.of("workers", List.of(Block.parse(block))).withLease(Duration.ofSeconds(30));
  }

  private LeasedSnowflakes open(Pool pool, String name) {
    return open(pool, name, System::nanoTime);
  }

  private LeasedSnowflakes open(Pool pool, String name, MonotonicClock monotonic) {
    LeasedSnowflakes mint = LeasedSnowflakes.open(pool, LAYOUT, name, monotonic);
    mints.add(mint);
    return mint;
  }

  private Instant serverTime() {
    return DATABASE.value("select clock.now()", OffsetDateTime.class).toInstant();
  }

  private static Snowflake last(List<Snowflake> ids) {
    return ids.get(ids.size() - 1);
  }

  /** A monotonic clock that stands still until the test moves it, or somebody waits for it. */
  private static final class FrozenClock implements MonotonicClock {
    private final AtomicLong nanos = new AtomicLong(System.nanoTime());

    @Override
    public long nanos() {
      return nanos.get();
    }

    @Override
    public void pause(long length) {
      nanos.addAndGet(length);
    }

    void move(Duration by) {
      nanos.addAndGet(by.toNanos());
    }
  }
}
