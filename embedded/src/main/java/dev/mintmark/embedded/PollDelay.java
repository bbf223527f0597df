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
    try {
      Thread.sleep(millis);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new StartupException("interrupted while waiting for PostgreSQL");
    }
  }
}
