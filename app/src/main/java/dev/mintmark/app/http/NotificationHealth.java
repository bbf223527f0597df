package dev.mintmark.app.http;

import java.time.Duration;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;

/**
 * Reports when notifications stop arriving for a while, and when they arrive again. Not
 * thread-safe.
 */
final class NotificationHealth {
  /** A connection that was opened a moment ago has not received its own notification yet. */
  private static final Duration PATIENCE = Duration.ofSeconds(5);

  private final BooleanSupplier arriving;
  private final LongSupplier nanoTime;
  private long lastArrivalNanos;
  private boolean silent;

  /**
   * @param arriving whether notifications arrive at present
   * @param nanoTime the clock
   */
  NotificationHealth(BooleanSupplier arriving, LongSupplier nanoTime) {
    this.arriving = arriving;
    this.nanoTime = nanoTime;
    this.lastArrivalNanos = nanoTime.getAsLong();
  }

  /** The database failed: until it has answered for a while, silence means nothing. */
  void databaseFailed() {
    lastArrivalNanos = nanoTime.getAsLong();
  }

  /** Returns whether notifications arrive, if that has changed since the last call. */
  Optional<Boolean> change() {
    long now = nanoTime.getAsLong();
    if (arriving.getAsBoolean()) {
      lastArrivalNanos = now;
      if (silent) {
        silent = false;
        return Optional.of(true);
      }
    } else if (!silent && now - lastArrivalNanos >= PATIENCE.toNanos()) {
      silent = true;
      return Optional.of(false);
    }
    return Optional.empty();
  }
}
