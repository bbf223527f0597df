package dev.mintmark.postgres.pool;

import static dev.mintmark.postgres.internal.Transactions.Bind.bind;

import dev.mintmark.Block.Positions;
import dev.mintmark.PoolSpec.Order;
import dev.mintmark.postgres.internal.SqlFile;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

/**
 * Draws values from the blocks of a pool: gives them rows, so that they can be claimed. The cost is
 * that of the values that are drawn, whatever the size of the block and whatever it excludes.
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

  /**
   * How many values of a block were drawn.
   *
   * @param excluded the places that are not drawn, as of that version
   */
  private record Issue(int block, long drawn, long version, Gaps excluded) {
    static Issue read(ResultSet row) throws SQLException {
      Long[] from = (Long[]) row.getArray("excluded_from").getArray();
      Long[] to = (Long[]) row.getArray("excluded_to").getArray();
      return new Issue(
          row.getInt("block_id"),
          row.getLong("drawn"),
          row.getLong("version"),
          Gaps.of(IntStream.range(0, from.length).mapToObj(i -> new Positions(from[i], to[i]))));
    }

    /** How many places of the block are drawn in all. */
    long places(StoredBlock of) {
      return of.size() - excluded.size();
    }

    long left(StoredBlock of) {
      return places(of) - drawn;
    }

    /** How many values the next draw takes. */
    int count(StoredBlock of) {
      return (int) Math.min(CHUNK, left(of));
    }

    /** The places that the next draw takes. */
    long[] next(StoredBlock of, Order order) {
      LongStream ordinals =
          order == Order.ASCENDING
              ? LongStream.range(drawn, drawn + count(of))
              : LongStream.of(Permutation.of(of.seed(), places(of)).range(drawn, count(of)));
      return ordinals.map(excluded::numberAt).toArray();
    }

    /** After the next draw. */
    Issue after(StoredBlock of) {
      return new Issue(block, drawn + count(of), version + 1, excluded);
    }
  }

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
      Issue next = issue.after(block.get());
      if (next.left(block.get()) > 0) {
        issues.add(0, next);
      }
    }
    return any;
  }

  private List<Issue> load() {
    return context.prompt().query(LOAD_ISSUE, Issue::read, context.poolId());
  }

  /** How many values became free; empty if another caller has drawn from the block meanwhile. */
  private OptionalLong draw(PoolStore.StoredPool pool, StoredBlock block, Issue issue) {
    long[] places = issue.next(block, pool.spec().order());
    return context
        .prompt()
        .queryWithoutRepeat(
            REFILL,
            row -> row.getLong("freed"),
            context.poolId(),
            bind("block_id", issue.block),
            bind("version", issue.version),
            bind("drawn", issue.after(block).drawn),
            bind("places", LongStream.of(places).boxed().toArray(Long[]::new)))
        .stream()
        .mapToLong(Long::longValue)
        .findFirst();
  }

  /** The first block, or a random one with a probability in proportion to the values left. */
  private Issue choose(List<Issue> issues, PoolStore.StoredPool pool) {
    if (pool.spec().order() == Order.ASCENDING) {
      return issues.get(0);
    }
    PoolLayout layout = pool.layout();
    double[] left =
        issues.stream()
            .mapToDouble(issue -> layout.block(issue.block).map(issue::left).orElse(0L))
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
