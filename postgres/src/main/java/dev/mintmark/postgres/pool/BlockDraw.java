package dev.mintmark.postgres.pool;

import static dev.mintmark.postgres.internal.Transactions.Bind.bind;

import dev.mintmark.PoolSpec.Order;
import dev.mintmark.postgres.internal.SqlFile;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.random.RandomGenerator;
import java.util.stream.LongStream;

/**
 * Draws values from the blocks of a pool: gives them rows, so that they can be claimed. The cost is
 * that of the values that are drawn, whatever the size of the block.
 *
 * <p>In random order the values come in the order of a {@linkplain Permutation permutation} that
 * the block's seed decides. So only a reader of the seed can predict the next values, and the
 * database stores only how many values were drawn.
 */
final class BlockDraw {
  /** How many values are drawn at a time. */
  static final int CHUNK = 4_096;

  private static final SqlFile LOAD_ISSUE = SqlFile.load(BlockDraw.class, "load_issue");
  private static final SqlFile REFILL = SqlFile.load(BlockDraw.class, "refill");

  private final PoolContext context;
  private final RandomGenerator random;

  BlockDraw(PoolContext context, RandomGenerator random) {
    this.context = context;
    this.random = random;
  }

  /** How many values of a block were drawn. */
  private record Issue(int block, long drawn, long version) {}

  /**
   * Draws values, unless another caller draws at the same moment. Reads the pool again if it has a
   * block that was not known.
   *
   * @param wanted how many values should become free, if so many are left
   * @return false if none is left to draw
   */
  boolean draw(long wanted) {
    PoolStore.StoredPool stored = context.stored();
    List<Issue> issues = new ArrayList<>(load());
    boolean known =
        issues.stream().allMatch(issue -> stored.layout().block(issue.block).isPresent());
    PoolStore.StoredPool pool = known ? stored : context.reload();
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

  private List<Issue> load() {
    return context
        .prompt()
        .query(
            LOAD_ISSUE,
            row -> new Issue(row.getInt("block_id"), row.getLong("drawn"), row.getLong("version")),
            context.poolId());
  }

  /** How many values became free; empty if another caller has drawn from the block meanwhile. */
  private OptionalLong draw(PoolStore.StoredPool pool, StoredBlock block, Issue issue) {
    int count = count(block, issue);
    long[] places =
        pool.spec().order() == Order.ASCENDING
            ? LongStream.range(issue.drawn, issue.drawn + count).toArray()
            : Permutation.of(block.seed(), block.size()).range(issue.drawn, count);
    return context
        .prompt()
        .queryWithoutRepeat(
            REFILL,
            row -> row.getLong("freed"),
            context.poolId(),
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

  /** The first block, or a random one with a probability in proportion to the values left. */
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
