package dev.mintmark.postgres.pool;

import dev.mintmark.Block.Positions;
import dev.mintmark.PoolSpec.Order;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

/**
 * How many values of a block were drawn, as load_issue.sql reads it, and which come next. In random
 * order the values come in the order of a {@linkplain Permutation permutation} that the block's
 * seed decides. Immutable.
 *
 * @param version of the block
 * @param excluded the places that are not drawn, as of that version
 */
record BlockIssue(int block, long drawn, long version, Order order, Gaps excluded) {
  /** The most values of one draw. */
  static final int CHUNK = 4_096;

  static BlockIssue read(ResultSet row) throws SQLException {
    Long[] from = (Long[]) row.getArray("excluded_from").getArray();
    Long[] to = (Long[]) row.getArray("excluded_to").getArray();
    return new BlockIssue(
        row.getInt("block_id"),
        row.getLong("drawn"),
        row.getLong("version"),
        Order.valueOf(row.getString("value_order").toUpperCase(Locale.ROOT)),
        Gaps.of(IntStream.range(0, from.length).mapToObj(i -> new Positions(from[i], to[i]))));
  }

  /** How many places of the block are left to draw. */
  long left(StoredBlock of) {
    return of.size() - excluded.size() - drawn;
  }

  /** The next draw from a block: at most {@link #CHUNK} values. */
  record Draw(BlockIssue issue, StoredBlock block) {
    int count() {
      return (int) Math.min(CHUNK, issue.left(block));
    }

    /** The places that are drawn, in their order. */
    long[] places() {
      LongStream ordinals =
          issue.order == Order.ASCENDING
              ? LongStream.range(issue.drawn, issue.drawn + count())
              : LongStream.of(
                  Permutation.of(block.seed(), block.size() - issue.excluded.size())
                      .range(issue.drawn, count()));
      return ordinals.map(issue.excluded::numberAt).toArray();
    }

    boolean leavesAny() {
      return after().left(block) > 0;
    }

    BlockIssue after() {
      return new BlockIssue(
          issue.block, issue.drawn + count(), issue.version + 1, issue.order, issue.excluded);
    }
  }

  /**
   * Takes the next blocks to draw from out of a list, for as many values as are wanted. Drops
   * blocks that the layout does not have, or that have nothing left.
   */
  static List<Draw> choose(
      List<BlockIssue> issues, PoolLayout layout, long wanted, RandomGenerator random) {
    List<Draw> draws = new ArrayList<>();
    long count = 0;
    while (count < wanted && !issues.isEmpty()) {
      BlockIssue issue = choose(issues, layout, random);
      issues.remove(issue);
      Optional<StoredBlock> block = layout.block(issue.block);
      if (block.isPresent() && issue.left(block.get()) > 0) {
        Draw draw = new Draw(issue, block.get());
        draws.add(draw);
        count += draw.count();
      }
    }
    return draws;
  }

  /** The first block, or a random one with a probability in proportion to the values left. */
  private static BlockIssue choose(
      List<BlockIssue> issues, PoolLayout layout, RandomGenerator random) {
    if (issues.get(0).order == Order.ASCENDING) {
      return issues.get(0);
    }
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
