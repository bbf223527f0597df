package dev.mintmark.postgres.pool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mintmark.Block;
import dev.mintmark.PoolSpec;
import dev.mintmark.fixtures.BreakableDataSource;
import dev.mintmark.fixtures.Patience;
import dev.mintmark.fixtures.TestDatabase;
import dev.mintmark.postgres.pool.ClaimResult.Granted;
import dev.mintmark.postgres.pool.PoolSweeper.Failures;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A thread that sweeps all pools, while the database works and while it does not. */
@Tag("database")
class PoolSweeperTest {
  private static final Duration INTERVAL = Duration.ofMillis(100);

  private final TestDatabase database = TestDatabase.create();
  private final BreakableDataSource source = new BreakableDataSource(database.dataSource());
  private final Events events = new Events();

  @Test
  void freesValuesWhoseLeaseHasEndedWhileNobodyClaims() throws Exception {
    try (Pools pools = Pools.over(source.dataSource())) {
      pools.create(PoolSpec.of("p", List.of(Block.parse("1..2"))).withLease(Duration.ofSeconds(1)));
      assertThat(pools.open("p").claim(ClaimRequest.of("a"))).isInstanceOf(Granted.class);

      try (PoolSweeper sweeper = PoolSweeper.start(pools, INTERVAL, events)) {
        long freed = 0;
        while (freed == 0) {
          freed = next(events.freed);
        }
        assertThat(freed).isOne();
        assertThat(sweeper).isNotNull();
      }
      assertThat(database.number("select count(*) from mintmark.pool_claim")).isZero();
    }
  }

  @Test
  void countsTheFailuresOfARowAndReportsItsEnd() throws Exception {
    try (Pools pools = Pools.over(source.dataSource());
        PoolSweeper sweeper = PoolSweeper.start(pools, INTERVAL, events)) {
      assertThat(next(events.freed)).isZero();
      source.cut();

      Failures first = next(events.failures);
      Failures second = next(events.failures);

      assertThat(first.count()).isOne();
      assertThat(first.last())
          .isInstanceOf(PoolUnavailableException.class)
          .hasMessageStartingWith("all pools: the database failed: cut (attempts=");
      assertThat(second.count()).isEqualTo(2);
      assertThat(second.length()).isGreaterThan(first.length());
      source.mend();
      Failures all = next(events.recoveries);
      assertThat(all.count()).isEqualTo(2 + events.failures.size());
      assertThat(all.length()).isGreaterThan(second.length());
      assertThat(events.recoveries).isEmpty();
      assertThat(sweeper).isNotNull();
    }
  }

  @Test
  void sweepsNoMoreOnceItIsClosed() throws Exception {
    try (Pools pools = Pools.over(source.dataSource())) {
      PoolSweeper sweeper = PoolSweeper.start(pools, INTERVAL, events);
      assertThat(next(events.freed)).isZero();

      sweeper.close();

      long sent = pools.statements();
      TimeUnit.MILLISECONDS.sleep(3 * INTERVAL.toMillis());
      assertThat(pools.statements()).isEqualTo(sent);
    }
  }

  @Test
  void sweepsAgainAfterAListenerHasFailed() throws Exception {
    AtomicBoolean fails = new AtomicBoolean(true);
    Events failing =
        new Events() {
          @Override
          public void swept(long freed) {
            if (fails.getAndSet(false)) {
              throw new IllegalStateException("the listener of a test fails, as it should");
            }
            super.swept(freed);
          }
        };
    try (Pools pools = Pools.over(source.dataSource());
        PoolSweeper sweeper = PoolSweeper.start(pools, INTERVAL, failing)) {
      assertThat(next(failing.freed)).isZero();
      assertThat(fails).isFalse();
      assertThat(sweeper).isNotNull();
    }
  }

  @Test
  void instancesTakeTurns() {
    try (Pools first = Pools.over(database.dataSource());
        Pools second = Pools.over(database.dataSource())) {
      Duration hour = Duration.ofHours(1);

      assertThat(sweepInTurn(first, hour)).isPresent();
      assertThat(sweepInTurn(first, hour)).isEmpty();
      assertThat(sweepInTurn(second, hour)).isEmpty();

      database.execute("update mintmark.pool_sweep set swept_at = now() - interval '61 minutes'");
      assertThat(sweepInTurn(second, hour)).isPresent();
      assertThat(sweepInTurn(first, hour)).isEmpty();

      database.execute("update mintmark.pool_sweep set swept_at = now() + interval '1 day'");
      assertThat(sweepInTurn(first, hour)).as("the clock stepped back").isPresent();
    }
  }

  private static OptionalLong sweepInTurn(Pools pools, Duration within) {
    return pools.parts().get(0).sweepInTurn(within);
  }

  @Test
  void aTurnThatAnotherSessionTakesIsNotWaitedFor() {
    try (Pools pools = Pools.over(database.dataSource());
        Session sweeping = new Session(database)) {
      sweeping.run("update mintmark.pool_sweep set swept_at = now()");

      assertThat(sweepInTurn(pools, Duration.ofHours(1))).isEmpty();
    }
  }

  @Test
  void intervalsTooShortAreRejected() {
    try (Pools pools = Pools.over(source.dataSource())) {
      assertThatThrownBy(() -> PoolSweeper.start(pools, Duration.ofMillis(99), events))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("PT0.099S");
    }
  }

  private static <T> T next(LinkedBlockingQueue<T> queue) throws InterruptedException {
    return Optional.ofNullable(queue.poll(Patience.MAX.toMillis(), TimeUnit.MILLISECONDS))
        .orElseThrow();
  }

  private static class Events implements PoolSweeper.Listener {
    final LinkedBlockingQueue<Long> freed = new LinkedBlockingQueue<>();
    final LinkedBlockingQueue<Failures> failures = new LinkedBlockingQueue<>();
    final LinkedBlockingQueue<Failures> recoveries = new LinkedBlockingQueue<>();

    @Override
    public void swept(long freed) {
      this.freed.add(freed);
    }

    @Override
    public void failed(Failures failures) {
      this.failures.add(failures);
    }

    @Override
    public void recovered(Failures failures) {
      recoveries.add(failures);
    }
  }
}
