package dev.mintmark.app.http;

import dev.mintmark.PoolSpec;
import dev.mintmark.postgres.pool.Pool;
import dev.mintmark.postgres.pool.PoolStats;
import dev.mintmark.postgres.pool.PoolStats.BlockStats;
import dev.mintmark.postgres.pool.PoolUnavailableException;
import dev.mintmark.postgres.pool.Pools;
import dev.mintmark.postgres.pool.UnknownPoolException;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.MultiGauge;
import io.micrometer.core.instrument.Tags;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.LongSupplier;

/**
 * The gauges {@code mintmark.pool.values} (tags {@code pool} and {@code state}, as the Spring Boot
 * starter has them) and {@code mintmark.pool.block.values} (and {@code block}): how many values are
 * in a state; and {@code mintmark.pool.thresholds.passed}: how many thresholds of the pool its
 * share of used values has reached. Pools are counted at most every ten seconds. While the database
 * does not answer there are none. Thread-safe.
 */
final class PoolMeters {
  /** The pools that are counted, the first by name: each costs a statement. */
  static final int POOLS_MAX = 1_000;

  /** The blocks of a pool that have gauges of their own, the first that were added. */
  static final int BLOCKS_MAX = 100;

  private static final long RECENT_NANOS = 10_000_000_000L;

  private static final Map<String, Function<BlockStats, BigInteger>> STATES =
      Map.of(
          "free", BlockStats::free,
          "held", BlockStats::held,
          "quarantined", BlockStats::quarantined,
          "draining", BlockStats::draining);

  private final Pools pools;
  private final LongSupplier nanoTime;
  private final MultiGauge ofPools;
  private final MultiGauge ofBlocks;
  private final MultiGauge ofThresholds;
  private long countedNanos;

  /**
   * @param nanoTime the clock
   */
  PoolMeters(MeterRegistry registry, Pools pools, LongSupplier nanoTime) {
    this.pools = pools;
    this.nanoTime = nanoTime;
    this.ofPools =
        MultiGauge.builder("mintmark.pool.values")
            .description("Values of a pool by state")
            .register(registry);
    this.ofBlocks =
        MultiGauge.builder("mintmark.pool.block.values")
            .description("Values of a block by state")
            .register(registry);
    this.ofThresholds =
        MultiGauge.builder("mintmark.pool.thresholds.passed")
            .description("Thresholds of a pool that its used values have reached")
            .register(registry);
    this.countedNanos = nanoTime.getAsLong() - RECENT_NANOS;
  }

  /** Counts the pools, unless they were counted a moment ago. */
  synchronized void refresh() {
    long now = nanoTime.getAsLong();
    if (now - countedNanos < RECENT_NANOS) {
      return;
    }
    List<MultiGauge.Row<?>> poolRows = new ArrayList<>();
    List<MultiGauge.Row<?>> blockRows = new ArrayList<>();
    List<MultiGauge.Row<?>> thresholdRows = new ArrayList<>();
    try {
      for (String pool : pools.names().stream().limit(POOLS_MAX).toList()) {
        count(pool, poolRows, blockRows, thresholdRows);
      }
    } catch (PoolUnavailableException e) {
      poolRows.clear();
      blockRows.clear();
      thresholdRows.clear();
    }
    ofPools.register(poolRows, true);
    ofBlocks.register(blockRows, true);
    ofThresholds.register(thresholdRows, true);
    countedNanos = nanoTime.getAsLong();
  }

  private void count(
      String pool,
      List<MultiGauge.Row<?>> poolRows,
      List<MultiGauge.Row<?>> blockRows,
      List<MultiGauge.Row<?>> thresholdRows) {
    Pool open;
    PoolStats stats;
    try {
      open = pools.open(pool);
      stats = open.stats();
    } catch (UnknownPoolException e) {
      return; // It was deleted a moment ago.
    } catch (PoolUnavailableException e) {
      if (pools.databases().size() > 1) {
        return; // The pools of the other databases are counted.
      }
      throw e;
    }
    Tags tags = Tags.of("pool", pool);
    addRows(tags, stats.total(), poolRows);
    thresholdRows.add(MultiGauge.Row.of(tags, passed(open.spec(), stats.total())));
    stats.blocks().stream()
        .limit(BLOCKS_MAX)
        .forEach(block -> addRows(tags.and("block", block.block()), block, blockRows));
  }

  private static long passed(PoolSpec spec, BlockStats total) {
    BigDecimal used = total.usedPercent();
    return spec.thresholds().stream()
        .filter(threshold -> used.compareTo(BigDecimal.valueOf(threshold)) >= 0)
        .count();
  }

  private static void addRows(Tags tags, BlockStats stats, List<MultiGauge.Row<?>> rows) {
    STATES.forEach(
        (state, count) ->
            rows.add(
                MultiGauge.Row.of(tags.and("state", state), count.apply(stats).doubleValue())));
  }
}
