package dev.mintmark.postgres.pool;

import dev.mintmark.Experimental;
import dev.mintmark.PoolSpec;
import dev.mintmark.postgres.internal.RepeatingTask;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Sweeps all pools repeatedly, in a thread of its own for each database, until it is closed: values
 * whose lease or quarantine has ended become free, whether anybody claims or not. In another
 * thread, it supplies the pools that get their blocks from others ({@link Pools#supply}). Any
 * number of instances may run one for the same database; they take turns, so that together they
 * sweep at most twice an interval. A database that does not answer holds up no other. Safe for use
 * by many threads.
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
   * Sweeps, or exchanges of blocks, that failed in a row.
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

    /**
     * A pool could not exchange blocks with its {@linkplain PoolSpec#source source}, as {@link
     * Pools#supply} reports it. It is repeated after the interval. In another thread than that of
     * the sweeps.
     */
    @Experimental
    default void supplyFailed(Failures failures) {}

    /** The exchange succeeded after it had failed. In the thread of {@link #supplyFailed}. */
    @Experimental
    default void supplyRecovered(Failures failures) {}
  }

  private PoolSweeper(Pools pools, Duration interval, Listener listener) {
    this.tasks =
        pools.parts().stream()
            .flatMap(
                part ->
                    Stream.of(
                        RepeatingTask.start(
                            "mintmark-sweep", interval, new Sweeping(part, interval, listener)),
                        RepeatingTask.start(
                            "mintmark-supply", interval, new Supplying(part, listener))))
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
  private static final class Sweeping implements Runnable {
    private final DatabasePools pools;
    private final Listener listener;
    private final Duration turn;
    private final FailuresInARow failures = new FailuresInARow();

    Sweeping(DatabasePools pools, Duration interval, Listener listener) {
      this.pools = pools;
      this.listener = listener;
      // The shortest pause between two runs of the task, so that one instance alone always sweeps.
      this.turn = interval.dividedBy(2);
    }

    @Override
    public void run() {
      long freed;
      try {
        freed = pools.sweepInTurn(turn).orElse(0);
      } catch (RuntimeException e) {
        listener.failed(failures.add(e));
        return;
      }
      failures.end().ifPresent(listener::recovered);
      listener.swept(freed);
    }
  }

  /**
   * What the pools of one database get from their sources, which may not answer: so it holds up no
   * sweep. For one thread.
   */
  private static final class Supplying implements Runnable {
    private final DatabasePools pools;
    private final Listener listener;
    private final FailuresInARow failures = new FailuresInARow();

    Supplying(DatabasePools pools, Listener listener) {
      this.pools = pools;
      this.listener = listener;
    }

    @Override
    public void run() {
      boolean isTurn;
      try {
        isTurn = pools.supplyInTurn();
      } catch (RuntimeException e) {
        listener.supplyFailed(failures.add(e));
        return;
      }
      if (isTurn) {
        failures.end().ifPresent(listener::supplyRecovered);
      }
    }
  }

  /** The failures of one task since it succeeded last. For one thread. */
  private static final class FailuresInARow {
    private @Nullable Failures failures;
    private long firstNanos;

    Failures add(RuntimeException reason) {
      Failures before = failures;
      if (before == null) {
        firstNanos = System.nanoTime();
      }
      Failures now = new Failures(reason, before == null ? 1 : before.count + 1, sinceFirst());
      failures = now;
      return now;
    }

    /** The task has succeeded; empty if it had not failed before. */
    Optional<Failures> end() {
      Failures before = failures;
      failures = null;
      return Optional.ofNullable(before)
          .map(all -> new Failures(all.last, all.count, sinceFirst()));
    }

    private Duration sinceFirst() {
      return Duration.ofNanos(System.nanoTime() - firstNanos);
    }
  }
}
