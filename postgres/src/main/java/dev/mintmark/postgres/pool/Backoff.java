package dev.mintmark.postgres.pool;

import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.LockSupport;

/**
 * Pauses between attempts: each is up to twice as long as the pause before, and random, so that two
 * claims that met do not meet again. For one thread.
 */
final class Backoff {
  private static final long FIRST_MILLIS = 4;
  private static final int DOUBLINGS_MAX = 5;

  private final long beganNanos;
  private int pauses;

  Backoff() {
    this(System.nanoTime());
  }

  /**
   * @param beganNanos when something began to wait, in terms of {@link System#nanoTime}
   */
  Backoff(long beganNanos) {
    this.beganNanos = beganNanos;
  }

  /** The time since it began. */
  Duration elapsed() {
    return Duration.ofNanos(System.nanoTime() - beganNanos);
  }

  /** The number of pauses so far. */
  int pauses() {
    return pauses;
  }

  /** Waits 2 to 4 ms, then 4 to 8 ms, up to 64 to 128 ms. */
  void pause() {
    long millis = FIRST_MILLIS << Math.min(pauses, DOUBLINGS_MAX);
    pauses++;
    LockSupport.parkNanos(
        Duration.ofMillis(ThreadLocalRandom.current().nextLong(millis / 2, millis + 1)).toNanos());
  }
}
