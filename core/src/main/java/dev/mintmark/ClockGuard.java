package dev.mintmark;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.locks.LockSupport;

/**
 * The clock of a mint, and what the mint does when its next identifier would be ahead of it. Reads
 * the clock and keeps nothing: the mint holds the last identifier.
 *
 * <p>A mint calls {@link #millis}, works out the next identifier, and where that is ahead calls
 * {@link #settle} before it takes it, so that a single identifier which is refused uses up nothing.
 *
 * <p>Safe in any number of threads if the clock is.
 */
final class ClockGuard {
  /**
   * Short beside a millisecond, which is what is mostly waited for; long beside reading a clock.
   */
  private static final long STEP_NANOS = 100_000;

  private final InstantSource clock;
  private final ClockPolicy policy;

  ClockGuard(InstantSource clock, ClockPolicy policy) {
    this.clock = clock;
    this.policy = policy;
  }

  /**
   * What the clock shows, in milliseconds since 1970.
   *
   * @throws IllegalArgumentException if 64 bits cannot count them
   */
  long millis() {
    try {
      return clock.millis();
    } catch (ArithmeticException e) {
      throw new IllegalArgumentException(
          "time " + clock.instant() + ": 64 bits cannot count its milliseconds", e);
    }
  }

  /**
   * Lets an identifier pass whose time was ahead of the clock when that was last read: at once if
   * it no longer is, otherwise as the policy says. To wait for longer than {@link
   * ClockPolicy#WAIT_MAX} is refused at once.
   *
   * @param idMillis the time that the identifier would carry, in milliseconds since 1970
   * @throws MintException if the policy is to fail, or if the clock did not catch up in time, or if
   *     the thread was interrupted while it waited; its interrupt flag stays set
   */
  void settle(long idMillis) {
    if (policy == ClockPolicy.KEEP_ASCENDING) {
      return;
    }
    long started = System.nanoTime();
    for (long millis = millis(); millis < idMillis; millis = millis()) {
      if (policy == ClockPolicy.FAIL) {
        throw behind(millis, idMillis, "the mint fails rather than go ahead of it");
      }
      if (idMillis - millis > ClockPolicy.WAIT_MAX.toMillis()) {
        throw behind(millis, idMillis, "the mint waits for " + waitMax() + " at most");
      }
      if (System.nanoTime() - started > ClockPolicy.WAIT_MAX.toNanos()) {
        throw behind(millis, idMillis, "the mint has waited for " + waitMax());
      }
      if (Thread.currentThread().isInterrupted()) {
        throw behind(millis, idMillis, "the mint was interrupted while it waited");
      }
      LockSupport.parkNanos(this, STEP_NANOS);
    }
  }

  /** How far the clock is behind the last identifier's milliseconds; zero if it is not. */
  Duration drift(long lastMillis) {
    return Duration.ofMillis(Math.max(0, lastMillis - millis()));
  }

  private static String waitMax() {
    return ClockPolicy.WAIT_MAX.toMillis() + " ms";
  }

  private static MintException behind(long millis, long idMillis, String why) {
    return new MintException(
        "the clock is "
            + (idMillis - millis)
            + " ms behind the next identifier: "
            + why
            + " (clock="
            + Form.timeText(Instant.ofEpochMilli(millis))
            + ", next="
            + Form.timeText(Instant.ofEpochMilli(idMillis))
            + ")");
  }
}
