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
import java.util.Optional;
import java.util.function.Function;

/**
 * The gauge {@code mintmark.pool.values}: how many values of a pool are in a state, with the tags
 * {@code pool} and {@code state} (free, held, quarantined, draining). A pool is counted once for
 * all of its states, and at most every ten seconds. Not a number while the database does not
 * answer.
 */
final class PoolMeters implements MeterBinder {
  private static final Map<String, Function<BlockStats, BigInteger>> STATES =
      Map.of(
          "free", BlockStats::free,
          "held", BlockStats::held,
          "quarantined", BlockStats::quarantined,
          "draining", BlockStats::draining);

  private final Pools pools;
  private final List<PoolSpec> specs;
  private final RecentValues<Optional<PoolStats>> counts = new RecentValues<>();

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
    return counts
        .get(pool, () -> count(pool))
        .map(stats -> value.apply(stats.total()).doubleValue())
        .orElse(Double.NaN);
  }

  private Optional<PoolStats> count(String pool) {
    try {
      return Optional.of(pools.open(pool).stats());
    } catch (PoolUnavailableException | UnknownPoolException e) {
      return Optional.empty();
    }
  }
}
