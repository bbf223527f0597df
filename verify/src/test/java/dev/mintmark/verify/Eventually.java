package dev.mintmark.verify;

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

  private static void pause() {
    try {
      Thread.sleep(LOOK_EVERY_MILLIS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }
}
