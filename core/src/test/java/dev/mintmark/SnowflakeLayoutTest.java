package dev.mintmark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SnowflakeLayoutTest {
  @Test
  void exampleInTheDocumentationHolds() {
    SnowflakeLayout ours = SnowflakeLayout.TWITTER.withEpoch(Instant.parse("2025-01-01T00:00:00Z"));

    assertThat(ours.timeMax()).isEqualTo("2094-09-07T15:47:35.551Z");
    assertThat(ours.nodeMax()).isEqualTo(1023);
    assertThat(ours.sequenceMax()).isEqualTo(4095);
  }

  @ParameterizedTest
  @CsvSource({
    "twitter, 63, 2010-11-04T01:42:54.657Z, 2080-07-10T17:30:30.208Z",
    "discord, 64, 2015-01-01T00:00:00.000Z, 2154-05-15T07:35:11.103Z",
    "instagram, 64, 2011-08-24T21:07:01.721Z, 2081-04-30T12:54:37.272Z",
    "sony, 63, 2014-09-01T00:00:00.000Z, 2188-11-16T03:28:58.879Z"
  })
  void tableInTheDocumentationHolds(String name, int bits, Instant epoch, Instant timeMax) {
    SnowflakeLayout layout = SnowflakeTest.layout(name);

    assertThat(layout.bits()).isEqualTo(bits);
    assertThat(layout.epoch()).isEqualTo(epoch);
    assertThat(layout.timeMax()).isEqualTo(timeMax);
  }

  @Test
  void layoutsOf64BitsPassTheSignedHalfWhenTheDocumentationSays() {
    Snowflake half = Snowflake.of(Long.MIN_VALUE);

    assertThat(half.time(SnowflakeLayout.DISCORD)).isEqualTo("2084-09-06T15:47:35.552Z");
    assertThat(half.time(SnowflakeLayout.INSTAGRAM)).isEqualTo("2046-06-27T17:00:49.497Z");
  }

  @ParameterizedTest
  @CsvSource({
    "0, 41, 10, 12, unit of 0 milliseconds: expected 1 to 1000",
    "1001, 41, 10, 12, unit of 1001 milliseconds: expected 1 to 1000",
    "1, 0, 10, 12, time of 0 bits: expected 1 to 48",
    "1, 49, 1, 1, time of 49 bits: expected 1 to 48",
    "1, 20, -1, 12, node of -1 bits: expected 0 to 31",
    "1, 20, 32, 12, node of 32 bits: expected 0 to 31",
    "1, 20, 10, -1, sequence of -1 bits: expected 0 to 31",
    "1, 20, 10, 32, sequence of 32 bits: expected 0 to 31",
    "1, 42, 0, 21, time and sequence of 63 bits: expected 1 to 62",
    "1, 43, 10, 12, 'time, node and sequence of 65 bits: expected 1 to 64'"
  })
  void partOutOfRangeIsRefused(
      int unitMillis, int timeBits, int nodeBits, int sequenceBits, String message) {
    assertThatIllegalArgumentException()
        .isThrownBy(
            () ->
                new SnowflakeLayout(
                    Instant.EPOCH, unitMillis, timeBits, nodeBits, sequenceBits, false))
        .withMessage(message);
  }

  @ParameterizedTest
  @CsvSource({
    "1969-12-31T23:59:59.999Z",
    "+10000-01-01T00:00:00Z",
    "2025-01-01T00:00:00.000001Z",
    "-1000000000-01-01T00:00:00Z",
    "+1000000000-12-31T23:59:59.999999999Z"
  })
  void epochIsRefused(Instant epoch) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> SnowflakeLayout.TWITTER.withEpoch(epoch))
        .withMessage("epoch %s: expected a whole millisecond from 1970 to 9999", epoch);
  }

  @Test
  void largestLayoutStillHasADate() {
    SnowflakeLayout layout =
        new SnowflakeLayout(Instant.parse("9999-12-31T23:59:59.999Z"), 1_000, 48, 2, 14, true);

    assertThat(layout.timeMax()).isAfter("+8900000-01-01T00:00:00Z");
  }
}
