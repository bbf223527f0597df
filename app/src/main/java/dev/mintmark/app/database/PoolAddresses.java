package dev.mintmark.app.database;

import dev.mintmark.postgres.pool.Pools;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import javax.sql.DataSource;

/**
 * The databases of pools.
 *
 * @param first the name of the first one; empty if it is the only one and has no name
 * @param others the addresses of the others by name, in their order
 */
public record PoolAddresses(Optional<String> first, Map<String, DatabaseAddress> others) {
  public PoolAddresses {
    others = Collections.unmodifiableMap(new LinkedHashMap<>(others));
  }

  /** Whether there are others than the first one. */
  public boolean areSeveral() {
    return !others.isEmpty();
  }

  /** The pools of the first database. */
  public Pools overFirst(DataSource connections) {
    return first
        .map(name -> Pools.over(name, connections))
        .orElseGet(() -> Pools.over(connections));
  }
}
