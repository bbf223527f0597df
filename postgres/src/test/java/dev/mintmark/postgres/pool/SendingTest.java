package dev.mintmark.postgres.pool;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/**
 * How and until when claims are sent, without a database. What began an hour ago is over, and what
 * begins in an hour is not, however slow the machine is.
 */
class SendingTest {
  private static final Backoff LONG_AGO = new Backoff(fromNow(Duration.ofHours(-1)));
  private static final Backoff LATER = new Backoff(fromNow(Duration.ofHours(1)));
  private static final Sending QUICK = Sending.quick();

  private static long fromNow(Duration time) {
    return System.nanoTime() + time.toNanos();
  }

  private static Sending waiting(Backoff since) {
    return new Sending(true, since, Optional.empty());
  }

  private static Backoff rounds(int pauses) {
    Backoff rounds = new Backoff();
    for (int i = 0; i < pauses; i++) {
      rounds.pause();
    }
    return rounds;
  }

  @Test
  void aBatchWaitsForNoLockButThatOfOneStatement() {
    assertThat(QUICK.isQuick()).isTrue();
    assertThat(QUICK.lockLimit()).isEqualTo(Claimer.BATCH_PATIENCE);
    assertThat(QUICK.inParts().isQuick()).isFalse();
    assertThat(waiting(LATER).isQuick()).isFalse();
    assertThat(Sending.waiting(fromNow(Duration.ofHours(1))).waits()).isTrue();
    assertThat(Sending.waiting(fromNow(Duration.ofHours(1))).lockLimit())
        .isGreaterThan(Duration.ofMinutes(59));
  }

  @Test
  void aClaimWaitsAsLongAsItsPatienceLastsAndOnceMore() {
    assertThat(waiting(LONG_AGO).lockLimit()).isEqualTo(Duration.ofMillis(100));
    assertThat(waiting(LATER).lockLimit()).isGreaterThan(Claimer.PATIENCE);
    Backoff justNow = new Backoff();
    assertThat(Sending.patienceLeft(justNow)).isBetween(Duration.ofMillis(100), Claimer.PATIENCE);
  }

  @Test
  void partsWaitForAShortTimeEach() {
    for (Sending sending : new Sending[] {QUICK, waiting(LONG_AGO)}) {
      Sending parts = sending.inParts();

      assertThat(parts.lockLimit()).isEqualTo(Duration.ofMillis(10));
      assertThat(parts.inParts()).as("the time counts from the first division").isSameAs(parts);
      assertThat(parts.waits()).isEqualTo(sending.waits());
      assertThat(parts.since()).isSameAs(sending.since());
    }
  }

  @Test
  void aBatchIsDividedForASecond() {
    assertThat(QUICK.mayBeParted()).isTrue();
    assertThat(new Sending(false, LATER, Optional.of(LATER)).mayBeParted()).isTrue();
    assertThat(new Sending(false, LATER, Optional.of(LONG_AGO)).mayBeParted()).isFalse();
    Backoff aSecondAgo = new Backoff(fromNow(Duration.ofSeconds(-1)));
    assertThat(new Sending(false, LATER, Optional.of(aSecondAgo)).mayBeParted()).isFalse();
  }

  @Test
  void whatDoesNotWaitIsSentFourTimes() {
    assertThat(QUICK.isOver(rounds(2), false)).isFalse();
    assertThat(QUICK.isOver(rounds(3), false)).isTrue();
    assertThat(QUICK.isOver(rounds(0), true)).as("one round took too long").isTrue();
  }

  @Test
  void whatWaitsIsSentTwiceAtLeastAndUntilItsPatienceIsOver() {
    Backoff once = rounds(1);

    assertThat(waiting(LONG_AGO).isOver(rounds(0), true)).isFalse();
    assertThat(waiting(LONG_AGO).isOver(once, false)).isTrue();
    assertThat(waiting(LATER).isOver(rounds(3), true)).isFalse();
    Backoff exactly = new Backoff(System.nanoTime() - Claimer.PATIENCE.toNanos());
    assertThat(waiting(exactly).isOver(once, false)).isTrue();
  }
}
