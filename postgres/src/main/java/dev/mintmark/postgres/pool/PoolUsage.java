package dev.mintmark.postgres.pool;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/**
 * How full a pool was, over time.
 *
 * @param step the length of time that a sample stands for
 * @param samples in ascending order; a step in which nothing was recorded has none
 */
public record PoolUsage(Duration step, List<Sample> samples) {
  public PoolUsage {
    samples = List.copyOf(samples);
  }

  /**
   * The fullest minute of a step: the one with the fewest free values.
   *
   * @param at the beginning of the step
   * @param held values that clients held
   * @param quarantined values that were quarantined
   * @param free values that could be claimed
   * @param capacity all values of the pool
   */
  public record Sample(
      Instant at, BigInteger held, BigInteger quarantined, BigInteger free, BigInteger capacity) {
    /** The share of values that were not free, as {@link PoolUsage#usedPercent}. */
    public BigDecimal usedPercent() {
      return PoolUsage.usedPercent(free, capacity);
    }
  }

  /**
   * Returns the share of values that are not free in percent: held, quarantined or draining. It is
   * rounded down to one digit after the point, so 100 means that none is free. 0 if there are no
   * values.
   */
  public static BigDecimal usedPercent(BigInteger free, BigInteger capacity) {
    return capacity.signum() == 0
        ? BigDecimal.ZERO.setScale(1)
        : new BigDecimal(capacity.subtract(free))
            .movePointRight(2)
            .divide(new BigDecimal(capacity), 1, RoundingMode.DOWN);
  }
}
