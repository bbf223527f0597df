package dev.mintmark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Instant;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;
import net.jqwik.api.constraints.StringLength;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;

class SnowflakeTest {
  private static final Instant TIME = Instant.parse("2024-05-01T12:00:00.123Z");

  @Test
  void exampleInTheDocumentationHolds() {
    Snowflake id = Snowflake.parse("175928847299117063");

    assertThat(id.time(SnowflakeLayout.DISCORD)).isEqualTo("2016-04-30T11:18:25.796Z");
    assertThat(id.node(SnowflakeLayout.DISCORD)).isEqualTo(32);
    assertThat(id.sequence(SnowflakeLayout.DISCORD)).isEqualTo(7);
  }

  @ParameterizedTest
  @MethodSource("dev.mintmark.Vectors#snowflakes")
  void vectorIsReadAsItSays(JsonNode vector) {
    SnowflakeLayout layout = layout(vector.path("layout").stringValue());
    String input = vector.path("input").stringValue();

    if (vector.has("reason")) {
      assertThatExceptionOfType(MalformedIdException.class)
          .isThrownBy(() -> Snowflake.parse(layout, input))
          .withMessageStartingWith("malformed Snowflake \"")
          .withMessageEndingWith(vector.path("reason").stringValue());
    } else {
      Snowflake id = Snowflake.parse(layout, input);
      Instant time = Instant.parse(vector.path("time").stringValue());
      int node = vector.path("node").intValue();
      int sequence = vector.path("sequence").intValue();
      assertThat(id.time(layout)).isEqualTo(time);
      assertThat(id.node(layout)).isEqualTo(node);
      assertThat(id.sequence(layout)).isEqualTo(sequence);
      assertThat(id).hasToString(input).isEqualTo(Snowflake.of(layout, time, node, sequence));
    }
  }

  @Property
  void textReadsBack(@ForAll long bits) {
    Snowflake id = Snowflake.of(bits);

    assertThat(id.toLong()).isEqualTo(bits);
    assertThat(Snowflake.parse(id.toString())).isEqualTo(id).hasSameHashCodeAs(id);
    assertThat(Snowflake.tryParse(id.toString())).contains(id);
  }

  @Property
  void anyTextIsReadOrRefused(@ForAll @StringLength(max = 40) String text) {
    if (!text.matches("0|[1-9][0-9]{0,18}")) {
      assertThat(Snowflake.tryParse(text)).isEmpty();
      assertThatExceptionOfType(MalformedIdException.class).isThrownBy(() -> Snowflake.parse(text));
    }
  }

  @Test
  void textOfMegabytesIsRefusedShortly() {
    String text = "9".repeat(10_000_000);

    assertThatThrownBy(() -> Snowflake.parse(text))
        .isInstanceOf(MalformedIdException.class)
        .hasMessageEndingWith("it exceeds 64 bits")
        .message()
        .hasSizeLessThan(200);
  }

  @Test
  void orderIsUnsigned() {
    assertThat(Snowflake.of(Long.MAX_VALUE)).isLessThan(Snowflake.of(Long.MIN_VALUE));
    assertThat(Snowflake.of(-1)).isGreaterThan(Snowflake.of(0)).isNotEqualTo(Snowflake.of(0));
  }

  @Property
  void partsOfAnyLayoutAreFoundAgain(
      @ForAll @IntRange(min = 1, max = 48) int timeBits,
      @ForAll @IntRange(max = 31) int nodeBits,
      @ForAll @IntRange(max = 31) int sequenceBits,
      @ForAll boolean sequenceFirst,
      @ForAll @IntRange(min = 1, max = 1_000) int unitMillis,
      @ForAll long bits) {
    if (timeBits + sequenceBits <= 62 && timeBits + nodeBits + sequenceBits <= 64) {
      SnowflakeLayout layout =
          new SnowflakeLayout(TIME, unitMillis, timeBits, nodeBits, sequenceBits, sequenceFirst);
      Snowflake id = Snowflake.of(bits >>> (Long.SIZE - timeBits - nodeBits - sequenceBits));

      assertThat(id.time(layout)).isBetween(TIME, layout.timeMax());
      assertThat(Snowflake.of(layout, id.time(layout), id.node(layout), id.sequence(layout)))
          .isEqualTo(id);
    }
  }

