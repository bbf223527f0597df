package dev.mintmark.app.view;

import dev.mintmark.DurationText;
import dev.mintmark.postgres.pool.Pool;
import dev.mintmark.postgres.pool.PoolUsage;
import java.time.Instant;
import java.util.List;

/**
 * How full a pool was, over time, as JSON.
 *
 * @param step the length of time that a sample stands for
 * @param thresholds of the pool, in percent
 * @param samples in ascending order; a step in which nothing was recorded has none
 */
public record PoolUsageJson(
    String pool,
    String from,
    String until,
    String step,
    List<Integer> thresholds,
    List<UsageSampleJson> samples) {
  public static PoolUsageJson of(Pool pool, Instant from, Instant until, PoolUsage usage) {
    return new PoolUsageJson(
        pool.name(),
        from.toString(),
        until.toString(),
        DurationText.format(usage.step()),
        pool.spec().thresholds(),
        usage.samples().stream().map(UsageSampleJson::of).toList());
  }
}
