package dev.mintmark.postgres.pool;

import static dev.mintmark.postgres.internal.Transactions.Bind.bind;

import dev.mintmark.Block;
import dev.mintmark.Quoted;
import dev.mintmark.postgres.internal.SqlFile;
import dev.mintmark.postgres.pool.PoolLayout.Window;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Lists the free values of a pool by page. Safe for use by many threads. */
final class FreeValueReader {
  /** The most positions that one page looks at, whatever it finds. */
  static final int LOOKED_AT_MAX = 16_384;

  private static final SqlFile FREE = SqlFile.load(FreeValueReader.class, "free");

  private final PoolContext context;

  FreeValueReader(PoolContext context) {
    this.context = context;
  }

  /** Reads a page, as {@link Pool#freeValues} says. */
  FreePage read(Optional<String> after, int limit) {
    if (limit < 1 || limit > Pool.PAGE_MAX) {
      throw new IllegalArgumentException(
          "limit %s: expected 1 to %s".formatted(limit, Pool.PAGE_MAX));
    }
    PoolLayout layout = context.reload().layout();
    long start = after.map(value -> positionAfter(layout, value)).orElse(0L);
    long total = layout.positions();
    long end = start + Math.min(LOOKED_AT_MAX, total - start);
    List<String> values = new ArrayList<>();
    Optional<String> last = after;
    for (Window window : layout.windows(start, end)) {
      values.addAll(free(window, limit - values.size()));
      if (values.size() == limit) {
        return new FreePage(values, Optional.of(values.get(limit - 1)));
      }
      last = Optional.of(window.block().block().valueAt(window.positions().to() - 1));
    }
    return new FreePage(values, end < total ? last : Optional.empty());
  }

  private static long positionAfter(PoolLayout layout, String value) {
    return layout
            .positionOf(value)
            .orElseThrow(
                () ->
                    new IllegalArgumentException(
                        "after is %s: expected a value of the pool, at a position below 2^63"
                            .formatted(Quoted.of(value))))
        + 1;
  }

  private List<String> free(Window window, int limit) {
    StoredBlock block = window.block();
    Block.Positions places = window.places();
    return context
        .database()
        .query(
            FREE,
            row -> block.valueAt(row.getLong("place")),
            context.poolId(),
            bind("block_id", block.id()),
            bind("from", places.from()),
            bind("to", places.to()),
            bind("limit", limit));
  }
}
