package dev.mintmark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class ClockGuardTest {
  private static final Instant NOW = Instant.parse("2024-05-01T12:00:00Z");
  private static final long NOW_MILLIS = NOW.toEpochMilli();

  @Test
  void keepAscendingLetsPassWhateverTheClockShows() {
    new ClockGuard(InstantSource.fixed(NOW), ClockPolicy.KEEP_ASCENDING)
        .settle(NOW_MILLIS + 3_600_000);
  }

  @Test
  void failLetsPassOnceTheClockHasCaughtUp() {
    new ClockGuard(InstantSource.fixed(NOW), ClockPolicy.FAIL).settle(NOW_MILLIS);
  }

  @Test
  void failSaysHowFarTheClockIsBehind() {
    ClockGuard guard = new ClockGuard(InstantSource.fixed(NOW), ClockPolicy.FAIL);

    assertThatExceptionOfType(MintException.class)
        .isThrownBy(() -> guard.settle(NOW_MILLIS + 3_600_000))
        .withMessage(
            "the clock is 3600000 ms behind the next identifier: the mint fails rather than go"
                + " ahead of it (clock=2024-05-01T12:00:00.000Z, next=2024-05-01T13:00:00.000Z)");
  }

  @Test
  void waitReadsTheClockUntilItHasCaughtUp() {
    AtomicLong millis = new AtomicLong(NOW_MILLIS);
    ClockGuard guard =
        new ClockGuard(() -> Instant.ofEpochMilli(millis.getAndIncrement()), ClockPolicy.WAIT);

    guard.settle(NOW_MILLIS + 5);

    assertThat(millis).hasValue(NOW_MILLIS + 6);
  }

  @Tag("slow")
  @Test
  void waitGivesUpOnAClockThatStandsStill() {
    ClockGuard guard = new ClockGuard(InstantSource.fixed(NOW), ClockPolicy.WAIT);

    assertThatExceptionOfType(MintException.class)
        .isThrownBy(() -> guard.settle(NOW_MILLIS + 1))
        .withMessageStartingWith(
            "the clock is 1 ms behind the next identifier: the mint has waited for 2000 ms");
  }

  @Test
  void waitRefusesAtOnceWhatItCannotReach() {
    AtomicLong readings = new AtomicLong();
    InstantSource clock =
        () -> {
          readings.incrementAndGet();
          return NOW;
        };
    ClockGuard guard = new ClockGuard(clock, ClockPolicy.WAIT);

    assertThatExceptionOfType(MintException.class)
        .isThrownBy(() -> guard.settle(NOW_MILLIS + 2_001))
        .withMessageStartingWith(
            "the clock is 2001 ms behind the next identifier: the mint waits for 2000 ms at most");
    assertThat(readings).hasValue(1);
  }

  @Test
  void waitBeginsForWhatItCanJustReach() {
    AtomicLong millis = new AtomicLong(NOW_MILLIS - 2_000);
    InstantSource clock = () -> Instant.ofEpochMilli(millis.getAndAdd(2_000));

    new ClockGuard(clock, ClockPolicy.WAIT).settle(NOW_MILLIS);

    assertThat(millis).hasValue(NOW_MILLIS + 2_000);
  }

  @Test
  void returnToClockAllowsTheGreatestDriftAndNoMore() {
    ClockGuard guard = withDrift(ClockPolicy.RETURN_TO_CLOCK);

    assertThat(guard.returnsToClock(NOW_MILLIS + 5)).isFalse();
    assertThat(guard.returnsToClock(NOW_MILLIS + 6)).isTrue();
    guard.settle(NOW_MILLIS + 3_600_000);
    assertThat(withDrift(ClockPolicy.FAIL).returnsToClock(NOW_MILLIS + 6)).isFalse();
  }

  @Test
  void failSaysWhatDriftItAllows() {
    ClockGuard guard = withDrift(ClockPolicy.FAIL);

    guard.settle(NOW_MILLIS + 5);
    assertThatExceptionOfType(MintException.class)
        .isThrownBy(() -> guard.settle(NOW_MILLIS + 6))
        .withMessageStartingWith(
            "the clock is 6 ms behind the next identifier: the mint fails rather than go ahead of"
                + " it by more than 5 ms (clock=");
  }

  private static ClockGuard withDrift(ClockPolicy policy) {
    return new ClockGuard(
        MintOptions.DEFAULT
            .withClock(InstantSource.fixed(NOW))
            .withClockPolicy(policy)
            .withMaxDrift(Duration.ofMillis(5)));
  }

  @Test
  void interruptEndsTheWaitAndIsNotLost() {
    ClockGuard guard = new ClockGuard(InstantSource.fixed(NOW), ClockPolicy.WAIT);
    Thread.currentThread().interrupt();

    assertThatExceptionOfType(MintException.class)
        .isThrownBy(() -> guard.settle(NOW_MILLIS + 1))
        .withMessageContaining("interrupted");
    assertThat(Thread.interrupted()).isTrue();
  }

  @Test
  void driftIsWhatTheClockIsBehind() {
    ClockGuard guard = new ClockGuard(InstantSource.fixed(NOW), ClockPolicy.WAIT);

    assertThat(guard.drift(NOW_MILLIS + 7)).isEqualTo(Duration.ofMillis(7));
    assertThat(guard.drift(NOW_MILLIS - 7)).isEqualTo(Duration.ZERO);
  }

  @Test
  void clockBeyondTheMillisecondsOf64BitsIsRefused() {
    ClockGuard guard = new ClockGuard(InstantSource.fixed(Instant.MAX), ClockPolicy.WAIT);

    assertThatIllegalArgumentException()
        .isThrownBy(guard::millis)
        .withMessageEndingWith("64 bits cannot count its milliseconds");
  }
}
