package dev.mintmark.postgres.pool;

import static dev.mintmark.postgres.pool.PoolDatabase.Bind.bind;

import dev.mintmark.PoolSpec.Order;
import dev.mintmark.postgres.internal.SqlFile;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
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
   * Draws values, unless somebody else does at the same moment.
   *
   * @param stored the pool as last read
   * @param reload reads it again, where it turns out to have a block that was not known
   * @param wanted how many values should become free, if there are so many
   * @return false if there is none left to draw
   */
  boolean draw(PoolStore.StoredPool stored, Supplier<PoolStore.StoredPool> reload, long wanted) {
    PoolStore.StoredPool pool = stored;
    List<Issue> issues = new ArrayList<>(load(pool));
    if (issues.stream().anyMatch(issue -> stored.layout().block(issue.block).isEmpty())) {
      pool = reload.get();
    }
    boolean any = !issues.isEmpty();
    long freed = 0;
    while (freed < wanted && !issues.isEmpty()) {
      Issue issue = choose(issues, pool);
      issues.remove(issue);
      Optional<StoredBlock> block = pool.layout().block(issue.block);
      if (block.isEmpty()) {
        continue;
      }
      OptionalLong drawn = draw(pool, block.get(), issue);
      if (drawn.isEmpty()) {
        return true;
      }
      freed += drawn.getAsLong();
      long next = issue.drawn + count(block.get(), issue);
      if (next < block.get().size()) {
        issues.add(0, new Issue(issue.block, next, issue.version + 1));
      }
    }
    return any;
  }

  private List<Issue> load(PoolStore.StoredPool pool) {
    return database.query(
        pool.spec().name(),
        LOAD_ISSUE,
        row -> new Issue(row.getInt("block_id"), row.getLong("drawn"), row.getLong("version")),
        bind("pool_id", pool.id()));
  }

  /** How many values became free; empty if somebody else has drawn from the block meanwhile. */
  private OptionalLong draw(PoolStore.StoredPool pool, StoredBlock block, Issue issue) {
    int count = count(block, issue);
    long[] places =
        pool.spec().order() == Order.ASCENDING
            ? LongStream.range(issue.drawn, issue.drawn + count).toArray()
            : Permutation.of(block.seed(), block.size()).range(issue.drawn, count);
    return database
        .queryWithoutRepeat(
            pool.spec().name(),
            REFILL,
            row -> row.getLong("freed"),
            bind("pool_id", pool.id()),
            bind("block_id", issue.block),
            bind("version", issue.version),
            bind("drawn", issue.drawn + count),
            bind("places", LongStream.of(places).boxed().toArray(Long[]::new)))
        .stream()
        .mapToLong(Long::longValue)
        .findFirst();
  }

  private static int count(StoredBlock block, Issue issue) {
    return (int) Math.min(CHUNK, block.size() - issue.drawn);
  }

  /** The first of the blocks, or one by the share of what is left that is in it. */
  private Issue choose(List<Issue> issues, PoolStore.StoredPool pool) {
    if (pool.spec().order() == Order.ASCENDING) {
      return issues.get(0);
    }
    PoolLayout layout = pool.layout();
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
