package dev.mintmark.app.http;

import dev.mintmark.postgres.pool.PoolStats;
import dev.mintmark.postgres.pool.PoolStats.BlockStats;
import dev.mintmark.postgres.pool.PoolUnavailableException;
import dev.mintmark.postgres.pool.Pools;
import dev.mintmark.postgres.pool.UnknownPoolException;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.MultiGauge;
import io.micrometer.core.instrument.Tags;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.LongSupplier;

/**
 * The gauges {@code mintmark.pool.values} (tags {@code pool} and {@code state}, as the Spring Boot
 * starter has them) and {@code mintmark.pool.block.values} (and {@code block}): how many values are
 * in a state. Pools are counted at most every ten seconds. While the database does not answer there
 * are none. Thread-safe.
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
    try {
      for (String pool : pools.names().stream().limit(POOLS_MAX).toList()) {
        count(pool, poolRows, blockRows);
      }
    } catch (PoolUnavailableException e) {
      poolRows.clear();
      blockRows.clear();
    }
    ofPools.register(poolRows, true);
    ofBlocks.register(blockRows, true);
    countedNanos = nanoTime.getAsLong();
  }

  private void count(
      String pool, List<MultiGauge.Row<?>> poolRows, List<MultiGauge.Row<?>> blockRows) {
    PoolStats stats;
    try {
      stats = pools.open(pool).stats();
    } catch (UnknownPoolException e) {
      return; // It was deleted a moment ago.
    }
    Tags tags = Tags.of("pool", pool);
    addRows(tags, stats.total(), poolRows);
    stats.blocks().stream()
        .limit(BLOCKS_MAX)
        .forEach(block -> addRows(tags.and("block", block.block()), block, blockRows));
  }

  private static void addRows(Tags tags, BlockStats stats, List<MultiGauge.Row<?>> rows) {
    STATES.forEach(
        (state, count) ->
            rows.add(
                MultiGauge.Row.of(tags.and("state", state), count.apply(stats).doubleValue())));
  }
}
