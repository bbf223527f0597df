package dev.mintmark.app.view;

import dev.mintmark.postgres.pool.PoolMovedException;
import dev.mintmark.postgres.pool.PoolUnavailableException;
import dev.mintmark.postgres.pool.Pools;
import dev.mintmark.postgres.pool.UnknownPoolException;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * All pools as JSON.
 *
 * @param unreachable the databases that do not answer, of several: their pools are not listed
 */
public record PoolListJson(List<PoolJson> pools, List<String> unreachable) {
  /**
   * Reads all pools. One that is deleted meanwhile is left out; of several databases also one whose
   * database fails meanwhile, and one that two of them have.
   */
  public static PoolListJson of(Pools pools) {
    return of(pools, name -> true);
  }

  /** As {@link #of(Pools)}, of the pools with some names. */
  public static PoolListJson of(Pools pools, Predicate<String> isShown) {
    boolean areSeveral = pools.databases().size() > 1;
    List<PoolJson> shown =
        pools.names().stream()
            .filter(isShown)
            .flatMap(name -> (areSeveral ? findIn(pools, name) : find(pools, name)).stream())
            .toList();
    return new PoolListJson(shown, areSeveral ? pools.unreachable() : List.of());
  }

  /** As {@link #find}, in several databases: what one of them does keeps no other from the list. */
  private static Optional<PoolJson> findIn(Pools pools, String name) {
    try {
      return find(pools, name);
    } catch (PoolUnavailableException e) {
      return Optional.empty();
    }
  }

  /**
   * Opens a pool a second time if it was deleted or moved: it may have been created again, or is in
   * another database.
   */
  private static Optional<PoolJson> find(Pools pools, String name) {
    try {
      return Optional.of(PoolJson.of(pools.open(name)));
    } catch (UnknownPoolException | PoolMovedException forgotten) {
      try {
        return Optional.of(PoolJson.of(pools.open(name)));
      } catch (UnknownPoolException deleted) {
        return Optional.empty();
      }
    }
  }
}
