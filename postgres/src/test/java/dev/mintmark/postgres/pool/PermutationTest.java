package dev.mintmark.postgres.pool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.Map;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("slow")
class PermutationTest {
  private static final byte[] SEED = HexFormat.of().parseHex("000102030405060708090a0b0c0d0e0f");

  /** Computed by another program from the description alone. A pool that exists relies on them. */
  @ParameterizedTest
  @CsvSource({
    "1, 0, 0",
    "2, 0 1, 1",
    "3, 2 0 1, 1",
    "10, 4 5 6 2 0, 8",
    "2044, 1085 738 1915 1467 80, 1876",
    "1048576, 887356 826814 842761 412337 607292, 115334",
    "4294967294, 688951480 336560449 4163363929 2085809373 3271279161, 2565395382",
    "2305843009213693953, 2000037823314527756 613593972338352203 1658102853847783140"
        + " 1132185691035767132 1908223839895118476, 79044989688270403",
    "4611686018427387904, 3949416263719127305 1652634596732404635 153381137781561787"
        + " 687709539805476369 3686629180706614395, 521727579475019009"
  })
  void orderNeverChanges(long size, String first, long last) {
    long[] places = Arrays.stream(first.split(" ", -1)).mapToLong(Long::parseLong).toArray();
    Permutation permutation = Permutation.of(SEED, size);

    assertThat(permutation.range(0, places.length)).containsExactly(places);
    assertThat(permutation.at(size - 1)).isEqualTo(last);
  }

  @Test
  void everyPlaceComesOnce() {
    for (int size = 1; size <= 300; size++) {
      assertHasEveryPlaceOnce(size);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1021, 1023, 1024, 1025, 2044, 4093, 4096, 4097, 16_381, 65_535, 65_536})
  void everyPlaceComesOnceAboutAPowerOfTwo(int size) {
    assertHasEveryPlaceOnce(size);
  }

  @Test
  void everyPlaceComesOnceInBatches() {
    int size = (1 << 18) + 7;
    Permutation permutation = Permutation.of(SEED, size);
    BitSet seen = new BitSet(size);

    for (int from = 0; from < size; from += Permutation.COUNT_MAX) {
      int count = Math.min(Permutation.COUNT_MAX, size - from);
      Arrays.stream(permutation.range(from, count)).forEach(place -> seen.set((int) place));
    }

    assertThat(seen.cardinality()).isEqualTo(size);
    assertThat(seen.length()).isEqualTo(size);
  }

  @ParameterizedTest
  @ValueSource(longs = {1L << 62, (1L << 62) - 1, (1L << 60) + 1, (1L << 32) - 2, (1L << 24) - 2})
  void placesOfAHugeBlockAreDistinctAndInside(long size) {
    Permutation permutation = Permutation.of(SEED, size);

    long[] head = permutation.range(0, 10_000);
    long[] tail = permutation.range(size - 10_000, 10_000);

    assertThat(LongStream.concat(Arrays.stream(head), Arrays.stream(tail)).distinct())
        .hasSize(20_000)
        .allMatch(place -> place >= 0 && place < size);
  }

  @Test
  void batchIsWhatItsOrdinalsAreOneByOne() {
    Permutation permutation = Permutation.of(SEED, 2044);

    assertThat(permutation.range(700, 500))
        .containsExactly(LongStream.range(700, 1200).map(permutation::at).toArray());
    assertThat(permutation.range(2044, 0)).isEmpty();
  }

  @Test
  void seedAndSizeBothChangeTheOrder() {
    byte[] other = SEED.clone();
    other[15] ^= 1;

    long[] places = Permutation.of(SEED, 2044).range(0, 100);

    assertThat(agreeing(places, Permutation.of(other, 2044).range(0, 100))).isLessThan(10);
    assertThat(agreeing(places, Permutation.of(SEED, 2045).range(0, 100))).isLessThan(10);
  }

  /**
   * Every order of a tiny block is as likely as any other: what a network does worst, and a network
   * without the swap of two places fails at five.
   */
  @ParameterizedTest
  @CsvSource({"2, 2", "3, 6", "4, 24", "5, 120"})
  void everyOrderOfATinyBlockIsAsLikely(int size, int orders) {
    Random seeds = new Random(6);
    int draws = 200 * orders;
    Map<String, Integer> counts = new HashMap<>();
    byte[] seed = new byte[Permutation.SEED_BYTES];

    for (int i = 0; i < draws; i++) {
      seeds.nextBytes(seed);
      long[] order = Permutation.of(seed, size).range(0, size);
      counts.merge(Arrays.toString(order), 1, Integer::sum);
    }

    assertThat(counts).as("seeds of Random(6)").hasSize(orders);
    assertIsEven(counts.values().stream().mapToInt(Integer::intValue).toArray());
  }

  /** The next place says nothing about where it lies, nor how far it lies from the one before. */
  @ParameterizedTest
  @ValueSource(longs = {1 << 16, 100_003, (1L << 32) - 2, 1L << 62})
  void placesAndStepsAreSpreadEvenly(long size) {
    int count = 1 << 15;
    long[] places = Permutation.of(SEED, size).range(0, count);
    int[] ofPlaces = new int[64];
    int[] ofSteps = new int[64];

    for (int i = 1; i < count; i++) {
      ofPlaces[bucket(places[i], size)]++;
      ofSteps[bucket(Math.floorMod(places[i] - places[i - 1], size), size)]++;
    }

    assertIsEven(ofPlaces);
    assertIsEven(ofSteps);
  }

  @Test
  void whatIsOutOfRangeIsRefused() {
    Permutation permutation = Permutation.of(SEED, 100_000);

    assertThatIllegalArgumentException()
        .isThrownBy(() -> Permutation.of(new byte[15], 7))
        .withMessage("seed of 15 bytes: expected 16");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Permutation.of(SEED, 0))
        .withMessage("permutation of 0 places: expected 1 to 4611686018427387904");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Permutation.of(SEED, Permutation.SIZE_MAX + 1));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> permutation.range(0, 65_537))
        .withMessage("65537 places at once: expected at most 65536");
    assertThatExceptionOfType(IndexOutOfBoundsException.class)
        .isThrownBy(() -> permutation.at(100_000));
    assertThatExceptionOfType(IndexOutOfBoundsException.class).isThrownBy(() -> permutation.at(-1));
    assertThatExceptionOfType(IndexOutOfBoundsException.class)
        .isThrownBy(() -> permutation.range(99_999, 2));
  }

  private static void assertHasEveryPlaceOnce(int size) {
    LongStream places = Arrays.stream(Permutation.of(SEED, size).range(0, size));

    assertThat(places.filter(place -> place >= 0 && place < size).distinct().count())
        .as("size %d", size)
        .isEqualTo(size);
  }

  private static long agreeing(long[] a, long[] b) {
    return LongStream.range(0, a.length).filter(i -> a[(int) i] == b[(int) i]).count();
  }

  private static int bucket(long place, long size) {
    return (int) (place / (double) size * 64);
  }

  /** Pearson's test: chi-squared stays within five standard deviations of its mean. */
  private static void assertIsEven(int... counts) {
    double expected = Arrays.stream(counts).average().orElseThrow();
    double chiSquared =
        Arrays.stream(counts).mapToDouble(n -> (n - expected) * (n - expected) / expected).sum();
    int freedom = counts.length - 1;

    assertThat(chiSquared).isLessThan(freedom + 5 * Math.sqrt(2.0 * freedom));
  }
}
