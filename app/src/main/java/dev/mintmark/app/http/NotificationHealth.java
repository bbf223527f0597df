package dev.mintmark.app.http;

import java.time.Duration;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;

/**
 * Reports when notifications stop arriving for a while, and when they arrive again. Only time
 * during which the database answers counts: one that is down or hangs says nothing. Not
 * thread-safe.
 */
final class NotificationHealth {
  /** A connection that was opened a moment ago has not received its own notification yet. */
  private static final Duration PATIENCE = Duration.ofSeconds(5);

  private final BooleanSupplier arriving;
  private final LongSupplier nanoTime;
  private long lastArrivalNanos;
  private long lastLookNanos;
  private boolean silent;

  /**
   * @param arriving whether notifications arrive at present
   * @param nanoTime the clock
   */
  NotificationHealth(BooleanSupplier arriving, LongSupplier nanoTime) {
    this.arriving = arriving;
    this.nanoTime = nanoTime;
    startOver();
  }

  /** The database failed, or answers again: silence means nothing until it has answered a while. */
  void startOver() {
    lastArrivalNanos = nanoTime.getAsLong();
    lastLookNanos = lastArrivalNanos;
  }

  /**
   * Returns whether notifications arrive, if that has changed since the last call. Called after
   * each answer of the database.
   */
  Optional<Boolean> change() {
    long now = nanoTime.getAsLong();
    if (now - lastLookNanos >= PATIENCE.toNanos()) {
      startOver(); // The database hung, or this process was suspended.
    }
    lastLookNanos = now;
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
