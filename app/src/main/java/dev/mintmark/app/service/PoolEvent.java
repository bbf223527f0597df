package dev.mintmark.app.service;

import dev.mintmark.postgres.pool.Pool;
import dev.mintmark.postgres.pool.PoolStats;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
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
   * The share of held values passed a threshold since the reading before.
   *
   * @param percent the threshold
   * @param share the share that is held now
   * @param isAbove whether the share is now at least the threshold; otherwise it is below
   */
  record Threshold(int percent, HeldShare share, boolean isAbove, Instant at)
      implements PoolEvent {}

  /**
   * The database does not answer. Reported once, until a reading succeeds.
   *
   * @param since when the first reading failed
   */
  record Unavailable(Instant since) implements PoolEvent {}

  /** The pool was deleted: no event follows. */
  record Deleted(Instant at) implements PoolEvent {}

  /**
   * How many values of a pool's capacity are held.
   *
   * @param held at most the capacity
   */
  record HeldShare(BigInteger held, BigInteger capacity) {
    private static final BigInteger HUNDRED = BigInteger.valueOf(100);

    public static HeldShare of(PoolStats stats) {
      PoolStats.BlockStats total = stats.total();
      return new HeldShare(total.held(), total.capacity());
    }

    /** Whether it is at least so many percent. A pool without values never is. */
    boolean isAtLeast(int percent) {
      return capacity.signum() > 0
          && held.multiply(HUNDRED).compareTo(capacity.multiply(BigInteger.valueOf(percent))) >= 0;
    }

    /** In percent with one digit, rounded down: a share below a threshold is not shown as it. */
    public BigDecimal percent() {
      return capacity.signum() == 0
          ? BigDecimal.ZERO.setScale(1)
          : new BigDecimal(held.multiply(HUNDRED))
              .divide(new BigDecimal(capacity), 1, RoundingMode.DOWN);
    }
  }
}
