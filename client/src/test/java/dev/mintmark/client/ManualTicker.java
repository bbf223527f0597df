package dev.mintmark.client;

import dev.mintmark.fixtures.Patience;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * A clock that a test moves. A pause is over when the clock has passed its end; or at once, and
 * moves the clock.
 */
final class ManualTicker implements Ticker {
  private final boolean movesItself;
  private final List<Duration> pauses = new ArrayList<>();
  private long nanos = Long.MAX_VALUE - 1_000; // It overflows soon, as that of a JVM may.
  private int sleepers;

  ManualTicker(boolean movesItself) {
    this.movesItself = movesItself;
  }

  @Override
  public synchronized long nanos() {
    return nanos;
  }

  @Override
  public synchronized void sleep(Duration length) throws InterruptedException {
    if (Thread.interrupted()) {
      throw new InterruptedException();
    }
    pauses.add(length);
    if (movesItself) {
      nanos += length.toNanos();
      return;
    }
    long end = nanos + length.toNanos();
    sleepers++;
    notifyAll();
    try {
      while (end - nanos > 0) {
        wait();
      }
    } finally {
      sleepers--;
    }
  }

  synchronized void advance(Duration length) {
    nanos += length.toNanos();
    notifyAll();
  }

  /** Waits until a thread pauses. */
  synchronized void awaitSleeper() throws InterruptedException {
    awaitSleepers(1);
  }

  /** Waits until so many threads pause. */
  synchronized void awaitSleepers(int count) throws InterruptedException {
    long start = System.nanoTime();
    while (sleepers < count) {
      if (System.nanoTime() - start > Patience.MAX.toNanos()) {
        throw new AssertionError("no thread pauses");
      }
      wait(20);
    }
  }

  synchronized List<Duration> pauses() {
    return List.copyOf(pauses);
  }
}
