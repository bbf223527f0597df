package dev.mintmark.verify;

import dev.mintmark.fixtures.Patience;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Supplier;

/** Waits for what another process will do in its own time. */
final class Eventually {
  private static final long LOOK_EVERY_MILLIS = 20;

  private Eventually() {}

  /** Looks again and again until there is something, and fails when it takes too long. */
  static <T> T present(Duration max, Supplier<Optional<T>> look) {
    long start = System.nanoTime();
    while (true) {
      Optional<T> found = look.get();
      if (found.isPresent()) {
        return found.get();
      }
      if (System.nanoTime() - start > max.toNanos()) {
        throw new AssertionError("nothing came in " + max);
      }
      pause();
    }
  }

  /**
   * Looks with the patience of all tests; a failure says what was in vain.
   *
   * @param state what is known when it fails
   */
  static <T> T present(String what, Supplier<String> state, Supplier<Optional<T>> look) {
    try {
      return present(Patience.MAX, look);
    } catch (AssertionError e) {
      throw new AssertionError("in vain: " + what + "\n" + state.get(), e);
    }
  }

  private static void pause() {
    try {
      Thread.sleep(LOOK_EVERY_MILLIS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }
}
