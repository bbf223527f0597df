package dev.mintmark.postgres.pool;

import dev.mintmark.postgres.pool.ClaimResult.Exhausted;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * What one instance remembers of an empty pool, so that the many who ask in vain need not ask the
 * database.
 *
 * <p>Turning a client away unasked must not turn away one who holds a value already: it would be
 * told so by the database. So the memory keeps, beside "empty", a {@linkplain ClientFilter filter}
 * of the holders. Who is not in it is turned away here; who may be in it asks. The filter stays
 * true for as long as the pool is empty, since nobody can come to hold a value of an empty pool;
 * each probe adds those who have come to hold one since the probe before (see probe.sql for why a
 * token tells).
 *
 * <p>The memory lasts {@link Pool#REMEMBERED_FOR}, less where a value is due before. A release
 * through this instance ends it at once; the epoch makes sure that a probe which was under way at
 * that moment does not bring it back.
 *
 * <p>Many threads may ask; one at a time may learn.
 */
final class Exhaustion {
  /** What a probe saw. */
  record Probe(
      boolean known,
      boolean anyFree,
      Instant at,
      @Nullable Instant nextDue,
      long lastToken,
      long lastDrawn,
      List<String> holders) {}

  /** An empty pool, as it is remembered. */
  private record Memory(Exhausted answer, ClientFilter holders, long untilNanos) {}

  /**
   * How many holders are remembered at most, as many as a filter of 4 MiB is good for. In a pool
   * that has more, clients always ask.
   */
  static final int HOLDERS_MAX = 1 << 20;

  /** What a client is told to wait where nothing says when a value will be free. */
  private static final Duration RETRY_AFTER_UNKNOWN = Duration.ofSeconds(30);

  private final String pool;
  private final AtomicLong epoch = new AtomicLong();
  private volatile @Nullable Memory memory;

  private ClientFilter holders = new ClientFilter(0);
  private long lastToken;

  Exhaustion(String pool) {
    this.pool = pool;
  }

  /** The answer for a client that need not ask the database, if it is known to be in vain. */
  Optional<Exhausted> rejection(String client) {
    return remembered()
        .filter(known -> !known.holders.mayContain(client))
        .map(known -> known.answer);
  }

  /** The answer for a client that has asked the database and was not found to hold a value. */
  Optional<Exhausted> rejection() {
    return remembered().map(known -> known.answer);
  }

  private Optional<Memory> remembered() {
    return Optional.ofNullable(memory).filter(known -> System.nanoTime() - known.untilNanos < 0);
  }

  /** Counts the releases seen here; to be read before a probe is sent. */
  long epoch() {
    return epoch.get();
  }

  /** The greatest token whose holder is known, for the next probe. */
  long lastToken() {
    return lastToken;
  }

  /** A value can be had again: it was given back through this instance, or another one tells so. */
  void forget() {
    epoch.incrementAndGet();
    memory = null;
  }

  /**
   * Remembers an empty pool, unless a value was given back since {@code epochBefore} was read.
   *
   * @param sentNanos {@link System#nanoTime} before the probe was sent
   */
  Exhausted learn(Probe probe, long epochBefore, long sentNanos) {
    if (probe.lastDrawn < lastToken) {
      // The database was set back to before some of those in it came.
      startOver();
      return answer(probe);
    }
    if (lastToken == 0) {
      holders = new ClientFilter(probe.holders.size());
    }
    if (probe.holders.size() > HOLDERS_MAX) {
      return answer(probe);
    }
    if (holders.isFullWith(probe.holders.size())) {
      // Too many of those in it have left: the next probe lists all who are there.
      startOver();
      return answer(probe);
    }
    probe.holders.forEach(holders::add);
    lastToken = Math.max(lastToken, probe.lastToken);

    Exhausted answer = answer(probe);
    Duration lasts = min(Pool.REMEMBERED_FOR, answer.retryAfter());
    memory = new Memory(answer, holders, sentNanos + lasts.toNanos());
    if (epoch.get() != epochBefore) {
      memory = null;
    }
    return answer;
  }

  private void startOver() {
    holders = new ClientFilter(0);
    lastToken = 0;
  }

  /** The answer to one who found nothing free. */
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