  @Property
  void idsOfATimeAreBetweenItsFirstAndLast(
      @ForAll @IntRange(max = 65535) int node,
      @ForAll @IntRange(max = 255) int sequence,
      @ForAll @LongRange(min = 0, max = 9) long millis) {
    SnowflakeLayout sony = SnowflakeLayout.SONY;
    Instant unit = Instant.parse("2024-05-01T12:00:00.120Z");

    Snowflake id = Snowflake.of(sony, unit.plusMillis(millis), node, sequence);

    assertThat(id.time(sony)).isEqualTo(unit);
    assertThat(id)
        .isBetween(Snowflake.min(sony, unit), Snowflake.max(sony, unit))
        .isLessThan(Snowflake.min(sony, unit.plusMillis(10)))
        .isGreaterThan(Snowflake.max(sony, unit.minusNanos(1)));
  }

  @Test
  void rangeEndsBeforeItsSecondTime() {
    SnowflakeLayout twitter = SnowflakeLayout.TWITTER;

    IdRange<Snowflake> range = Snowflake.range(twitter, TIME, TIME.plusMillis(2));

    assertThat(range.first()).isEqualTo(Snowflake.of(twitter, TIME, 0, 0));
    assertThat(range.last()).isEqualTo(Snowflake.of(twitter, TIME.plusMillis(1), 1023, 4095));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Snowflake.range(twitter, TIME, TIME))
        .withMessage("time %s is not before %s", TIME, TIME);
  }

  @Test
  void rangeMayEndWithTheLayout() {
    for (SnowflakeLayout layout :
        new SnowflakeLayout[] {
          SnowflakeLayout.TWITTER,
          SnowflakeLayout.DISCORD,
          SnowflakeLayout.INSTAGRAM,
          SnowflakeLayout.SONY
        }) {
      IdRange<Snowflake> all =
          Snowflake.range(layout, layout.epoch(), layout.timeMax().plusMillis(1));

      assertThat(all.first()).isEqualTo(Snowflake.of(0));
      assertThat(all.last()).isEqualTo(Snowflake.of(-1L >>> (Long.SIZE - layout.bits())));
    }
  }

  @Test
  void timeOutsideOfTheLayoutIsRefused() {
    for (Instant time :
        new Instant[] {
          Instant.MIN,
          SnowflakeLayout.TWITTER.epoch().minusNanos(1),
          SnowflakeLayout.TWITTER.timeMax().plusMillis(1),
          Instant.MAX
        }) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> Snowflake.min(SnowflakeLayout.TWITTER, time))
          .withMessage(
              "time %s: expected 2010-11-04T01:42:54.657Z to 2080-07-10T17:30:30.208Z", time);
    }
  }

  @ParameterizedTest
  @CsvSource({
    "-1, 0, node -1: expected 0 to 1023",
    "1024, 0, node 1024: expected 0 to 1023",
    "0, -1, sequence -1: expected 0 to 4095",
    "0, 4096, sequence 4096: expected 0 to 4095"
  })
  void partOutOfRangeIsRefused(int node, int sequence, String message) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Snowflake.of(SnowflakeLayout.TWITTER, TIME, node, sequence))
        .withMessage(message);
  }

  @Test
  void layoutWithFewerBitsTakesNothingApart() {
    Snowflake id = Snowflake.of(-1);

    assertThatIllegalArgumentException()
        .isThrownBy(() -> id.time(SnowflakeLayout.TWITTER))
        .withMessage("Snowflake 18446744073709551615: it exceeds the 63 bits of its layout");
    assertThatIllegalArgumentException().isThrownBy(() -> id.node(SnowflakeLayout.SONY));
    assertThatIllegalArgumentException().isThrownBy(() -> id.sequence(SnowflakeLayout.SONY));
  }

  static SnowflakeLayout layout(String name) {
    return switch (name) {
      case "twitter" -> SnowflakeLayout.TWITTER;
      case "discord" -> SnowflakeLayout.DISCORD;
      case "instagram" -> SnowflakeLayout.INSTAGRAM;
      case "sony" -> SnowflakeLayout.SONY;
      default -> throw new AssertionError(name);
    };
  }
}
