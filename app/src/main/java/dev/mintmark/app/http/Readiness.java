package dev.mintmark.app.http;

import java.time.Duration;
import java.util.function.LongSupplier;

/**
 * Whether the server can answer requests: whether its database answered lately. The sweeper asks it
 * every second, so that a probe asks nothing. Thread-safe.
 */
final class Readiness {
  /** A database that has not answered for so long hangs. */
  static final Duration PATIENCE = Duration.ofSeconds(5);

  private final LongSupplier nanoTime;
  private volatile long answeredNanos;
  private volatile boolean failed;

  /**
   * @param nanoTime the clock
   */
  Readiness(LongSupplier nanoTime) {
    this.nanoTime = nanoTime;
    answered();
  }

  /** The database answered. */
  void answered() {
    answeredNanos = nanoTime.getAsLong();
    failed = false;
  }

  /** The database failed. */
  void failed() {
    failed = true;
  }

  boolean isReady() {
    return !failed && nanoTime.getAsLong() - answeredNanos < PATIENCE.toNanos();
  }
}
