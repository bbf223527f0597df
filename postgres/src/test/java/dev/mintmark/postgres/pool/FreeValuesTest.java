package dev.mintmark.postgres.pool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.mintmark.Block;
import dev.mintmark.PoolSpec;
import dev.mintmark.fixtures.TestDatabase;
import dev.mintmark.postgres.pool.ClaimResult.Granted;
import dev.mintmark.postgres.pool.ClaimResult.ValueTaken;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The list of values from which clients pick one. */
@Tag("slow")
class FreeValuesTest {
  private final TestDatabase database = TestDatabase.create();
  private final Pools pools = Pools.over(database.dataSource());

  @AfterEach
  void close() {
    pools.close();
  }

  @Test
  void listsWhatIsNotHeldQuarantinedExcludedOrDrained() {
    Pool pool =
        create(
            PoolSpec.of("p", List.of(Block.parse("10..19"), Block.parse("30..34")))
                .withExclude(List.of(Block.parse("11"))));
    hold(pool, "12");
    pool.quarantine("13", Duration.ofHours(1));
    pool.drain("30..34", true);

    assertThat(pool.freeValues(Optional.empty(), 100))
        .isEqualTo(
            new FreePage(List.of("10", "14", "15", "16", "17", "18", "19"), Optional.empty()));

    pool.drain("30..34", false);
    pool.include(List.of(Block.parse("11")));

    assertThat(pool.freeValues(Optional.of("17"), 100).values())
        .containsExactly("18", "19", "30", "31", "32", "33", "34");
    assertThat(pool.freeValues(Optional.empty(), 2))
        .isEqualTo(new FreePage(List.of("10", "11"), Optional.of("11")));
  }

  /** The map and the list say the same, whatever happened before. */
  @Test
  void listsWhatTheMapShowsAsFree() {
    long seed = 43;
    Random random = new Random(seed);
    Pool pool = create(PoolSpec.of("p", List.of(Block.parse("0..199"), Block.parse("300..359"))));
    for (int i = 0; i < 60; i++) {
      String value = Integer.toString(random.nextInt(200));
      switch (random.nextInt(4)) {
        case 0 -> pool.quarantine("3" + random.nextInt(10, 60), Duration.ofHours(1));
        case 1 -> pool.exclude(List.of(Block.parse(value)));
        default -> pool.claim(ClaimRequest.of("c" + i).withValue(value));
      }
    }

    PoolMap map = pool.map(0, Pool.MAP_MAX);
    List<String> free = new ArrayList<>();
    for (int i = 0; i < map.states().length(); i++) {
      if (map.states().charAt(i) == 'f') {
        free.add(Integer.toString(i < 200 ? i : i + 100));
      }
    }

    assertThat(free).as("seed %d", seed).hasSizeBetween(150, 259);
    assertThat(all(pool, 7)).as("seed %d", seed).isEqualTo(free);
    assertThat(all(pool, 1_000)).as("seed %d", seed).isEqualTo(free);
  }

  @Test
  void aPageOfAFullPoolIsEmptyAndHasANextOne() {
    int size = 2 * FreeValueReader.LOOKED_AT_MAX + 10;
    Pool pool = create(PoolSpec.of("p", List.of(Block.parse("1.." + size))));
    database.execute(
        """
        insert into mintmark.pool_claim (pool_id, block_id, place, client, slot, token, claimed_at)
        select pool_id, block_id, place, 'c' || place, 0, -1 - place, now()
        from mintmark.pool_block, generate_series(0, size - 6) as place
        """);

    FreePage first = pool.freeValues(Optional.empty(), 10);
    FreePage second = pool.freeValues(first.next(), 10);
    FreePage third = pool.freeValues(second.next(), 10);

    assertThat(first)
        .isEqualTo(
            new FreePage(List.of(), Optional.of(Integer.toString(FreeValueReader.LOOKED_AT_MAX))));
    assertThat(second.values()).isEmpty();
    assertThat(third.values()).hasSize(5).endsWith(Integer.toString(size));
    assertThat(third.next()).isEmpty();
  }

  @Test
  void listsValuesOfBlocksThatNobodyCouldCount() {
    Pool pool = create(PoolSpec.of("p", List.of(Block.parse("2001:db8::/64"))));

    assertThat(pool.freeValues(Optional.of("2001:db8::ffff"), 2).values())
        .containsExactly("2001:db8::1:0", "2001:db8::1:1");
  }

  @Test
  void aClientMakesItsPick() {
    Pool pool = create(PoolSpec.of("p", List.of(Block.parse("10.0.0.0/28"))));
    String picked = pool.freeValues(Optional.empty(), 3).values().get(2);

    assertThat(pool.claim(ClaimRequest.of("a").withValue(picked))).isInstanceOf(Granted.class);
    assertThat(pool.claim(ClaimRequest.of("b").withValue(picked))).isInstanceOf(ValueTaken.class);
    assertThat(pool.freeValues(Optional.empty(), 1_000).values()).doesNotContain(picked);
  }

  @Test
  void wrongPagesAreRefused() {
    Pool pool = create(PoolSpec.of("p", List.of(Block.parse("1..9"))));

    assertThatIllegalArgumentException()
        .isThrownBy(() -> pool.freeValues(Optional.empty(), 1_001))
        .withMessage("limit 1001: expected 1 to 1000");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> pool.freeValues(Optional.of("10"), 1))
        .withMessageStartingWith("after is \"10\": expected a value of the pool");
  }

  private Pool create(PoolSpec spec) {
    pools.create(spec);
    return pools.open(spec.name());
  }

  private static void hold(Pool pool, String value) {
    assertThat(pool.claim(ClaimRequest.of("holder of " + value).withValue(value)))
        .isInstanceOf(Granted.class);
  }

  private static List<String> all(Pool pool, int limit) {
    List<String> values = new ArrayList<>();
    Optional<String> after = Optional.empty();
    do {
      FreePage page = pool.freeValues(after, limit);
      values.addAll(page.values());
      after = page.next();
    } while (after.isPresent());
    return values;
  }
}
