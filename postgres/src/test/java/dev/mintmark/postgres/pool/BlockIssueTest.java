package dev.mintmark.postgres.pool;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mintmark.Block;
import dev.mintmark.Block.Positions;
import dev.mintmark.PoolSpec.Order;
import dev.mintmark.postgres.pool.BlockIssue.Draw;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Which values are drawn next, without a database. */
class BlockIssueTest {
  private static final Gaps NONE = Gaps.of(Stream.of());

  private static StoredBlock block(int id, long size) {
    String declared = "1.." + size;
    byte[] seed = new byte[Permutation.SEED_BYTES];
    Arrays.fill(seed, (byte) id);
    return new StoredBlock(
        id,
        declared,
        Block.parse(declared),
        new StoredBlock.Exclusions(List.of(), List.of()),
        seed,
        false,
        false);
  }

  private static BlockIssue issue(int block, long drawn, Order order) {
    return new BlockIssue(block, drawn, 1, order, NONE);
  }

  /** Draws until nothing is left; returns the places in the order in which they were drawn. */
  private static List<Long> drawAll(BlockIssue first, StoredBlock block) {
    List<Long> places = new ArrayList<>();
    BlockIssue issue = first;
    boolean leavesAny = issue.left(block) > 0;
    while (leavesAny) {
      Draw draw = new Draw(issue, block);
      assertThat(draw.count()).isBetween(1, BlockIssue.CHUNK);
      assertThat(draw.places()).hasSize(draw.count());
      LongStream.of(draw.places()).forEach(places::add);
      assertThat(draw.after())
          .isEqualTo(
              new BlockIssue(
                  issue.block(),
                  issue.drawn() + draw.count(),
                  issue.version() + 1,
                  issue.order(),
                  issue.excluded()));
      leavesAny = draw.leavesAny();
      issue = draw.after();
    }
    return places;
  }

  @ParameterizedTest
  @CsvSource({"1, 0", "9, 0", "9, 4", "4096, 0", "4097, 0", "10000, 7000", "12288, 4096"})
  void everyPlaceThatIsNotExcludedIsDrawnOnce(long size, long excluded) {
    StoredBlock block = block(1, size);
    Gaps gaps = Gaps.of(Stream.of(new Positions(1, 1 + excluded)));
    long[] rest = LongStream.range(0, size).filter(place -> !gaps.contains(place)).toArray();

    for (Order order : Order.values()) {
      List<Long> places = drawAll(new BlockIssue(1, 0, 1, order, gaps), block);

      assertThat(places).as("%s", order).hasSize(rest.length).doesNotHaveDuplicates();
      assertThat(places.stream().mapToLong(Long::longValue).sorted().toArray()).isEqualTo(rest);
    }
  }

  @Test
  void drawsGoOnWhereTheLastOneEnded() {
    StoredBlock block = block(1, 10_000);

    for (Order order : Order.values()) {
      List<Long> all = drawAll(issue(1, 0, order), block);

      assertThat(drawAll(issue(1, 6_000, order), block)).isEqualTo(all.subList(6_000, 10_000));
    }
  }

  @Test
  void placesAreDrawnInTheOrderOfThePool() {
    StoredBlock block = block(1, 9);
    Gaps gaps = Gaps.of(Stream.of(new Positions(2, 4)));

    assertThat(drawAll(new BlockIssue(1, 1, 1, Order.ASCENDING, gaps), block))
        .containsExactly(1L, 4L, 5L, 6L, 7L, 8L);
    List<Long> random = drawAll(new BlockIssue(1, 0, 1, Order.RANDOM, gaps), block);
    assertThat(random)
        .isEqualTo(
            LongStream.of(Permutation.of(block.seed(), 7).range(0, 7))
                .map(gaps::numberAt)
                .boxed()
                .toList());
  }

  @Test
  void blocksInAscendingOrderAreDrawnFromOneAfterTheOther() {
    PoolLayout layout = new PoolLayout(List.of(block(1, 10), block(2, 5_000), block(3, 10)));
    List<BlockIssue> issues =
        new ArrayList<>(
            List.of(
                issue(1, 8, Order.ASCENDING),
                issue(2, 0, Order.ASCENDING),
                issue(3, 0, Order.ASCENDING)));

    List<Draw> draws = BlockIssue.choose(issues, layout, 3, new Random(1));

    assertThat(draws).extracting(Draw::count).containsExactly(2, BlockIssue.CHUNK);
    assertThat(issues).containsExactly(issue(3, 0, Order.ASCENDING));
  }

  @Test
  void noMoreBlocksAreTakenThanAreWanted() {
    PoolLayout layout = new PoolLayout(List.of(block(1, 10), block(2, 10), block(3, 10)));
    for (int wanted = 0; wanted <= 40; wanted++) {
      for (Order order : Order.values()) {
        List<BlockIssue> issues =
            new ArrayList<>(List.of(issue(1, 0, order), issue(2, 0, order), issue(3, 0, order)));

        List<Draw> draws = BlockIssue.choose(issues, layout, wanted, new Random(wanted));

        int expected = Math.min(3, (wanted + 9) / 10);
        assertThat(draws).as("%d wanted, %s", wanted, order).hasSize(expected);
        assertThat(issues).hasSize(3 - expected);
      }
    }
  }

  @ParameterizedTest
  @EnumSource(Order.class)
  void blocksThatAreNotKnownOrHaveNothingLeftAreDropped(Order order) {
    PoolLayout layout = new PoolLayout(List.of(block(1, 10), block(2, 10)));
    List<BlockIssue> issues =
        new ArrayList<>(List.of(issue(9, 0, order), issue(1, 10, order), issue(2, 9, order)));

    List<Draw> draws = BlockIssue.choose(issues, layout, 100, new Random(1));

    assertThat(draws).extracting(draw -> draw.issue().block()).containsExactly(2);
    assertThat(issues).isEmpty();
  }

  /** One in four of the values that are left is in the first block. */
  @Test
  void aRandomValueIsEquallyLikelyToBeAnyThatIsLeft() {
    PoolLayout layout = new PoolLayout(List.of(block(1, 3_000), block(2, 3_000), block(3, 9)));
    long seed = 17;
    Random random = new Random(seed);
    int fromFirst = 0;
    for (int round = 0; round < 4_000; round++) {
      List<BlockIssue> issues =
          new ArrayList<>(
              List.of(
                  issue(1, 2_000, Order.RANDOM),
                  issue(3, 9, Order.RANDOM),
                  issue(2, 0, Order.RANDOM)));
      Draw draw = BlockIssue.choose(issues, layout, 1, random).get(0);
      assertThat(draw.issue().block()).isNotEqualTo(3);
      fromFirst += draw.issue().block() == 1 ? 1 : 0;
    }

    assertThat(fromFirst).as("seed %s", seed).isBetween(850, 1_150);
  }
}
