package dev.mintmark.postgres.pool;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mintmark.postgres.pool.SliceTerm.Now;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class SliceTermTest {
  private static final Instant AT = Instant.parse("2026-01-01T00:00:00Z");

  /** The clocks of the machine show something else than that of the database. */
  private static final Now SENT = new Now(-5_000_000_000L, 1_000);

  private static final Duration LENGTH = Duration.ofSeconds(20);

  /** The lease less a two-hundredth and 50 ms. */
  private static final Duration USABLE = Duration.ofMillis(19_850);

  private final SliceTerm term = new SliceTerm(AT, SENT, LENGTH);

  private static Now after(Duration time) {
    return new Now(SENT.nanos() + time.toNanos(), SENT.wallMillis() + time.toMillis());
  }

  @Test
  void itEndsBeforeTheLeaseOfTheDatabase() {
    assertThat(term.isOver(SENT)).isFalse();
    assertThat(term.isOver(after(USABLE.minusNanos(1)))).isFalse();
    assertThat(term.isOver(after(USABLE))).isTrue();
    assertThat(term.isOver(after(LENGTH))).isTrue();
  }

  @Test
  void theClockThatSaysMoreCounts() {
    Now suspended = new Now(SENT.nanos(), SENT.wallMillis() + USABLE.toMillis());
    Now setBack = new Now(SENT.nanos() + USABLE.toNanos(), SENT.wallMillis() - 3_600_000);

    assertThat(term.isOver(suspended)).isTrue();
    assertThat(term.isOver(setBack)).isTrue();
    assertThat(term.age(suspended)).isEqualTo(USABLE);
    assertThat(term.age(setBack)).isEqualTo(USABLE);
  }

  @Test
  void noTimeHasPassedIfBothClocksWentBack() {
    Now before = new Now(SENT.nanos() - 1, SENT.wallMillis() - 1);

    assertThat(term.age(before)).isZero();
    assertThat(term.time(before)).isEqualTo(AT);
  }

  @Test
  void aClaimEndsWithTheTermAtTheLatest() {
    Now later = after(Duration.ofSeconds(1));
    Duration left = USABLE.minusSeconds(1);

    assertThat(term.time(later)).isEqualTo(AT.plusSeconds(1));
    assertThat(term.end(later, left)).contains(AT.plus(USABLE));
    assertThat(term.end(later, left.plusNanos(1))).isEmpty();
  }

  @Test
  void itsAgeCountsFromTheRequest() {
    Duration age = Duration.ofSeconds(3);

    assertThat(term.isOlderThan(age, after(age.minusMillis(1)))).isFalse();
    assertThat(term.isOlderThan(age, after(age))).isTrue();
  }
}
