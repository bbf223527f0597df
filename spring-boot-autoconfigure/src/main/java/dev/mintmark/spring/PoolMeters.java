package dev.mintmark.spring;

import dev.mintmark.PoolSpec;
import dev.mintmark.postgres.pool.PoolStats;
import dev.mintmark.postgres.pool.PoolStats.BlockStats;
import dev.mintmark.postgres.pool.PoolUnavailableException;
import dev.mintmark.postgres.pool.Pools;
import dev.mintmark.postgres.pool.UnknownPoolException;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.math.BigInteger;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The gauge {@code mintmark.pool.values}: how many values of a pool are in a state, with the tags
 * {@code pool} and {@code state} (free, held, quarantined, draining). A pool is counted once for
 * all of its states, and at most every ten seconds. Not a number while the database does not
 * answer.
 */
final class PoolMeters implements MeterBinder {
  private static final long COUNTED_FOR_NANOS = 10_000_000_000L;

  private static final Map<String, Function<BlockStats, BigInteger>> STATES =
      Map.of(
          "free", BlockStats::free,
          "held", BlockStats::held,
          "quarantined", BlockStats::quarantined,
          "draining", BlockStats::draining);

  private final Pools pools;
  private final List<PoolSpec> specs;
  private final Map<String, Count> counts = new ConcurrentHashMap<>();

  private record Count(@Nullable PoolStats stats, long nanos) {
    boolean isRecent() {
      return System.nanoTime() - nanos < COUNTED_FOR_NANOS;
    }
  }

  PoolMeters(Pools pools, List<PoolSpec> specs) {
    this.pools = pools;
    this.specs = specs;
  }

  @Override
  public void bindTo(MeterRegistry registry) {
    for (PoolSpec spec : specs) {
      STATES.forEach(
          (state, value) ->
              Gauge.builder("mintmark.pool.values", () -> value(spec.name(), value))
                  .description("Values of a pool by state")
                  .tag("pool", spec.name())
                  .tag("state", state)
                  .register(registry));
    }
  }

  private double value(String pool, Function<BlockStats, BigInteger> value) {
    Count count = counts.compute(pool, this::recent);
    PoolStats stats = count.stats;
    return stats == null ? Double.NaN : value.apply(stats.total()).doubleValue();
  }

  private Count recent(String pool, @Nullable Count before) {
    return before != null && before.isRecent() ? before : new Count(count(pool), System.nanoTime());
  }

  private @Nullable PoolStats count(String pool) {
    try {
      return pools.open(pool).stats();
    } catch (PoolUnavailableException | UnknownPoolException e) {
      return null;
    }
  }
}
