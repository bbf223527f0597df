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
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;
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
  private record Issue(int block, long drawn, long version, Order order, Gaps excluded) {
    static Issue read(ResultSet row) throws SQLException {
      Long[] from = (Long[]) row.getArray("excluded_from").getArray();
      Long[] to = (Long[]) row.getArray("excluded_to").getArray();
      return new Issue(
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
  }

  /** The next draw from a block: at most {@link #CHUNK} values. */
  private record Draw(Issue issue, StoredBlock block) {
    int count() {
      return (int) Math.min(CHUNK, issue.left(block));
    }

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

    Issue after() {
      return new Issue(
          issue.block, issue.drawn + count(), issue.version + 1, issue.order, issue.excluded);
    }
  }

  /**
   * Draws values, unless another caller draws at the same moment. Reads the pool again if it has a
   * block that was not known.
   *
   * @param wanted how many values should become free, if so many are left
   * @return false if none is left to draw, if the blocks are locked, by a claim in the transaction
   *     of a caller, or if only values that are in use were found within {@link Claimer#PATIENCE}
   */
  boolean draw(long wanted) {
    PoolStore.StoredPool stored = context.stored();
    List<Issue> issues = new ArrayList<>(load());
    boolean known =
        issues.stream().allMatch(issue -> stored.layout().block(issue.block).isPresent());
    PoolStore.StoredPool pool = known ? stored : context.reload();
    long freed = 0;
    Backoff drawing = new Backoff();
    // After a change of the order millions of values may be stepped over: other claims go on there.
    while (freed < wanted
        && !issues.isEmpty()
        && drawing.elapsed().compareTo(Claimer.PATIENCE) < 0) {
      List<Draw> draws = choose(issues, pool, wanted - freed);
      Map<Integer, Long> freedOfEach = refill(draws);
      List<Draw> missed =
          draws.stream().filter(draw -> !freedOfEach.containsKey(draw.issue.block)).toList();
      if (haveChanged(missed)) {
        return true;
      }
      freed += freedOfEach.values().stream().mapToLong(Long::longValue).sum();
      draws.removeAll(missed);
      issues.addAll(0, draws.stream().filter(Draw::leavesAny).map(Draw::after).toList());
    }
    return freed > 0;
  }

  /** Whether other callers have drawn from blocks; otherwise the blocks are locked. */
  private boolean haveChanged(List<Draw> missed) {
    if (missed.isEmpty()) {
      return false;
    }
    Map<Integer, Long> versions =
        load().stream().collect(Collectors.toMap(Issue::block, Issue::version));
    return missed.stream()
        .anyMatch(draw -> !Objects.equals(versions.get(draw.issue.block), draw.issue.version));
  }

  private List<Issue> load() {
    return context.prompt().query(LOAD_ISSUE, Issue::read, context.poolId());
  }

  /**
   * Draws from several blocks at once. Returns how many values of each block became free, without
   * the blocks from which another caller has drawn meanwhile, and those that are locked.
   */
  private Map<Integer, Long> refill(List<Draw> draws) {
    List<Integer> blocks = new ArrayList<>();
    List<Long> places = new ArrayList<>();
    for (Draw draw : draws) {
      for (long place : draw.places()) {
        blocks.add(draw.issue.block);
        places.add(place);
      }
    }
    return context
        .prompt()
        .queryWithoutRepeat(
            REFILL,
            row -> Map.entry(row.getInt("block_id"), row.getLong("count")),
            context.poolId(),
            bind("block_ids", draws.stream().map(draw -> draw.issue.block).toArray(Integer[]::new)),
            bind("versions", draws.stream().map(draw -> draw.issue.version).toArray(Long[]::new)),
            bind("drawn", draws.stream().map(draw -> draw.after().drawn).toArray(Long[]::new)),
            bind("place_blocks", blocks.toArray(Integer[]::new)),
            bind("places", places.toArray(Long[]::new)))
        .stream()
        .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue));
  }

  /** Takes the next blocks to draw from out of a list, for as many values as are wanted. */
  private List<Draw> choose(List<Issue> issues, PoolStore.StoredPool pool, long wanted) {
    List<Draw> draws = new ArrayList<>();
    long count = 0;
    while (count < wanted && !issues.isEmpty()) {
      Issue issue = choose(issues, pool);
      issues.remove(issue);
      Optional<StoredBlock> block = pool.layout().block(issue.block);
      if (block.isPresent() && issue.left(block.get()) > 0) {
        Draw draw = new Draw(issue, block.get());
        draws.add(draw);
        count += draw.count();
      }
    }
    return draws;
  }

  /** The first block, or a random one with a probability in proportion to the values left. */
  private Issue choose(List<Issue> issues, PoolStore.StoredPool pool) {
    if (issues.get(0).order == Order.ASCENDING) {
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
