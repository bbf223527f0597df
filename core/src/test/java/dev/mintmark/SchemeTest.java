package dev.mintmark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.assertj.core.api.Assertions.withinPercentage;

import dev.mintmark.Scheme.Sorting;
import dev.mintmark.Scheme.Uniqueness;
import java.math.BigInteger;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class SchemeTest {
  private static final Duration YEAR = Duration.ofDays(365);

  @Test
  void exampleInTheDocumentationHolds() {
    assertThat(Scheme.ULID.lastTime())
        .contains(Instant.parse("+10889-08-02T05:31:50.655Z"))
        .contains(Instant.ofEpochMilli(Ulid.TIME_MILLIS_MAX));
    assertThat(Scheme.UUIDV7.collisionOdds(1_000_000, YEAR)).isCloseTo(8.3e-7, within(5e-9));
  }

  @ParameterizedTest
  @CsvSource({
    "ULID, 10889",
    "ULID_MICROSECOND, 10889",
    "UUIDV7, 10889",
    "UUIDV7_MICROSECOND, 10889",
    "UUIDV7_DRAFT, 4147",
    "UUIDV6, 5236",
    "SNOWFLAKE_TWITTER, 2080",
    "SNOWFLAKE_DISCORD, 2154",
    "SNOWFLAKE_INSTAGRAM, 2081",
    "SNOWFLAKE_SONY, 2188",
    "TSID, 2159",
    "KSUID, 2150",
    "OBJECTID, 2106",
    "XID, 2106",
  })
  void lastYearFollowsFromTheBitsOfTime(Scheme scheme, int year) {
    assertThat(scheme.lastTime().orElseThrow().atOffset(ZoneOffset.UTC).getYear()).isEqualTo(year);
  }

  @Test
  void lastTimeIsTheLastTickThatFits() {
    assertThat(Scheme.UUIDV7_DRAFT.lastTime())
        .contains(Instant.ofEpochSecond(0xF_FFFF_FFFFL).plusMillis(999));
    assertThat(Scheme.ULID_MICROSECOND.lastTime())
        .contains(Instant.parse("+10889-08-02T05:31:50.655999Z"));
    assertThat(Scheme.UUIDV4.lastTime()).isEmpty();
    assertThat(Scheme.SEQUENCE_BIGINT.lastTime()).isEmpty();
  }

  @Test
  void layoutsThatWeReadHaveTheSameNumbers() {
    assertThat(Scheme.UUIDV7.randomBits()).isEqualTo(randomBits(UuidLayouts.UUID_V7));
    assertThat(Scheme.UUIDV4.randomBits()).isEqualTo(randomBits(UuidLayouts.UUID_V4));
    assertThat(Scheme.ULID.randomBits()).isEqualTo(randomBits(SortableLayouts.ULID));
    assertThat(Scheme.UUIDV7_DRAFT.randomBits()).isEqualTo(randomBits(UuidLayouts.UUID_V7_DRAFT));
    assertThat(Scheme.ULID.characters()).isEqualTo(Crockford32.LENGTH);
    assertThat(Scheme.UUIDV4.characters()).isEqualTo(Uuids.mintV4().toString().length());
  }

  @Test
  void textsAreAsLongAsTheirNumbersNeed() {
    BigInteger ksuids = BigInteger.TWO.pow(160);

    assertThat(Long.toString(Long.MAX_VALUE)).hasSize(Scheme.SEQUENCE_BIGINT.characters());
    assertThat(Integer.toString(Integer.MAX_VALUE)).hasSize(Scheme.SEQUENCE_INTEGER.characters());
    assertThat(Long.toUnsignedString(-1)).hasSize(Scheme.SNOWFLAKE_DISCORD.characters());
    assertThat(BigInteger.valueOf(62).pow(Scheme.KSUID.characters())).isGreaterThan(ksuids);
    assertThat(BigInteger.valueOf(62).pow(Scheme.KSUID.characters() - 1)).isLessThan(ksuids);
    assertThat(BigInteger.valueOf(64).pow(Scheme.NANOID.characters()))
        .isEqualTo(BigInteger.TWO.pow(Scheme.NANOID.randomBits()));
  }

  @ParameterizedTest
  @EnumSource
  void timeAndRandomnessFitInTheBytes(Scheme scheme) {
    assertThat(scheme.timeBits() + scheme.randomBits()).isBetween(0, scheme.bytes() * Byte.SIZE);
    assertThat(scheme.timeBits() > 0).isEqualTo(scheme.tick().isPresent());
    assertThat(scheme.label()).matches("[a-z0-9 ]{3,19}");
  }

  @Test
  void labelsAreDistinct() {
    assertThat(Arrays.stream(Scheme.values()).map(Scheme::label)).doesNotHaveDuplicates();
  }

  @Test
  void tickIsThatOfTheFinestBits() {
    assertThat(Scheme.ULID.tick()).contains(Duration.ofMillis(1));
    assertThat(Scheme.ULID_MICROSECOND.tick()).contains(Duration.ofNanos(1000));
    assertThat(Scheme.UUIDV7_MICROSECOND.tick()).contains(Duration.ofNanos(244));
    assertThat(Scheme.UUIDV6.tick()).contains(Duration.ofNanos(100));
    assertThat(Scheme.UUIDV4.tick()).isEqualTo(Optional.empty());
  }

  /** Seed 002 takes 2^35 for an even chance of its ULID with microseconds. */
  @Test
  void evenChanceOfAMicrosecondUlidIsNotAtTwoToThe35() {
    assertThat(Scheme.ULID_MICROSECOND.idsForEvenOdds().orElseThrow())
        .isCloseTo(4.05e10, withinPercentage(0.2));
    assertThat(Scheme.ULID_MICROSECOND.collisionOddsInOneTick(4.04555e10))
        .isCloseTo(0.5, within(1e-4));
    assertThat(Scheme.ULID_MICROSECOND.collisionOddsInOneTick(Math.pow(2, 35)))
        .isCloseTo(0.39, within(0.005));
  }

  @Test
  void evenChanceOfAUlidIsAsItsDocumentationSays() {
    assertThat(Scheme.ULID.idsForEvenOdds().orElseThrow()).isCloseTo(1.3e12, withinPercentage(1));
  }

  @Test
  void oddsOfTheTiniestAreNotLost() {
    assertThat(Scheme.NANOID.collisionOddsInOneTick(2)).isEqualTo(Math.pow(2, -126));
    assertThat(Scheme.NANOID.collisionOddsInOneTick(1)).isZero();
    assertThat(Scheme.KSUID.collisionOdds(1e-6, Duration.ofMillis(1))).isPositive();
  }

  @Test
  void oddsGrowWithTheSquareOfTheRateAndWithTheTime() {
    double odds = Scheme.UUIDV7.collisionOdds(1_000, YEAR);

    assertThat(Scheme.UUIDV7.collisionOdds(10_000, YEAR)).isCloseTo(100 * odds, relative(odds));
    assertThat(Scheme.UUIDV7.collisionOdds(1_000, YEAR.multipliedBy(10)))
        .isCloseTo(10 * odds, relative(odds));
    assertThat(Scheme.UUIDV4.collisionOdds(1_000, YEAR.multipliedBy(10)))
        .isCloseTo(100 * Scheme.UUIDV4.collisionOdds(1_000, YEAR), withinPercentage(0.001));
    assertThat(Scheme.OBJECTID.collisionOdds(1e12, YEAR)).isOne();
  }

  /** The formula against dice: 2^13 numbers a tick, thrown into ticks at random. */
  @Test
  void formulaAgreesWithAnExperiment() {
    Random random = new Random(42);
    int ids = 2_000;
    int ticks = 50;
    int numbers = 1 << 13;
    int runs = 4_000;

    long collided =
        IntStream.range(0, runs)
            .filter(
                run -> {
                  Set<Integer> seen = new HashSet<>();
                  return IntStream.range(0, ids)
                      .anyMatch(
                          id ->
                              !seen.add(random.nextInt(ticks) * numbers + random.nextInt(numbers)));
                })
            .count();

    double expectedPairs = (double) ids * ids / ticks / 2 / numbers;
    assertThat(collided / (double) runs).isCloseTo(-Math.expm1(-expectedPairs), within(0.01));
  }

  @Test
  void whatDiffersForSureNeverCollides() {
    for (Scheme scheme : Scheme.values()) {
      if (scheme.uniqueness() != Uniqueness.BY_CHANCE) {
        assertThat(scheme.collisionOdds(1e12, YEAR)).isZero();
        assertThat(scheme.collisionOddsInOneTick(1e12)).isZero();
        assertThat(scheme.idsForEvenOdds()).isEmpty();
      }
    }
    assertThat(Scheme.SNOWFLAKE_TWITTER.uniqueness()).isEqualTo(Uniqueness.BY_NODE);
    assertThat(Scheme.TSID.uniqueness()).isEqualTo(Uniqueness.BY_NODE);
    assertThat(Tsid.of(-1).toString()).hasSize(Scheme.TSID.characters());
    assertThat(Xid.mint().toString()).hasSize(Scheme.XID.characters());
    assertThat(Xid.mint().toBytes()).hasSize(Scheme.XID.bytes());
    assertThat(Scheme.SEQUENCE_BIGINT.uniqueness()).isEqualTo(Uniqueness.BY_COUNTER);
    assertThat(Scheme.UUIDV1.uniqueness().label()).isEqualTo("by-node");
  }

  @Test
  void counterIsFullWhenItsLastNumberIsHandedOut() {
    assertThat(Scheme.SEQUENCE_INTEGER.secondsUntilFull(1_000).orElseThrow())
        .isEqualTo(2_147_483.648);
    assertThat(Scheme.SEQUENCE_BIGINT.secondsUntilFull(1).orElseThrow()).isEqualTo(0x1p63);
    assertThat(Scheme.SNOWFLAKE_SONY.secondsUntilFull(1)).isEmpty();
  }

  @Test
  void sortingTellsWhatAKindIsGoodFor() {
    assertThat(Scheme.UUIDV4.sorting()).isEqualTo(Sorting.NONE);
    assertThat(Scheme.UUIDV7.sorting().label()).isEqualTo("by-tick");
    assertThat(Scheme.ULID_ASCENDING.sorting()).isEqualTo(Sorting.ASCENDING);
  }

  private static int randomBits(Layout layout) {
    return layout.slots().stream().filter(Slot::isRandom).mapToInt(Slot::width).sum();
  }

  private static Offset<Double> relative(double value) {
    return within(value * 1e-4);
  }
}
