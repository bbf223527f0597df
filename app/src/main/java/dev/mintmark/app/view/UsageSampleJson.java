package dev.mintmark.app.view;

import dev.mintmark.postgres.pool.PoolUsage;
import java.math.BigInteger;

/**
 * The fullest minute of a step, as JSON: the one with the fewest free values.
 *
 * @param at the beginning of the step
 * @param usedPercent the share of values that were not free, rounded down to one digit after the
 *     point
 */
public record UsageSampleJson(
    String at,
    BigInteger held,
    BigInteger quarantined,
    BigInteger free,
    BigInteger capacity,
    double usedPercent) {
  static UsageSampleJson of(PoolUsage.Sample sample) {
    return new UsageSampleJson(
        sample.at().toString(),
        sample.held(),
        sample.quarantined(),
        sample.free(),
        sample.capacity(),
        sample.usedPercent().doubleValue());
  }
}
