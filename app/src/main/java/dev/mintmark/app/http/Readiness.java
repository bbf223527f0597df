package dev.mintmark.app.http;

import java.time.Duration;
import java.util.function.LongSupplier;

/**
 * Whether requests should be sent to the server: whether its database answered lately, and it is
 * neither warming up nor stopping. The sweeper asks the database every second, so that a probe asks
 * nothing. Thread-safe.
 */
final class Readiness {
  /** A database that has not answered for so long hangs. */
  static final Duration PATIENCE = Duration.ofSeconds(5);

  private final LongSupplier nanoTime;
  private volatile long answeredNanos;
  private volatile boolean failed;
  private volatile boolean warming;
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

  /** The server answers, but slowly, because Java has not compiled it yet. */
  void warming() {
    warming = true;
  }

  void warmed() {
    warming = false;
  }

  /** The server still answers, but is going to stop. */
  void stopping() {
    stopping = true;
  }

  boolean isReady() {
    return !stopping
        && !warming
        && !failed
        && nanoTime.getAsLong() - answeredNanos < PATIENCE.toNanos();
  }

  /** Why it is not ready, if it is not. */
  String reason() {
    if (stopping) {
      return "the server is stopping";
    }
    return warming ? "the server is warming up" : "the database has not answered for a while";
  }
}
