package dev.mintmark.operations.migrate;

import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Pauses between tries that double, from a first one to a longest one, for as long as patience
 * lasts.
 */
final class Pause {
  private static final int DOUBLINGS_MAX = 20;

  private final Duration first;
  private final Duration longest;
  private final long deadlineNanos;
  private int tries;

  /** The patience begins now. */
  Pause(Duration first, Duration longest, Duration patience) {
    this.first = first;
    this.longest = longest;
    this.deadlineNanos = System.nanoTime() + patience.toNanos();
  }

  boolean isPatienceOver() {
    return System.nanoTime() - deadlineNanos >= 0;
  }

  /** How long to wait now: others who wait for the same do not all come back at once. */
  Duration next() {
    long nanos = Math.min(longest.toNanos(), first.toNanos() << Math.min(tries, DOUBLINGS_MAX));
    tries++;
    return Duration.ofNanos(ThreadLocalRandom.current().nextLong(nanos / 2, nanos + 1));
  }

  /**
   * Waits.
   *
   * @throws MigrationException if the thread is interrupted; it stays so
   */
  static void sleep(Duration howLong) {
    try {
      Thread.sleep(howLong.toMillis(), howLong.toNanosPart() % 1_000_000);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw interrupted();
    }
  }

  static MigrationException interrupted() {
    return new MigrationException("the run was interrupted; resume goes on with the migration");
  }
}
