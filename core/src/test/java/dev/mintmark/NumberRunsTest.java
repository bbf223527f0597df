package dev.mintmark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.stream.LongStream;
import net.jqwik.api.Assume;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.LongRange;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class NumberRunsTest {
  private static final long LAST = NumberRange.NUMBER_MAX;

  @Test
  void eachRunIsAValue() {
    Block block = Block.parse("1..1000000000 by 1000000");

    assertThat(block.size()).isEqualTo(1000);
    assertThat(block.valueAt(0)).isEqualTo("1..1000000");
    assertThat(block.valueAt(999)).isEqualTo("999000001..1000000000");
    assertThat(block).hasToString("1..1000000000 by 1000000");
    assertThatExceptionOfType(IndexOutOfBoundsException.class)
        .isThrownBy(() -> block.valueAt(1000));
  }

  @Test
  void lastRunIsShorterWhereTheLengthDoesNotDivideTheRange() {
    Block block = Block.parse("1..11 by 5");

    assertThat(LongStream.range(0, block.size()).mapToObj(block::valueAt))
        .containsExactly("1..5", "6..10", "11");
    assertThat(block.positionOf("11")).hasValue(2);
    assertThat(Block.parse("1..12 by 5").valueAt(2)).isEqualTo("11..12");
    assertThat(Block.parse("1..5 by 5").size()).isEqualTo(1);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"1..4", "2..6", "5..9", "10", "11..15", "12", "1", "0..4", "x", "", "1..5 "})
  void whatIsNoRunHasNoPosition(String value) {
    assertThat(Block.parse("1..11 by 5").positionOf(value)).isEmpty();
  }

  @Property
  void valueStandsAtItsPositionAndTextReadsBack(
      @ForAll @LongRange(min = 0, max = LAST) long a,
      @ForAll @LongRange(min = 0, max = LAST) long b,
      @ForAll @LongRange(min = 2, max = LAST) long length,
      @ForAll @LongRange(min = 0) long at) {
    NumberRange range = new NumberRange(Math.min(a, b), Math.max(a, b));
    Assume.that(range.size() >= 2);
    NumberRuns runs = new NumberRuns(range, 2 + length % (range.size() - 1));
    long position = at % runs.size();

    assertThat(runs.positionOf(runs.valueAt(position))).hasValue(position);
    assertThat(Block.parse(runs.toString())).isEqualTo(runs);
  }

  @Property
  void runsFollowOnOneAnotherAndFillTheRange(
      @ForAll @LongRange(min = 0, max = 50) long first,
      @ForAll @LongRange(min = 2, max = 60) long size,
      @ForAll @LongRange(min = 0, max = 60) long length) {
    NumberRange range = new NumberRange(first, first + size - 1);
    NumberRuns runs = new NumberRuns(range, 2 + length % (size - 1));

    assertThat(
            LongStream.range(0, runs.size())
                .mapToObj(runs::valueAt)
                .map(NumberRange::parse)
                .flatMapToLong(run -> LongStream.rangeClosed(run.first(), run.last())))
        .containsExactlyElementsOf(LongStream.rangeClosed(first, range.last()).boxed().toList());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "1..10 by",
        "1..10 by ",
        " by 5",
        "1..10 by 0",
        "1..10 by 05",
        "1..10 by -5",
        "1..10  by 5",
        "1..10 by 5 by 2",
        "1..10 by 1000000000000000001"
      })
  void malformedRunsAreRefused(String text) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Block.parse(text))
        .withMessageStartingWith("malformed r");
  }

  @ParameterizedTest
  @ValueSource(strings = {"1..10 by 1", "1..10 by 11", "7 by 2"})
  void runsOfOneNumberOrLongerThanTheRangeAreRefused(String text) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> NumberRuns.parse(text))
        .withMessage(text + ": expected runs of 2 numbers or more, and none longer than the range");
  }

  @Test
  void runsOverlapByTheirNumbers() {
    Block runs = Block.parse("11..30 by 10");

    assertThat(runs.overlaps(Block.parse("30..40 by 2"))).isTrue();
    assertThat(runs.overlaps(Block.parse("0..11"))).isTrue();
    assertThat(Block.parse("0..11").overlaps(runs)).isTrue();
    assertThat(runs.overlaps(Block.parse("31..40 by 2"))).isFalse();
    assertThat(Block.parse("31").overlaps(runs)).isFalse();
    assertThat(runs.overlaps(Block.parse("0.0.0.0/0"))).isFalse();
    assertThat(Block.parse("::/64").overlaps(runs)).isFalse();
  }

  /** A run is excluded as soon as one of its numbers is. */
  @ParameterizedTest
  @CsvSource({
    "11..30 by 10, 20..21, 0, 2",
    "11..30 by 10, 20, 0, 1",
    "11..30 by 10, 21, 1, 2",
    "11..30 by 10, 0..100, 0, 2",
    "11..31 by 10, 31..40, 2, 3",
    "11..30 by 10, 12..13 by 2, 0, 1",
    "11..30 by 10, 0..10, 0, 0",
    "11..30 by 10, 10.0.0.0/8, 0, 0",
    "11..30, 15..18 by 2, 4, 8",
    "11..30, 12..13, 1, 3"
  })
  void positionsInAnotherBlockAreThoseThatTouchIt(String runs, String other, long from, long to) {
    assertThat(Block.parse(runs).positionsIn(Block.parse(other)))
        .isEqualTo(new Block.Positions(from, to));
  }
}
