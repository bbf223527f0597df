package dev.mintmark.app.service;

import dev.mintmark.PoolSpec;
import dev.mintmark.postgres.pool.Pool;
import dev.mintmark.postgres.pool.PoolMovedException;
import dev.mintmark.postgres.pool.PoolStats;
import dev.mintmark.postgres.pool.PoolUnavailableException;
import dev.mintmark.postgres.pool.Pools;
import dev.mintmark.postgres.pool.UnknownPoolException;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.function.LongSupplier;

/**
 * Reads a pool again and again, and returns what changed between two readings as {@link PoolEvent}.
 * The caller reads, waits for {@link #pause}, and reads again:
 *
 * <pre>
 *   read   Standing                                 the first reading
 *   read                                            nothing changed
 *   read   Standing, Threshold                      values were claimed
 *   read   Unavailable                              the database does not answer
 *   read
 *   read   Standing                                 it answers again
 *   read   Deleted                                  no event follows
 * </pre>
 *
 * <p>A reading counts the values, which takes time in proportion to those that were issued, so the
 * pauses keep readings to a twentieth of the time. A value that was claimed while another was
 * released is seen too, by the newest token. Not thread-safe.
 */
public final class PoolWatch {
  /** The shortest pause between two readings. */
  public static final Duration PAUSE_MIN = Duration.ofSeconds(1);

  /** The longest pause after a reading that failed: so soon is an answer of the database seen. */
  private static final Duration PAUSE_AFTER_FAILURE_MAX = Duration.ofSeconds(30);

  /**
   * A pause is as many times as long as the shorter of the two readings before it: one that was
   * slow once, such as the first on a new connection, delays no event.
   */
  private static final int PAUSE_FACTOR = 20;

  private final Pools pools;
  private final InstantSource clock;
  private final LongSupplier nanoTime;
  private Pool pool;
  private Optional<Reading> last = Optional.empty();
  private Optional<Instant> unavailableSince = Optional.empty();
  private Duration lastLength = Duration.ZERO;
  private Duration pause = PAUSE_MIN;

  /** What is compared: equal readings are no change. */
  private record Reading(
      PoolSpec spec, Optional<Instant> stoppedAt, PoolStats stats, long newestToken) {
    BigDecimal usedPercent() {
      return stats.total().usedPercent();
    }
  }

  PoolWatch(Pools pools, Pool pool, InstantSource clock, LongSupplier nanoTime) {
    this.pools = pools;
    this.pool = pool;
    this.clock = clock;
    this.nanoTime = nanoTime;
  }

  /**
   * Watches a pool, by the system's clock. Nothing is read yet.
   *
   * @param pools of which it is one
   */
  public static PoolWatch of(Pools pools, Pool pool) {
    return new PoolWatch(pools, pool, InstantSource.system(), System::nanoTime);
  }

  /**
   * Reads the pool and returns what changed since the reading before: at first the whole pool.
   * Thresholds that were passed follow the pool, in the order in which they were passed.
   */
  public List<PoolEvent> read() {
    long begun = nanoTime.getAsLong();
    try {
      Reading reading = readWhereItIs();
      Duration length = since(begun);
      pause = longer(PAUSE_MIN, shorter(length, lastLength).multipliedBy(PAUSE_FACTOR));
      lastLength = length;
      return changes(reading);
    } catch (UnknownPoolException e) {
      return List.of(new PoolEvent.Deleted(now()));
    } catch (PoolUnavailableException e) {
      pause =
          longer(
              PAUSE_MIN, shorter(since(begun).multipliedBy(PAUSE_FACTOR), PAUSE_AFTER_FAILURE_MAX));
      return unavailable();
    }
  }

  /** How long to wait before the next reading. */
  public Duration pause() {
    return pause;
  }

  /** A pool that was moved to another database is read there from now on. */
  private Reading readWhereItIs() {
    try {
      return readOnce();
    } catch (PoolMovedException e) {
      pool = pools.open(pool.name());
      return readOnce();
    }
  }

  /**
   * The token is read after the counts: a claim between the two is reported by the next reading.
   */
  private Reading readOnce() {
    PoolStats stats = pool.stats();
    return new Reading(pool.spec(), pool.stoppedAt(), stats, pool.newestToken());
  }

  private List<PoolEvent> changes(Reading reading) {
    List<PoolEvent> events = new ArrayList<>();
    Instant now = now();
    if (unavailableSince.isPresent() || !last.equals(Optional.of(reading))) {
      events.add(new PoolEvent.Standing(pool, reading.stats, now));
    }
    last.ifPresent(before -> events.addAll(passed(before.usedPercent(), reading, now)));
    unavailableSince = Optional.empty();
    last = Optional.of(reading);
    return events;
  }

  private static List<PoolEvent> passed(BigDecimal before, Reading reading, Instant now) {
    BigDecimal after = reading.usedPercent();
    List<PoolEvent> passed = new ArrayList<>();
    for (int percent : reading.spec.thresholds()) {
      boolean isAbove = isAtLeast(after, percent);
      if (isAbove != isAtLeast(before, percent)) {
        passed.add(new PoolEvent.Threshold(percent, after, isAbove, now));
      }
    }
    if (passed.size() > 1
        && passed.get(0) instanceof PoolEvent.Threshold first
        && !first.isAbove()) {
      Collections.reverse(passed);
    }
    return passed;
  }

  private static boolean isAtLeast(BigDecimal usedPercent, int threshold) {
    return usedPercent.compareTo(BigDecimal.valueOf(threshold)) >= 0;
  }

  private List<PoolEvent> unavailable() {
    if (unavailableSince.isPresent()) {
      return List.of();
    }
    Instant now = now();
    unavailableSince = Optional.of(now);
    return List.of(new PoolEvent.Unavailable(now));
  }

  private Instant now() {
    return clock.instant().truncatedTo(ChronoUnit.MILLIS);
  }

  private Duration since(long begunNanos) {
    return Duration.ofNanos(nanoTime.getAsLong() - begunNanos);
  }

  private static Duration longer(Duration one, Duration other) {
    return one.compareTo(other) >= 0 ? one : other;
  }

  private static Duration shorter(Duration one, Duration other) {
    return one.compareTo(other) <= 0 ? one : other;
  }
}
