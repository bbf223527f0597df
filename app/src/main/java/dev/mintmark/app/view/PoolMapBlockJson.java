package dev.mintmark.app.view;

import dev.mintmark.ValueList;
import dev.mintmark.postgres.pool.PoolMap;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The part of a block that a map covers, as JSON.
 *
 * @param from the position in the pool of the first value that is covered
 * @param first the first value that is covered; others follow it without a gap
 * @param values the values of a list, which have no order of their own; null for other blocks
 */
record PoolMapBlockJson(
    String block, long from, int count, String first, @Nullable List<String> values) {
  static PoolMapBlockJson of(PoolMap.Stretch stretch) {
    return new PoolMapBlockJson(
        stretch.block().toString(),
        stretch.from(),
        stretch.count(),
        stretch.first(),
        stretch.block() instanceof ValueList list ? listed(list, stretch) : null);
  }

  private static List<String> listed(ValueList list, PoolMap.Stretch stretch) {
    int first = (int) list.positionOf(stretch.first()).orElseThrow();
    return list.values().subList(first, first + stretch.count());
  }
}
