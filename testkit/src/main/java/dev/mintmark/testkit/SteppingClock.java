package dev.mintmark.testkit;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Objects;

/**
 * A clock for tests: it stands still, except that each reading moves it on by a step.
 *
 * <pre>{@code
 * SteppingClock clock = SteppingClock.from(Instant.parse("2026-01-01T00:00:00Z"));
 * clock.instant();                         // 2026-01-01T00:00:00Z
 * clock.instant();                         // 2026-01-01T00:00:00.001Z
 * clock.advance(Duration.ofHours(-1));     // as if somebody set it back
 * }</pre>
 *
 * <p>Thread-safe. Which of two threads reads the earlier time is not defined.
 */
public final class SteppingClock implements InstantSource {
  private static final Duration MILLISECOND = Duration.ofMillis(1);

  private final Duration step;
  private Instant next;

  private SteppingClock(Instant start, Duration step) {
    this.next = Objects.requireNonNull(start, "start");
    this.step = Objects.requireNonNull(step, "step");
  }

  /** Returns a clock whose first reading is {@code start}, and that moves on by a millisecond. */
  public static SteppingClock from(Instant start) {
    return from(start, MILLISECOND);
  }

  /**
   * Returns a clock whose first reading is {@code start}.
   *
   * @param step how far each reading moves it on: zero to let it stand still, negative to let it
   *     run backwards
   */
  public static SteppingClock from(Instant start, Duration step) {
    return new SteppingClock(start, step);
  }

  /** Returns the time, and moves the clock on by its step. */
  @Override
  public synchronized Instant instant() {
    Instant now = next;
    next = now.plus(step);
    return now;
  }

  /** Returns the time of the next reading, without moving the clock. */
  public synchronized Instant peek() {
    return next;
  }

  /** Moves the clock by a time, backwards if it is negative. */
  public synchronized void advance(Duration by) {
    next = next.plus(by);
  }

  /** Sets the time of the next reading. */
  public synchronized void set(Instant time) {
    next = Objects.requireNonNull(time, "time");
  }

  /** Returns its time and its step, for messages. */
  @Override
  public synchronized String toString() {
    return "clock at " + next + ", step " + step;
  }
}
