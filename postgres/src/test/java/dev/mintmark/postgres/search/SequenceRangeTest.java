package dev.mintmark.postgres.search;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mintmark.SequenceId;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SequenceRangeTest {
  private static boolean contains(List<SequenceRange> ranges, long number) {
    return ranges.stream().anyMatch(range -> range.first() <= number && number <= range.last());
  }

  @Test
  void paddedNumbersAreOneRangeAndOthersOneForEachLength() {
    assertThat(SequenceRange.ofDigits("0001", 6)).containsExactly(new SequenceRange(100L, 199L));
    assertThat(SequenceRange.ofDigits("000123", 6)).containsExactly(new SequenceRange(123L, 123L));
    assertThat(SequenceRange.ofDigits("12", 3))
        .hasSize(17)
        .startsWith(
            new SequenceRange(120L, 129L),
            new SequenceRange(1200L, 1299L),
            new SequenceRange(12000L, 12999L))
        .endsWith(new SequenceRange(1_200_000_000_000_000_000L, 1_299_999_999_999_999_999L));
    assertThat(SequenceRange.ofDigits("922337203685477580", 0))
        .containsExactly(
            new SequenceRange(922_337_203_685_477_580L, 922_337_203_685_477_580L),
            new SequenceRange(9_223_372_036_854_775_800L, Long.MAX_VALUE));
    assertThat(SequenceRange.ofDigits("0", 0)).containsExactly(new SequenceRange(0L, 0L));
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
    assertThat(SequenceRange.ofDigits(text, 6)).isEmpty();
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
      List<SequenceRange> ranges = SequenceRange.ofDigits(beginning, format.width());

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
