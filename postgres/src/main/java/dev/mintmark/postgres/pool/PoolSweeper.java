package dev.mintmark.postgres.pool;

import dev.mintmark.postgres.internal.RepeatingTask;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Sweeps all pools repeatedly, in a thread of its own for each database, until it is closed: values
 * whose lease or quarantine has ended become free, whether anybody claims or not. Any number of
 * instances may run one for the same database; they take turns, so that together they sweep at most
 * twice an interval. A database that does not answer holds up no other. Safe for use by many
 * threads.
 *
 * <pre>{@code
 * try (Pools pools = Pools.over(dataSource);
 *     PoolSweeper sweeper = PoolSweeper.start(pools, Duration.ofSeconds(1), listener)) {
 *   // ...
 * }
 * }</pre>
 */
public final class PoolSweeper implements AutoCloseable {
  private final List<RepeatingTask> tasks;

  /**
   * Sweeps that failed in a row.
   *
   * @param last why the last of them failed
   * @param count how many there were, at least 1
   * @param length the time since the first of them failed
   */
  public record Failures(RuntimeException last, int count, Duration length) {}

  /**
   * Receives the result of each sweep, in the thread that sweeps: one for each database. A failure
   * names the database, if it has a name.
   */
  public interface Listener {
    /**
     * A sweep succeeded, or another instance has swept shortly before.
     *
     * @param freed how many values became free through this instance
     */
    void swept(long freed);

    /** A sweep failed. It is repeated after the interval. */
    void failed(Failures failures);

    /** A sweep succeeded after sweeps that failed. {@link #swept} follows. */
    void recovered(Failures failures);
  }

  private PoolSweeper(Pools pools, Duration interval, Listener listener) {
    this.tasks =
        pools.parts().stream()
            .map(part -> new Sweeping(part, interval, listener))
            .map(sweeping -> RepeatingTask.start("mintmark-sweep", interval, sweeping::sweep))
            .toList();
  }

  /**
   * Sweeps at once, and then at least once per {@code interval}.
   *
   * @param interval at least 100 ms; 1 s is a good value
   * @throws IllegalArgumentException if the interval is too short
   */
  public static PoolSweeper start(Pools pools, Duration interval, Listener listener) {
    return new PoolSweeper(pools, interval, listener);
  }

  /** Stops, after the sweeps that are under way. The pools stay open. */
  @Override
  public void close() {
    tasks.forEach(RepeatingTask::close);
  }

  /** The sweeps of one database. For one thread. */
  private static final class Sweeping {
    private final DatabasePools pools;
    private final Listener listener;
    private final Duration turn;

    /** The sweeps that failed in a row, and when the first of them did. */
    private @Nullable Failures failures;

    private long failingNanos;

    Sweeping(DatabasePools pools, Duration interval, Listener listener) {
      this.pools = pools;
      this.listener = listener;
      // The shortest pause between two runs of the task, so that one instance alone always sweeps.
      this.turn = interval.dividedBy(2);
    }

    void sweep() {
      long freed;
      try {
        freed = pools.sweepInTurn(turn).orElse(0);
      } catch (RuntimeException e) {
        listener.failed(fail(e));
        return;
      }
      Failures before = failures;
      if (before != null) {
        failures = null;
        listener.recovered(new Failures(before.last, before.count, sinceFirstFailure()));
      }
      listener.swept(freed);
    }

    private Failures fail(RuntimeException reason) {
      Failures before = failures;
      if (before == null) {
        failingNanos = System.nanoTime();
      }
      Failures now =
          new Failures(reason, before == null ? 1 : before.count + 1, sinceFirstFailure());
      failures = now;
      return now;
    }

    private Duration sinceFirstFailure() {
      return Duration.ofNanos(System.nanoTime() - failingNanos);
    }
  }
}
