package dev.mintmark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.LongRange;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class NumberRangeTest {
  private static final long LAST = 999_999_999_999_999_999L;

  @Test
  void rangeHandsOutBothItsEnds() {
    NumberRange range = NumberRange.parse("0..1023");

    assertThat(range.size()).isEqualTo(1024);
    assertThat(range.valueAt(0)).isEqualTo("0");
    assertThat(range.valueAt(1023)).isEqualTo("1023");
    assertThat(NumberRange.parse("7")).isEqualTo(new NumberRange(7, 7));
  }

  @Property
  void valueStandsAtItsPositionAndTextReadsBack(
      @ForAll @LongRange(min = 0, max = LAST) long a,
      @ForAll @LongRange(min = 0, max = LAST) long b,
      @ForAll @LongRange(min = 0) long at) {
    NumberRange range = new NumberRange(Math.min(a, b), Math.max(a, b));
    long position = at % range.size();

    assertThat(range.positionOf(range.valueAt(position))).hasValue(position);
    assertThat(NumberRange.parse(range.toString())).isEqualTo(range);
  }

  @Test
  void otherValuesHaveNoPosition() {
    NumberRange range = NumberRange.parse("10..20");

    assertThat(range.positionOf("9")).isEmpty();
    assertThat(range.positionOf("21")).isEmpty();
    assertThat(range.positionOf("010")).isEmpty();
    assertThat(range.positionOf("10..12")).isEmpty();
    assertThat(range.positionOf("-10")).isEmpty();
    assertThatExceptionOfType(IndexOutOfBoundsException.class).isThrownBy(() -> range.valueAt(11));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "..",
        "1..",
        "..1",
        "01..2",
        "1..2..3",
        "-1..2",
        "1 ..2",
        "1000000000000000000"
      })
  void malformedRangeIsRefused(String text) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> NumberRange.parse(text))
        .withMessageStartingWith("malformed range \"" + text);
  }

  @Test
  void rangeThatIsUpsideDownOrTooLargeIsRefused() {
    assertThatIllegalArgumentException().isThrownBy(() -> NumberRange.parse("2..1"));
    assertThatIllegalArgumentException().isThrownBy(() -> new NumberRange(-1, 1));
    assertThatIllegalArgumentException().isThrownBy(() -> new NumberRange(0, LAST + 1));
    assertThatIllegalArgumentException().isThrownBy(() -> new NumberRange(0, Long.MAX_VALUE));
  }

  @Test
  void rangesOverlapWhereTheyShareANumber() {
    NumberRange range = NumberRange.parse("10..20");

    assertThat(range.overlaps(NumberRange.parse("20..30"))).isTrue();
    assertThat(range.overlaps(NumberRange.parse("0..10"))).isTrue();
    assertThat(range.overlaps(NumberRange.parse("12"))).isTrue();
    assertThat(range.overlaps(NumberRange.parse("21..30"))).isFalse();
  }
}
