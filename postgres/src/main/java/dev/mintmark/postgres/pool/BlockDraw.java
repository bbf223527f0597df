package dev.mintmark.postgres.pool;

import static dev.mintmark.postgres.pool.PoolDatabase.Bind.bind;

import dev.mintmark.PoolSpec.Order;
import dev.mintmark.postgres.internal.SqlFile;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import java.util.stream.LongStream;

/**
 * Draws values from the blocks of a pool, so that they have rows and can be claimed. A block of any
 * size costs what is drawn from it.
 *
 * <p>In random order the values come in the order of a {@linkplain Permutation permutation} that
 * the block's seed decides, so nobody who does not know that can tell which are next, and none has
 * to be remembered as drawn but how many were.
 */
final class BlockDraw {
  /** How many values are drawn at a time. */
  static final int CHUNK = 4_096;

  private static final SqlFile LOAD_ISSUE = SqlFile.load(BlockDraw.class, "load_issue");
  private static final SqlFile REFILL = SqlFile.load(BlockDraw.class, "refill");

  private final PoolDatabase database;
  private final RandomGenerator random;

  BlockDraw(PoolDatabase database, RandomGenerator random) {
    this.database = database;
    this.random = random;
  }

  /** How far a block is drawn. */
  private record Issue(int block, long drawn, long version) {}

  /**
   * Draws values from one block, unless somebody else does at the same moment.
   *
   * @param stored the pool as last read
   * @param reload reads it again, where it turns out to have a block that was not known
   * @return false if there is none left to draw
   */
  boolean draw(PoolStore.Stored stored, Supplier<PoolStore.Stored> reload) {
    PoolStore.Stored pool = stored;
    String name = pool.spec().name();
    boolean ascending = pool.spec().order() == Order.ASCENDING;
    while (true) {
      List<Issue> issues =
          database.query(
              name,
              LOAD_ISSUE,
              row ->
                  new Issue(row.getInt("block_id"), row.getLong("drawn"), row.getLong("version")),
              bind("pool_id", pool.id()));
      if (issues.isEmpty()) {
        return false;
      }
      Issue issue = ascending ? issues.get(0) : choose(issues, pool.layout());
      Optional<StoredBlock> block = pool.layout().block(issue.block);
      if (block.isEmpty()) {
        pool = reload.get();
        continue;
      }
      int count = (int) Math.min(CHUNK, block.get().size() - issue.drawn);
      long[] places =
          ascending
              ? LongStream.range(issue.drawn, issue.drawn + count).toArray()
              : Permutation.of(block.get().seed(), block.get().size()).range(issue.drawn, count);
      List<Long> freed =
          database.queryWithoutRepeat(
              name,
              REFILL,
              row -> row.getLong("freed"),
              bind("pool_id", pool.id()),
              bind("block_id", issue.block),
              bind("version", issue.version),
              bind("drawn", issue.drawn + count),
              bind("places", LongStream.of(places).boxed().toArray(Long[]::new)));
      if (freed.isEmpty() || freed.get(0) > 0) {
        return true;
      }
      // All of them had been claimed by name before: go on to the next.
    }
  }

  /** One of the blocks, by the share of what is left that is in it. */
  private Issue choose(List<Issue> issues, PoolLayout layout) {
    double[] left =
        issues.stream()
            .mapToDouble(
                issue ->
                    layout.block(issue.block).map(block -> block.size() - issue.drawn).orElse(0L))
            .toArray();
    double place = random.nextDouble() * Arrays.stream(left).sum();
    for (int i = 0; i < left.length; i++) {
      if (place < left[i]) {
        return issues.get(i);
      }
      place -= left[i];
    }
    return issues.get(0);
  }
}
