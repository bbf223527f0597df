package dev.mintmark.embedded;

/** The delay between two polls of a state that sends no notification. */
final class PollDelay {
  private PollDelay() {}

  /**
   * Sleeps.
   *
   * @throws StartupException if the thread is interrupted; its interrupt flag stays set
   */
  static void sleepMillis(long millis) {
    if (!trySleepMillis(millis)) {
      Thread.currentThread().interrupt();
      throw new StartupException("interrupted while waiting for PostgreSQL");
    }
  }

  /** Sleeps. Returns {@code false} if the thread is interrupted; its interrupt flag is cleared. */
  static boolean trySleepMillis(long millis) {
    try {
      Thread.sleep(millis);
      return true;
    } catch (InterruptedException e) {
      return false;
    }
  }
}
