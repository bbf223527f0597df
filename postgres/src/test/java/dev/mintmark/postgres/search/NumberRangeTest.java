package dev.mintmark.postgres.search;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mintmark.SequenceId;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class NumberRangeTest {
  private static boolean contains(List<NumberRange> ranges, long number) {
    return ranges.stream().anyMatch(range -> range.first() <= number && number <= range.last());
  }

  @Test
  void paddedNumbersAreOneRangeAndOthersOneForEachLength() {
    assertThat(NumberRange.ofDigits("0001", 6)).containsExactly(new NumberRange(100L, 199L));
    assertThat(NumberRange.ofDigits("000123", 6)).containsExactly(new NumberRange(123L, 123L));
    assertThat(NumberRange.ofDigits("12", 3))
        .hasSize(17)
        .startsWith(
            new NumberRange(120L, 129L),
            new NumberRange(1200L, 1299L),
            new NumberRange(12000L, 12999L))
        .endsWith(new NumberRange(1_200_000_000_000_000_000L, 1_299_999_999_999_999_999L));
    assertThat(NumberRange.ofDigits("922337203685477580", 0))
        .containsExactly(
            new NumberRange(922_337_203_685_477_580L, 922_337_203_685_477_580L),
            new NumberRange(9_223_372_036_854_775_800L, Long.MAX_VALUE));
    assertThat(NumberRange.ofDigits("0", 0)).containsExactly(new NumberRange(0L, 0L));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "PM",
        "-1",
        "1 ",
        "１",
        "9223372036854775808",
        "0000001",
        "10000000000000000000"
      })
  void whatNoNumberBeginsWithIsNoRange(String text) {
    assertThat(NumberRange.ofDigits(text, 6)).isEmpty();
  }

  /** Compared with the texts themselves. */
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4})
  void rangesHaveExactlyTheNumbersWhoseTextsStartSo(long seed) {
    Random random = new Random(seed);
    for (int i = 0; i < 2_000; i++) {
      SequenceId.Format format = new SequenceId.Format("PM", random.nextInt(19));
      long number = random.nextLong() >>> (1 + random.nextInt(63));
      String digits = format.of(number).toString().substring(2);
      String beginning = digits.substring(0, 1 + random.nextInt(digits.length()));
      List<NumberRange> ranges = NumberRange.ofDigits(beginning, format.width());

      assertThat(contains(ranges, number)).as("%s, number %d", format, number).isTrue();
      long step = random.nextLong(1, 1_000);
      for (long other :
          new long[] {Math.max(number - step, 0), number / 10, number % 1_000, step, number | 1}) {
        assertThat(contains(ranges, other))
            .as("%s, number %d, beginning %s", format, other, beginning)
            .isEqualTo(format.of(other).toString().startsWith("PM" + beginning));
      }
    }
  }
}
