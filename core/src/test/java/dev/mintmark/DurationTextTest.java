package dev.mintmark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.LongRange;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class DurationTextTest {
  @ParameterizedTest
  @CsvSource({
    "500ms, PT0.5S",
    "30s, PT30S",
    "10m, PT10M",
    "2h, PT2H",
    "7d, PT168H",
    "1h30m, PT1H30M",
    "PT30S, PT30S",
    "P1D, PT24H",
    "0s, PT0S"
  })
  void durationIsRead(String text, Duration duration) {
    assertThat(DurationText.parse(text)).isEqualTo(duration);
  }

  @Property
  void textReadsBack(@ForAll @LongRange(min = 0, max = 1L << 52) long millis) {
    Duration duration = Duration.ofMillis(millis);

    assertThat(DurationText.parse(DurationText.format(duration))).isEqualTo(duration);
  }

  @Test
  void longestDurationIsWritten() {
    assertThat(DurationText.format(Duration.ofDays(999_999_999_999L))).isEqualTo("999999999999d");
  }

  @Test
  void whatIsBelowAMillisecondIsCut() {
    assertThat(DurationText.format(Duration.ofNanos(999_999))).isEqualTo("0s");
    assertThat(DurationText.format(Duration.ofNanos(1_999_999))).isEqualTo("1ms");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", "30", "s", "30 s", "-30s", "1.5h", "30S", "P", "PT", "1w", "9999999999999s"})
  void malformedDurationIsRefused(String text) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> DurationText.parse(text))
        .withMessageStartingWith("malformed duration \"" + text + "\": expected");
  }

  @Property
  void anyTextIsRefusedOrRead(@ForAll String text) {
    assertThatIllegalArgumentException().isThrownBy(() -> DurationText.parse(text + "!"));
  }
}
