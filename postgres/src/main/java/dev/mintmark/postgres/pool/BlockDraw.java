package dev.mintmark.postgres.pool;

import static dev.mintmark.postgres.internal.Transactions.Bind.bind;

import dev.mintmark.postgres.internal.SqlFile;
import dev.mintmark.postgres.pool.BlockIssue.Draw;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;

/**
 * Draws values from the blocks of a pool: gives them rows, so that they can be claimed. The cost is
 * that of the values that are drawn, whatever the size of the block and whatever it excludes.
 *
 * <p>{@link BlockIssue} says which values come next: only a reader of the block's seed can predict
 * them, and the database stores only how many values were drawn.
 */
final class BlockDraw {
  private static final SqlFile LOAD_ISSUE = SqlFile.load(BlockDraw.class, "load_issue");
  private static final SqlFile REFILL = SqlFile.load(BlockDraw.class, "refill");

  private final PoolContext context;
  private final RandomGenerator random;

  BlockDraw(PoolContext context, RandomGenerator random) {
    this.context = context;
    this.random = random;
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
    List<BlockIssue> issues = new ArrayList<>(load());
    boolean known =
        issues.stream().allMatch(issue -> stored.layout().block(issue.block()).isPresent());
    PoolStore.StoredPool pool = known ? stored : context.reload();
    long freed = 0;
    Backoff drawing = new Backoff();
    // After a change of the order millions of values may be stepped over: other claims go on there.
    while (freed < wanted
        && !issues.isEmpty()
        && drawing.elapsed().compareTo(Claimer.PATIENCE) < 0) {
      List<Draw> draws = BlockIssue.choose(issues, pool.layout(), wanted - freed, random);
      Map<Integer, Long> freedOfEach = refill(draws);
      List<Draw> missed =
          draws.stream().filter(draw -> !freedOfEach.containsKey(draw.issue().block())).toList();
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
        load().stream().collect(Collectors.toMap(BlockIssue::block, BlockIssue::version));
    return missed.stream()
        .anyMatch(
            draw -> !Objects.equals(versions.get(draw.issue().block()), draw.issue().version()));
  }

  private List<BlockIssue> load() {
    return context.prompt().query(LOAD_ISSUE, BlockIssue::read, context.poolId());
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
        blocks.add(draw.issue().block());
        places.add(place);
      }
    }
    return context
        .prompt()
        .queryWithoutRepeat(
            REFILL,
            row -> Map.entry(row.getInt("block_id"), row.getLong("count")),
            context.poolId(),
            bind(
                "block_ids",
                draws.stream().map(draw -> draw.issue().block()).toArray(Integer[]::new)),
            bind(
                "versions",
                draws.stream().map(draw -> draw.issue().version()).toArray(Long[]::new)),
            bind("drawn", draws.stream().map(draw -> draw.after().drawn()).toArray(Long[]::new)),
            bind("place_blocks", blocks.toArray(Integer[]::new)),
            bind("places", places.toArray(Long[]::new)))
        .stream()
        .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue));
  }
}
