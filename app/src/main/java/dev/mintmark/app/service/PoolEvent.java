package dev.mintmark.app.service;

import dev.mintmark.postgres.pool.Pool;
import dev.mintmark.postgres.pool.PoolStats;
import dev.mintmark.postgres.pool.PoolUsage;
import java.math.BigDecimal;
import java.time.Instant;

/** What a {@link PoolWatch} saw of a pool. */
public sealed interface PoolEvent {
  /**
   * The pool as it is now: the first reading, a change since the reading before, or the first
   * reading after {@link Unavailable}.
   *
   * @param stats its counts, in one snapshot
   */
  record Standing(Pool pool, PoolStats stats, Instant at) implements PoolEvent {}

  /**
   * The share of used values (those that are not free) passed a threshold since the reading before.
   *
   * @param percent the threshold
   * @param usedPercent the share that is used now, as {@link PoolUsage#usedPercent}
   * @param isAbove whether the share is now at least the threshold; otherwise it is below
   */
  record Threshold(int percent, BigDecimal usedPercent, boolean isAbove, Instant at)
      implements PoolEvent {}

  /**
   * The database does not answer. Reported once, until a reading succeeds.
   *
   * @param since when the first reading failed
   */
  record Unavailable(Instant since) implements PoolEvent {}

  /** The pool was deleted: no event follows. */
  record Deleted(Instant at) implements PoolEvent {}
}
