package dev.mintmark.app.view;

import dev.mintmark.postgres.pool.Pools;
import dev.mintmark.postgres.pool.UnknownPoolException;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/** All pools as JSON. */
public record PoolListJson(List<PoolJson> pools) {
  /** Reads all pools. A pool that is deleted meanwhile is left out. */
  public static PoolListJson of(Pools pools) {
    return of(pools, name -> true);
  }

  /** As {@link #of(Pools)}, of the pools with some names. */
  public static PoolListJson of(Pools pools, Predicate<String> isShown) {
    return new PoolListJson(
        pools.names().stream()
            .filter(isShown)
            .flatMap(name -> find(pools, name).stream())
            .toList());
  }

  /** Opens a pool a second time if it was deleted, because it may have been created again. */
  private static Optional<PoolJson> find(Pools pools, String name) {
    try {
      return Optional.of(PoolJson.of(pools.open(name)));
    } catch (UnknownPoolException forgotten) {
      try {
        return Optional.of(PoolJson.of(pools.open(name)));
      } catch (UnknownPoolException deleted) {
        return Optional.empty();
      }
    }
  }
}
