package dev.mintmark.app.embedded;

/** Waits between two looks at something that announces itself to nobody. */
final class Pause {
  private Pause() {}

  /**
   * Sleeps.
   *
   * @throws StartupException if the thread is interrupted, which stays so
   */
  static void millis(long millis) {
    try {
      Thread.sleep(millis);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new StartupException("interrupted while waiting for PostgreSQL");
    }
  }
}
