package dev.mintmark.client;

import java.time.Duration;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;

/**
 * Exponential backoff with full jitter: before round {@code n} a random time between 0 and {@code
 * first * 2^n}, at most {@code max}. Clients that failed together do not come back together (Marc
 * Brooker, "Exponential Backoff And Jitter", 2015).
 */
record Backoff(Duration first, Duration max, Supplier<? extends RandomGenerator> random) {
  private static final int DOUBLINGS_MAX = 30;

  /** Returns how long to wait before another round. */
  Duration before(int round) {
    long longest =
        Math.min(max.toNanos(), first.toNanos() << Math.min(round, DOUBLINGS_MAX) & Long.MAX_VALUE);
    return Duration.ofNanos(random.get().nextLong(longest + 1));
  }
}
