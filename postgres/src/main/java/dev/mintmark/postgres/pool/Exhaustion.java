package dev.mintmark.postgres.pool;

import dev.mintmark.postgres.pool.ClaimResult.Exhausted;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * What one instance remembers of an empty pool, so that it can reject claims without a query.
 *
 * <p>A client that holds a value must not be rejected: the database would return its value. So the
 * memory has a {@linkplain ClientFilter filter} of the holders. A client that is not in the filter
 * is rejected here; a client that may be in it is looked up. The filter stays correct for as long
 * as the pool is empty, since no client can get a value of an empty pool. Each probe adds the
 * clients that got a value since the probe before (probe.sql says why tokens show them). A probe
 * lists {@value #HOLDERS_PER_PROBE} holders at most; a pool with more is remembered once several
 * probes have listed all of them.
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
   * @param isComplete whether there are no more holders than those listed up to now
   * @param lastToken all holders up to this token are listed by now
   * @param horizon claims of earlier transactions of callers were visible, or are no more
   */
  record Probe(
      boolean known,
      boolean anyFree,
      boolean enoughFree,
      Instant at,
      @Nullable Instant nextDue,
      long afterToken,
      boolean isComplete,
      long lastToken,
      long lastDrawn,
      long horizon,
      List<String> holders) {}

  /** An empty pool, as it is remembered. */
  private record Memory(Exhausted answer, ClientFilter holders, long untilNanos) {}

  /** The most holders that a probe lists: some MB of heap, where a million would take 150 MB. */
  static final int HOLDERS_PER_PROBE = 1 << 14;

  /**
   * The most holders that are remembered, for which the filter takes 64 MiB. In a pool with more
   * holders every claim is sent to the database.
   */
  static final int HOLDERS_MAX = 1 << 24;

  /** How long a pool with too many holders is not listed again. */
  private static final Duration TOO_MANY_FOR = Duration.ofMinutes(10);

  /** The time after which to claim again if it is not known when a value becomes free. */
  private static final Duration RETRY_AFTER_UNKNOWN = Duration.ofSeconds(30);

  private final String pool;
  private final AtomicLong epoch = new AtomicLong();
  private volatile @Nullable Memory memory;

  private final int holdersPerProbe;
  private final long holdersMax;
  private final LongSupplier nanoTime;

  private ClientFilter holders = new ClientFilter(0);

  /** The holders in the filter, and how many of them it had when all were listed at first. */
  private long listed;

  private OptionalLong listedAtFirst = OptionalLong.empty();
  private OptionalLong tooManySinceNanos = OptionalLong.empty();
  private long lastToken;
  private long horizon;

  Exhaustion(String pool) {
    this(pool, HOLDERS_PER_PROBE, HOLDERS_MAX, System::nanoTime);
  }

  Exhaustion(String pool, int holdersPerProbe, long holdersMax, LongSupplier nanoTime) {
    this.pool = pool;
    this.holdersPerProbe = holdersPerProbe;
    this.holdersMax = holdersMax;
    this.nanoTime = nanoTime;
  }

  int holdersPerProbe() {
    return holdersPerProbe;
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
    return Optional.ofNullable(memory).filter(known -> nanoTime.getAsLong() - known.untilNanos < 0);
  }

  /** Counts the releases seen here. Read it before a probe is sent. */
  long epoch() {
    return epoch.get();
  }

  /**
   * The greatest token whose holder is known, for the next probe. If there are too many holders, it
   * is greater than all tokens: none is listed.
   */
  synchronized long lastToken() {
    if (tooManySinceNanos.isPresent()) {
      if (nanoTime.getAsLong() - tooManySinceNanos.getAsLong() < TOO_MANY_FOR.toNanos()) {
        return Long.MAX_VALUE;
      }
      tooManySinceNanos = OptionalLong.empty();
    }
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
    if (!probe.isComplete && probe.lastToken <= lastToken) {
      // Another thread has learnt this part meanwhile.
      return answer(probe);
    }
    int more = probe.holders.size();
    if (listedAtFirst.isPresent() && listed + more > 2 * listedAtFirst.getAsLong()) {
      // Too many clients in it hold nothing any more: the next probe lists all holders.
      startOver();
      return answer(probe);
    }
    if (listed + more > holdersMax) {
      startOver();
      tooManySinceNanos = OptionalLong.of(nanoTime.getAsLong());
      return answer(probe);
    }
    add(probe.holders);
    lastToken = Math.max(lastToken, probe.lastToken);
    horizon = Math.max(horizon, probe.horizon);
    if (!probe.isComplete) {
      return answer(probe);
    }
    if (listedAtFirst.isEmpty()) {
      listedAtFirst = OptionalLong.of(Math.max(listed, ClientFilter.CAPACITY_MIN));
    }

    Exhausted answer = answer(probe);
    Duration lasts = min(Pool.REMEMBERED_FOR, answer.retryAfter());
    memory = new Memory(answer, holders, sentNanos + lasts.toNanos());
    if (epoch.get() != epochBefore) {
      memory = null;
    }
    return answer;
  }

  /**
   * While holders are listed, each filter has room for as many as those before, so that there are
   * few; what is added later goes into the last, or a larger one.
   */
  private void add(List<String> clients) {
    int more = clients.size();
    if (listed == 0) {
      holders = new ClientFilter(more);
    } else if (listedAtFirst.isEmpty() && !holders.hasRoomFor(more)) {
      holders = new ClientFilter(Math.max(more, listed), holders);
    } else if (holders.isFullWith(more)) {
      holders = new ClientFilter(Math.max(more, listed / 2), holders);
    }
    clients.forEach(holders::add);
    listed += more;
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
    listed = 0;
    listedAtFirst = OptionalLong.empty();
    tooManySinceNanos = OptionalLong.empty();
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
