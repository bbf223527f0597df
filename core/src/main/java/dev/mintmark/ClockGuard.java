package dev.mintmark;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.locks.LockSupport;

/**
 * The clock and the clock policy of a mint. It keeps no state: the mint holds the last identifier.
 *
 * <p>A mint calls {@link #millis}, computes the next identifier and, if that is ahead, calls {@link
 * #settle} before it takes it, so that a rejected identifier uses up nothing.
 *
 * <p>Thread-safe if the clock is.
 */
final class ClockGuard {
  /** Short compared with a millisecond, the usual wait; long compared with reading a clock. */
  private static final long STEP_NANOS = 100_000;

  private final InstantSource clock;
  private final ClockPolicy policy;
  private final long maxDriftMillis;

  ClockGuard(InstantSource clock, ClockPolicy policy) {
    this(clock, policy, Duration.ZERO);
  }

  ClockGuard(MintOptions options) {
    this(options.clock(), options.clockPolicy(), options.maxDrift());
  }

  private ClockGuard(InstantSource clock, ClockPolicy policy, Duration maxDrift) {
    this.clock = clock;
    this.policy = policy;
    this.maxDriftMillis = maxDrift.toMillis();
  }

  /**
   * Returns the time of the clock in milliseconds since 1970.
   *
   * @throws IllegalArgumentException if 64 bits cannot hold it
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
   * Whether the mint starts again at the clock rather than make an identifier of this time.
   *
   * @param idMillis in milliseconds since 1970
   */
  boolean returnsToClock(long idMillis) {
    return policy == ClockPolicy.RETURN_TO_CLOCK && idMillis - millis() > maxDriftMillis;
  }

  /**
   * Handles an identifier whose time was ahead of the last reading of the clock: returns if it is
   * no longer ahead by more than the greatest drift, otherwise applies the policy. A wait longer
   * than {@link ClockPolicy#WAIT_MAX} fails at once.
   *
   * @param idMillis the time of the identifier, in milliseconds since 1970
   * @throws MintException if the policy is to fail, if the clock did not catch up in time, or if
   *     the thread was interrupted while it waited; its interrupt flag stays set
   */
  void settle(long idMillis) {
    if (policy == ClockPolicy.KEEP_ASCENDING || policy == ClockPolicy.RETURN_TO_CLOCK) {
      return;
    }
    long started = System.nanoTime();
    long awaited = idMillis - maxDriftMillis;
    for (long millis = millis(); millis < awaited; millis = millis()) {
      if (policy == ClockPolicy.FAIL) {
        throw behind(millis, idMillis, "the mint fails rather than go ahead of it" + byMore());
      }
      if (awaited - millis > ClockPolicy.WAIT_MAX.toMillis()) {
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

  /** The time by which the clock is behind the last identifier; zero if it is not. */
  Duration drift(long lastMillis) {
    return Duration.ofMillis(Math.max(0, lastMillis - millis()));
  }

  private String byMore() {
    return maxDriftMillis == 0 ? "" : " by more than " + maxDriftMillis + " ms";
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
