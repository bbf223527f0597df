package dev.mintmark.postgres.pool;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mintmark.Block;
import dev.mintmark.Block.Positions;
import dev.mintmark.postgres.pool.PoolLayout.Place;
import dev.mintmark.postgres.pool.PoolLayout.Window;
import dev.mintmark.postgres.pool.StoredBlock.Exclusions;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.OptionalLong;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** Positions, places and values of a pool, without a database. */
class PoolLayoutTest {
  /** The values 3 and 4 have no place; 7 is excluded and has one. */
  private final StoredBlock numbers = block(1, "1..9", List.of("3..4"), List.of("7"), false);

  private final StoredBlock addresses = block(2, "10.0.0.0/29", List.of(), List.of(), false);
  private final StoredBlock removed = block(3, "20..25", List.of(), List.of(), true);
  private final PoolLayout layout = new PoolLayout(List.of(numbers, addresses, removed));

  private static StoredBlock block(
      int id, String declared, List<String> fixed, List<String> changeable, boolean removed) {
    return new StoredBlock(
        id,
        declared,
        Block.parse(declared),
        new Exclusions(
            fixed.stream().map(Block::parse).toList(),
            changeable.stream().map(Block::parse).toList()),
        new byte[Permutation.SEED_BYTES],
        removed, // A block is drained before it is removed.
        removed);
  }

  @Test
  void numbersOutsideOfGapsAreCounted() {
    long seed = 23;
    Random random = new Random(seed);
    for (int round = 0; round < 500; round++) {
      List<Positions> ranges = new ArrayList<>();
      Set<Long> inGaps = new TreeSet<>();
      for (int i = random.nextInt(5); i > 0; i--) {
        long from = random.nextInt(30);
        long to = from + random.nextInt(6);
        ranges.add(new Positions(from, to));
        LongStream.range(from, to).forEach(inGaps::add);
      }

      Gaps gaps = Gaps.of(ranges.stream());

      String what = "seed %s, round %s: %s".formatted(seed, round, ranges);
      assertThat(gaps.size()).as(what).isEqualTo(inGaps.size());
      long ordinal = 0;
      for (long number = 0; number < 40; number++) {
        assertThat(gaps.contains(number)).as(what).isEqualTo(inGaps.contains(number));
        assertThat(gaps.ordinalsBelow(number)).as(what).isEqualTo(ordinal);
        if (!inGaps.contains(number)) {
          assertThat(gaps.numberAt(ordinal)).as(what).isEqualTo(number);
          ordinal++;
        }
      }
    }
  }

  @Test
  void gapsThatTouchOrOverlapAreOne() {
    List<Positions> ranges =
        List.of(
            new Positions(7, 9),
            new Positions(1, 3),
            new Positions(3, 4),
            new Positions(8, 9),
            new Positions(12, 12));

    assertThat(Gaps.of(ranges.stream()).toMultirange()).isEqualTo("{[1,4),[7,9)}");
  }

  @Test
  void everyValueOfABlockHasAPlaceUnlessItWasExcludedForGood() {
    List<String> values = new ArrayList<>();
    for (long place = 0; place < numbers.size(); place++) {
      values.add(numbers.valueAt(place));
      assertThat(numbers.placeOf(numbers.valueAt(place))).hasValue(place);
    }

    assertThat(values).containsExactly("1", "2", "5", "6", "7", "8", "9");
    assertThat(numbers.placeOf("3")).isEmpty();
    assertThat(numbers.placeOf("10")).isEmpty();
    assertThat(numbers.excludedPlaces().toMultirange()).isEqualTo("{[4,5)}");
    assertThat(numbers.placesOf(List.of(Block.parse("2..5"), Block.parse("9"))).toMultirange())
        .isEqualTo("{[1,3),[6,7)}");
    assertThat(numbers.excluded()).containsExactly(Block.parse("3..4"), Block.parse("7"));
  }

  @Test
  void aValueIsFoundByItsPlaceAndItsPlaceByTheValue() {
    assertThat(layout.valueAt(new Place(1, 2))).contains("5");
    assertThat(layout.valueAt(new Place(3, 0))).as("for the history").contains("20");
    assertThat(layout.valueAt(new Place(4, 0))).isEmpty();
    assertThat(layout.placeOf("10.0.0.6")).contains(new Place(2, 5));
    assertThat(layout.placeOf("20")).as("its block was removed").isEmpty();
    assertThat(layout.everyPlaceOf("20")).containsExactly(new Place(3, 0));
    assertThat(layout.everyPlaceOf("26")).isEmpty();
    assertThat(layout.excludes(new Place(1, 4))).isTrue();
    assertThat(layout.excludes(new Place(1, 3))).isFalse();
    assertThat(layout.excludes(new Place(4, 0))).isFalse();
    assertThat(layout.blocks()).containsExactly(numbers, addresses);
    assertThat(layout.block(3)).contains(removed);
    assertThat(removed.draining()).isTrue();
    assertThat(numbers.draining()).isFalse();
    assertThat(layout.declared()).containsExactly("1..9", "10.0.0.0/29");
  }

