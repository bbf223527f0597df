package dev.mintmark.app.http;

import java.time.Duration;
import java.util.function.LongSupplier;

/**
 * Whether requests should be sent to the server: whether its database answered lately, and it is
 * not stopping. The sweeper asks the database every second, so that a probe asks nothing.
 * Thread-safe.
 */
final class Readiness {
  /** A database that has not answered for so long hangs. */
  static final Duration PATIENCE = Duration.ofSeconds(5);

  private final LongSupplier nanoTime;
  private volatile long answeredNanos;
  private volatile boolean failed;
  private volatile boolean stopping;

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

  /** The server still answers, but is going to stop. */
  void stopping() {
    stopping = true;
  }

  boolean isReady() {
    return !stopping && !failed && nanoTime.getAsLong() - answeredNanos < PATIENCE.toNanos();
  }

  /** Why it is not ready, if it is not. */
  String reason() {
    return stopping ? "the server is stopping" : "the database has not answered for a while";
  }
}
