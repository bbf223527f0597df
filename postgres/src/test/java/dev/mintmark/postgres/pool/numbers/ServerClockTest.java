package dev.mintmark.postgres.pool.numbers;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class ServerClockTest {
  private static final Instant START = Instant.parse("2026-03-01T12:00:00Z");
  private static final long SECOND = 1_000_000_000L;

  private final ServerClock clock = ServerClock.at(START, nanos(0));

  @Test
  void showsWhatHasPassedByTheMonotonicClock() {
    assertThat(shown(clock, 2 * SECOND)).isEqualTo(START.plusSeconds(2));
    assertThat(clock.nanosAt(clock.microsAt(nanos(2 * SECOND)))).isEqualTo(nanos(2 * SECOND));
  }

  @Test
  void answerThatCannotTellItWrongLeavesItAsItIs() {
    ServerClock.Reading reading = read(Duration.ofSeconds(9), 8 * SECOND, 10 * SECOND);

    assertThat(shown(reading.clock(), 10 * SECOND)).isEqualTo(START.plusSeconds(10));
    assertThat(reading.ahead()).isZero();
  }

  @Test
  void clockThatIsBehindStepsForwardByWhatIsProved() {
    ServerClock.Reading reading = read(Duration.ofSeconds(70), 8 * SECOND, 10 * SECOND);

    assertThat(shown(reading.clock(), 10 * SECOND)).isEqualTo(START.plusSeconds(70));
    assertThat(reading.ahead()).isZero();
  }

  @Test
  void clockThatIsAheadIsSlewed() {
    ServerClock.Reading reading = read(Duration.ofSeconds(-50), 10 * SECOND, 10 * SECOND);

    assertThat(shown(reading.clock(), 10 * SECOND))
        .isEqualTo(START.plusSeconds(10).minus(Duration.ofMillis(5)));
    assertThat(reading.ahead()).isEqualTo(Duration.ofSeconds(60).minusMillis(5));
  }

  @Test
  void clockThatIsAheadByLittleIsPutRight() {
    ServerClock.Reading reading =
        read(Duration.ofSeconds(10).minusMillis(3), 10 * SECOND, 10 * SECOND);

    assertThat(shown(reading.clock(), 10 * SECOND)).isEqualTo(START.plusMillis(9_997));
    assertThat(reading.ahead()).isZero();
  }

  private ServerClock.Reading read(Duration server, long sent, long received) {
    return clock.read(START.plus(server), nanos(sent), nanos(received));
  }

  /** What the monotonic clock shows, which runs over on the way. */
  private static long nanos(long later) {
    return Long.MAX_VALUE - SECOND + later;
  }

  private static Instant shown(ServerClock clock, long nanos) {
    return ServerClock.instant(clock.microsAt(nanos(nanos)));
  }
}