  @Test
  void positionsCountExcludedValuesToo() {
    assertThat(layout.positions()).isEqualTo(15);
    assertThat(layout.positionOf("1")).hasValue(0);
    assertThat(layout.positionOf("4")).hasValue(3);
    assertThat(layout.positionOf("10.0.0.1")).hasValue(9);
    assertThat(layout.positionOf("10.0.0.7")).as("the broadcast address").isEmpty();
    assertThat(layout.positionOf("20")).isEmpty();
  }

  @Test
  void positionsEndWhereTheyExceedALong() {
    StoredBlock huge = block(1, "2001:db8::/64", List.of(), List.of(), false);
    StoredBlock next = block(2, "2001:db8:0:1::/64", List.of(), List.of(), false);
    StoredBlock last = block(3, "1..9", List.of(), List.of(), false);
    PoolLayout hugeLayout = new PoolLayout(List.of(huge, next, last));

    assertThat(hugeLayout.positions()).isEqualTo(Long.MAX_VALUE);
    assertThat(hugeLayout.positionOf("2001:db8::1"))
        .isEqualTo(huge.block().positionOf("2001:db8::1"));
    assertThat(hugeLayout.positionOf("1")).isEqualTo(OptionalLong.empty());
    assertThat(hugeLayout.windows(Long.MAX_VALUE - 1, Long.MAX_VALUE)).hasSize(1);
  }

  @Test
  void positionThatExceedsALongIsNone() {
    StoredBlock small = block(1, "2001:db8:1::/120", List.of(), List.of(), false);
    StoredBlock huge = block(2, "2001:db8:2::/64", List.of(), List.of(), false);
    PoolLayout both = new PoolLayout(List.of(small, huge));
    long greatest = Long.MAX_VALUE - small.block().size();

    assertThat(both.positionOf(huge.block().valueAt(greatest))).hasValue(Long.MAX_VALUE);
    assertThat(both.positionOf(huge.block().valueAt(greatest + 1))).isEmpty();
    assertThat(both.positionOf(huge.block().valueAt(Long.MAX_VALUE - 1))).isEmpty();
  }

  /** Six in thirteen of the places are those of the addresses. */
  @Test
  void aShareOfAllPlacesIsAPlace() {
    assertThat(layout.placeAt(0)).isEqualTo(new Place(1, 0));
    Set<Place> places = new HashSet<>();
    for (int i = 0; i < 13; i++) {
      places.add(layout.placeAt((i + 0.5) / 13));
    }
    Set<Place> all = new HashSet<>();
    LongStream.range(0, 7).forEach(place -> all.add(new Place(1, place)));
    LongStream.range(0, 6).forEach(place -> all.add(new Place(2, place)));
    assertThat(places).isEqualTo(all);
    assertThat(new PoolLayout(List.of()).placeAt(0.5)).isEqualTo(Place.NONE);
  }

  @Test
  void windowsAreThePartsOfBlocksBetweenTwoPositions() {
    assertThat(layout.windows(2, 11))
        .containsExactly(
            new Window(numbers, 0, new Positions(2, 9)),
            new Window(addresses, 9, new Positions(0, 2)));
    assertThat(layout.windows(9, 10))
        .containsExactly(new Window(addresses, 9, new Positions(0, 1)));
    assertThat(layout.windows(0, 9)).containsExactly(new Window(numbers, 0, new Positions(0, 9)));
    assertThat(layout.windows(15, 20)).isEmpty();
    assertThat(layout.windows(4, 4)).isEmpty();
  }

  @Test
  void aWindowShowsExcludedValuesBetweenTheOthers() {
    Window window = new Window(numbers, 20, new Positions(1, 8));

    assertThat(window.places()).isEqualTo(new Positions(1, 6));
    assertThat(window.withExcluded("abcde")).isEqualTo("axxbcde");
    assertThat(new Window(numbers, 20, new Positions(2, 4)).withExcluded("")).isEqualTo("xx");
    assertThat(window.stretch()).isEqualTo(new PoolMap.Stretch(numbers.block(), 21, "2", 7));
  }
}
