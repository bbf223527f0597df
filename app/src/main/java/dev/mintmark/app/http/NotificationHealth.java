package dev.mintmark.app.http;

import java.time.Duration;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;

/**
 * Whether notifications are heard, as change: nothing as long as all is well, once when they have
 * not been for a while, and once when they are again. For one thread.
 */
final class NotificationHealth {
  /** A connection that was opened a moment ago, or is opened anew, has not heard itself yet. */
  private static final Duration PATIENCE = Duration.ofSeconds(5);

  private final BooleanSupplier heard;
  private final LongSupplier nanoTime;
  private long heardNanos;
  private boolean told;

  /**
   * @param heard whether they are heard at present
   * @param nanoTime the clock
   */
  NotificationHealth(BooleanSupplier heard, LongSupplier nanoTime) {
    this.heard = heard;
    this.nanoTime = nanoTime;
    this.heardNanos = nanoTime.getAsLong();
  }

  /** What has changed since this was last asked, if anything: whether they are heard now. */
  Optional<Boolean> change() {
    long now = nanoTime.getAsLong();
    if (heard.getAsBoolean()) {
      heardNanos = now;
      if (told) {
        told = false;
        return Optional.of(true);
      }
    } else if (!told && now - heardNanos >= PATIENCE.toNanos()) {
      told = true;
      return Optional.of(false);
    }
    return Optional.empty();
  }
}
