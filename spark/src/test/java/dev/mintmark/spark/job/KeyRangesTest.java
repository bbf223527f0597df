package dev.mintmark.spark.job;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mintmark.spark.job.KeyRanges.KeyType;
import java.math.BigInteger;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class KeyRangesTest {
  private static final Pattern CONDITION =
      Pattern.compile("k >= '(-?\\d+)'::bigint and k (<=?) '(-?\\d+)'::bigint");

  @Test
  void rangesOfNumbersMeet() {
    assertThat(conditions(4, 0, 100))
        .containsExactly(
            "k >= '0'::bigint and k < '25'::bigint",
            "k >= '25'::bigint and k < '50'::bigint",
            "k >= '50'::bigint and k < '75'::bigint",
            "k >= '75'::bigint and k <= '100'::bigint");
  }

  @Test
  void uuidsAreNumbersWithoutASign() {
    List<BigInteger> bounds =
        Stream.of("00000000-0000-0000-0000-000000000000", "ffffffff-ffff-ffff-ffff-ffffffffffff")
            .map(KeyType.UUID::number)
            .toList();

    assertThat(KeyRanges.conditions(KeyType.UUID, "id", bounds, 2))
        .containsExactly(
            "id >= '00000000-0000-0000-0000-000000000000'::uuid and id <"
                + " '7fffffff-ffff-ffff-ffff-ffffffffffff'::uuid",
            "id >= '7fffffff-ffff-ffff-ffff-ffffffffffff'::uuid and id <="
                + " 'ffffffff-ffff-ffff-ffff-ffffffffffff'::uuid");
  }

  @Test
  void rangesFollowTheHistogram() {
    assertThat(conditions(4, 0, 10, 20, 30, 1_000_000))
        .containsExactly(
            "k >= '0'::bigint and k < '10'::bigint",
            "k >= '10'::bigint and k < '20'::bigint",
            "k >= '20'::bigint and k < '30'::bigint",
            "k >= '30'::bigint and k <= '1000000'::bigint");
  }

  @Test
  void aSingleKeyIsOneRange() {
    assertThat(conditions(8, 7, 7)).containsExactly("k >= '7'::bigint and k <= '7'::bigint");
  }

  @Test
  void everyKeyIsInOneRangeWhateverTheHistogram() {
    for (long seed = 0; seed < 500; seed++) {
      Random random = new Random(seed);
      TreeSet<Long> bounds = new TreeSet<>();
      int spread = 1 + random.nextInt(60);
      for (int i = 0; i < 1 + random.nextInt(12); i++) {
        bounds.add((long) random.nextInt(spread) - spread / 2);
      }
      long[] quantiles = bounds.stream().mapToLong(Long::longValue).toArray();
      List<String> conditions = conditions(1 + random.nextInt(9), quantiles);
      for (long key = bounds.first(); key <= bounds.last(); key++) {
        long number = key;
        assertThat(conditions.stream().filter(condition -> holds(condition, number)))
            .as("key %d of %s in %s, seed %d", key, bounds, conditions, seed)
            .hasSize(1);
      }
    }
  }

  private static List<String> conditions(int count, long... quantiles) {
    List<BigInteger> bounds =
        java.util.Arrays.stream(quantiles).mapToObj(BigInteger::valueOf).toList();
    return KeyRanges.conditions(KeyType.NUMBER, "k", bounds, count);
  }

  private static boolean holds(String condition, long key) {
    Matcher parts = CONDITION.matcher(condition);
    assertThat(parts.matches()).as(condition).isTrue();
    long to = Long.parseLong(parts.group(3));
    return key >= Long.parseLong(parts.group(1))
        && (parts.group(2).equals("<") ? key < to : key <= to);
  }
}
