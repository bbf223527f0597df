package dev.mintmark.postgres.pool;

import dev.mintmark.postgres.pool.ClaimResult.Exhausted;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * What one instance remembers of an empty pool, so that it can reject claims without a query.
 *
 * <p>A client that holds a value must not be rejected: the database would return its value. So the
 * memory has a {@linkplain ClientFilter filter} of the holders. A client that is not in the filter
 * is rejected here; a client that may be in it is looked up. The filter stays correct for as long
 * as the pool is empty, since no client can get a value of an empty pool. Each probe adds the
 * clients that got a value since the probe before (probe.sql says why tokens show them).
 *
 * <p>The memory lasts {@link Pool#REMEMBERED_FOR}, or until a value becomes free if that is sooner.
 * A release through this instance ends it at once. The epoch prevents a probe that was in progress
 * at that moment from restoring it.
 *
 * <p>Safe for use by many threads.
 */
final class Exhaustion {
  /**
   * The result of a probe.
   *
   * @param enoughFree whether as many values are free as the claim lacks
   * @param afterToken only holders with a greater token are listed, and those whose transactions
   *     were not before the horizon of the probe before
   * @param horizon claims of earlier transactions of callers were visible, or are no more
   */
  record Probe(
      boolean known,
      boolean anyFree,
      boolean enoughFree,
      Instant at,
      @Nullable Instant nextDue,
      long afterToken,
      long lastToken,
      long lastDrawn,
      long horizon,
      List<String> holders) {}

  /** An empty pool, as it is remembered. */
  private record Memory(Exhausted answer, ClientFilter holders, long untilNanos) {}

  /**
   * The most holders that are remembered, for which a filter takes 4 MiB. In a pool with more
   * holders every claim is sent to the database.
   */
  static final int HOLDERS_MAX = 1 << 20;

  /** The time after which to claim again if it is not known when a value becomes free. */
  private static final Duration RETRY_AFTER_UNKNOWN = Duration.ofSeconds(30);

  private final String pool;
  private final AtomicLong epoch = new AtomicLong();
  private volatile @Nullable Memory memory;

  private ClientFilter holders = new ClientFilter(0);
  private long lastToken;
  private long horizon;

  Exhaustion(String pool) {
    this.pool = pool;
  }

  /** The answer for a client that holds no value, if the pool is known to be empty. */
  Optional<Exhausted> rejection(String client) {
    return remembered()
        .filter(known -> !known.holders.mayContain(client))
        .map(known -> known.answer);
  }

  /** The answer for a client that holds no value according to the database, if it is known. */
  Optional<Exhausted> rejection() {
    return remembered().map(known -> known.answer);
  }

  private Optional<Memory> remembered() {
    return Optional.ofNullable(memory).filter(known -> System.nanoTime() - known.untilNanos < 0);
  }

  /** Counts the releases seen here. Read it before a probe is sent. */
  long epoch() {
    return epoch.get();
  }

  /** The greatest token whose holder is known, for the next probe. */
  synchronized long lastToken() {
    return lastToken;
  }

  /** The horizon of the last probe: later claims in transactions of callers were not seen. */
  synchronized long horizon() {
    return horizon;
  }

  /** A value is free again: it was released through this instance, or another one reports it. */
  void forget() {
    epoch.incrementAndGet();
    memory = null;
  }

  /**
   * Remembers an empty pool, unless a value was released since {@code epochBefore} was read.
   *
   * @param sentNanos {@link System#nanoTime} before the probe was sent
   */
  synchronized Exhausted learn(Probe probe, long epochBefore, long sentNanos) {
    if (probe.lastDrawn < lastToken) {
      // The database was restored to a time before some of these holders claimed.
      startOver();
      return answer(probe);
    }
    if (probe.afterToken > lastToken) {
      // Another thread has started over since this probe was sent: it lists too few holders.
      return answer(probe);
    }
    if (lastToken == 0) {
      holders = new ClientFilter(probe.holders.size());
    }
    if (probe.holders.size() > HOLDERS_MAX) {
      return answer(probe);
    }
    if (holders.isFullWith(probe.holders.size())) {
      // Too many clients in it hold nothing any more: the next probe lists all holders.
      startOver();
      return answer(probe);
    }
    probe.holders.forEach(holders::add);
    lastToken = Math.max(lastToken, probe.lastToken);
    horizon = Math.max(horizon, probe.horizon);

    Exhausted answer = answer(probe);
    Duration lasts = min(Pool.REMEMBERED_FOR, answer.retryAfter());
    memory = new Memory(answer, holders, sentNanos + lasts.toNanos());
    if (epoch.get() != epochBefore) {
      memory = null;
    }
    return answer;
  }

  /**
   * The database has begun another history, in which others may hold values: the next probe lists
   * all holders.
   */
  synchronized void forgetHolders() {
    forget();
    startOver();
  }

  private void startOver() {
    holders = new ClientFilter(0);
    lastToken = 0;
    horizon = 0;
  }

  /** The answer for a client that got no value. */
  Exhausted answer(Probe probe) {
    Duration retryAfter = RETRY_AFTER_UNKNOWN;
    if (probe.nextDue != null) {
      Duration untilDue = Duration.between(probe.at, probe.nextDue);
      retryAfter = untilDue.isNegative() ? Duration.ZERO : untilDue;
    }
    return new Exhausted(pool, probe.at, retryAfter);
  }

  private static Duration min(Duration a, Duration b) {
    return a.compareTo(b) <= 0 ? a : b;
  }
}
