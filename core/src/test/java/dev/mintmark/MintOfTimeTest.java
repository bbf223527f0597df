package dev.mintmark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.HashSet;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.LongRange;
import org.junit.jupiter.api.Test;

/** Identifiers of a time that the caller gives. */
class MintOfTimeTest {
  private static final Instant TIME = Instant.parse("2022-02-22T19:22:22.123456789Z");

  @Property
  void ulidAndUuidV7HaveTheMillisecondOfTheTime(
      @ForAll @LongRange(max = Ulid.TIME_MILLIS_MAX) long millis) {
    Instant time = Instant.ofEpochMilli(millis);

    Ulid ulid = Ulid.mint(time.plusNanos(999_999));
    UUID uuid = Uuids.mintV7(time.plusNanos(999_999));

    assertThat(ulid.time()).isEqualTo(time);
    assertThat(Uuids.time(uuid)).contains(time);
    assertThat(Uuids.version(uuid)).isEqualTo(7);
    assertThat(Uuids.variant(uuid)).isEqualTo(2);
    assertThat(Uuids.compare(uuid, Uuids.minV7(time))).isNotNegative();
    assertThat(Uuids.compare(uuid, Uuids.maxV7(time))).isNotPositive();
  }

  @Property
  void uuidV6HasTheHundredNanosecondsOfTheTime(
      @ForAll @LongRange(min = -12_219_292_800L, max = 103_072_857_659L) long second,
      @ForAll @LongRange(max = 9_999_999) long ticks) {
    Instant time = Instant.ofEpochSecond(second, ticks * 100);

    UUID uuid = Uuids.mintV6(time.plusNanos(99));

    assertThat(Uuids.time(uuid)).contains(time);
    assertThat(Uuids.version(uuid)).isEqualTo(6);
    assertThat(Uuids.variant(uuid)).isEqualTo(2);
    assertThat(Uuids.node(uuid) >>> 40 & 1).as("multicast").isEqualTo(1);
    assertThat(Uuids.compare(uuid, Uuids.minV6(time))).isPositive();
    assertThat(Uuids.compare(uuid, Uuids.maxV6(time))).isNotPositive();
  }

  /** The time and the fields of RFC 9562, appendix A.5. */
  @Test
  void uuidV6OfTheExampleBeginsAsThere() {
    UUID uuid =
        Uuids.mintV6(InstantSource.fixed(Instant.parse("2022-02-22T19:22:22Z")), new Random(1));

    assertThat(uuid.toString()).startsWith("1ec9414c-232a-6b00-");
  }

  @Test
  void identifiersOfOneTimeDiffer() {
    Set<Object> minted = new HashSet<>();
    for (int i = 0; i < 1_000; i++) {
      minted.add(Ulid.mint(TIME));
      minted.add(Uuids.mintV7(TIME));
      minted.add(Uuids.mintV6(TIME));
    }

    assertThat(minted).hasSize(3_000);
  }

  @Test
  void allBitsButThoseOfTheTimeVary() {
    long ones = 0;
    long zeros = 0;
    for (int i = 0; i < 200; i++) {
      long low = Uuids.mintV6(TIME).getLeastSignificantBits();
      ones |= low;
      zeros |= ~low;
    }

    assertThat(Long.bitCount(ones & zeros)).isEqualTo(61);
  }

  @Test
  void systemTimeIsUsedWithoutOne() {
    Instant before = Instant.now().truncatedTo(ChronoUnit.MILLIS);

    assertThat(Uuids.time(Uuids.mintV6()).orElseThrow()).isAfterOrEqualTo(before);
  }

  @Test
  void timeOutOfRangeIsRefused() {
    assertThatIllegalArgumentException().isThrownBy(() -> Ulid.mint(Instant.EPOCH.minusNanos(1)));
    assertThatIllegalArgumentException().isThrownBy(() -> Uuids.mintV7(Instant.MAX));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Uuids.mintV6(Instant.parse("1582-10-14T23:59:59Z")));
  }
}
