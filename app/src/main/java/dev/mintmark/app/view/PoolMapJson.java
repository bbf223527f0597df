package dev.mintmark.app.view;

import dev.mintmark.postgres.pool.Pool;
import dev.mintmark.postgres.pool.PoolMap;
import java.util.List;

/**
 * The states of consecutive values of a pool, as JSON.
 *
 * @param from the position of the first value, counted from 0
 * @param count how many values follow
 * @param total how many values the pool has
 * @param states one letter for each value: f free, h held, q quarantined, d draining, x excluded
 */
public record PoolMapJson(
    String pool, long from, int count, long total, List<PoolMapBlockJson> blocks, String states) {
  public static PoolMapJson of(Pool pool, PoolMap map) {
    return new PoolMapJson(
        pool.name(),
        map.from(),
        map.states().length(),
        map.total(),
        map.stretches().stream().map(PoolMapBlockJson::of).toList(),
        map.states());
  }
}
