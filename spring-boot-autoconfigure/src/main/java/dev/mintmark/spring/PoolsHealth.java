package dev.mintmark.spring;

import dev.mintmark.PoolSpec;
import dev.mintmark.postgres.pool.Pool;
import dev.mintmark.postgres.pool.PoolStats;
import dev.mintmark.postgres.pool.PoolUnavailableException;
import dev.mintmark.postgres.pool.Pools;
import dev.mintmark.postgres.pool.UnknownPoolException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.springframework.boot.health.contributor.AbstractHealthIndicator;
import org.springframework.boot.health.contributor.Health;

/**
 * Whether the database of the pools answers, of several the first, and how many values of each pool
 * are left. An exhausted or stopped pool is shown, and is not down: no instance would serve it
 * better. A pool of another database that does not answer is shown with the error, because the
 * others can be used.
 */
final class PoolsHealth extends AbstractHealthIndicator {
  private final Pools pools;
  private final List<PoolSpec> specs;

  PoolsHealth(Pools pools, List<PoolSpec> specs) {
    super("The pools cannot be read");
    this.pools = pools;
    this.specs = specs;
  }

  @Override
  protected void doHealthCheck(Health.Builder health) {
    for (PoolSpec spec : specs) {
      health.withDetail(spec.name(), details(spec));
    }
    health.up();
  }

  private Object details(PoolSpec spec) {
    try {
      return details(pools.open(spec.name()));
    } catch (PoolUnavailableException | UnknownPoolException e) {
      if (!DeclaredPools.isOfAnotherDatabase(spec, pools)) {
        throw e;
      }
      return Map.of("error", String.valueOf(e.getMessage()));
    }
  }

  private static Map<String, Object> details(Pool pool) {
    PoolStats.BlockStats total = pool.stats().total();
    Map<String, Object> details = new LinkedHashMap<>();
    details.put("free", total.free());
    details.put("held", total.held());
    details.put("quarantined", total.quarantined());
    pool.stoppedAt().ifPresent(since -> details.put("stoppedAt", since.toString()));
    return details;
  }
}
