package dev.mintmark.postgres.pool;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.function.IntConsumer;

/**
 * Notifies other instances that pools have free values again, but not more often than every {@link
 * #INTERVAL} for one pool. PostgreSQL delivers a notification to every session that listens: with
 * 150 listeners it commits some 600 transactions with one a second, and a busy pool at its limit
 * would send one for each release.
 *
 * <pre>
 *   notify   first: send    second, third: held back      end of the interval: send one
 *   state    QUIET          WAITING                       QUIET, and none an interval later
 * </pre>
 *
 * <p>The notification that is sent at the end of an interval was asked for before, so it follows
 * every release that it stands for. Safe for use by many threads.
 */
final class PoolNotices {
  /** The least time between two notifications of a pool. */
  static final Duration INTERVAL = Duration.ofMillis(50);

  private final IntConsumer send;
  private final Executor later;

  /** The pools that were notified within the interval. */
  private final Map<Integer, State> recent = new ConcurrentHashMap<>();

  private enum State {
    /** Nothing was asked for since. */
    QUIET,
    /** A notification is held back. */
    WAITING
  }

  /**
   * @param send sends a notification with the id of a pool
   * @param executor runs it when an interval is over
   */
  PoolNotices(IntConsumer send, Executor executor) {
    this.send = send;
    this.later =
        CompletableFuture.delayedExecutor(INTERVAL.toMillis(), TimeUnit.MILLISECONDS, executor);
  }

  /** Sends a notification at once, or with others at the end of the interval. */
  void send(int poolId) {
    if (recent.merge(poolId, State.QUIET, (state, first) -> State.WAITING) == State.QUIET) {
      sendNow(poolId);
    }
  }

  /** Sends what is held back. */
  void flush() {
    recent.forEach(
        (poolId, state) -> {
          if (recent.remove(poolId, State.WAITING)) {
            send.accept(poolId);
          }
        });
  }

  private void sendNow(int poolId) {
    try {
      send.accept(poolId);
    } finally {
      later.execute(() -> endInterval(poolId));
    }
  }

  private void endInterval(int poolId) {
    State next =
        recent.computeIfPresent(poolId, (id, state) -> state == State.WAITING ? State.QUIET : null);
    if (next == State.QUIET) {
      sendNow(poolId);
    }
  }
}
