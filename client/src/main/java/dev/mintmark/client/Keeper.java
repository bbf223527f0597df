package dev.mintmark.client;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;

/** A daemon thread that renews claims until it is closed. Safe for use by many threads. */
final class Keeper {
  private final Ticker ticker;
  private final Thread thread;
  private final AtomicBoolean isClosed = new AtomicBoolean();

  /** What the thread does; it ends when it is interrupted. */
  interface Rounds {
    void run() throws InterruptedException;
  }

  Keeper(String name, Ticker ticker, Rounds rounds) {
    this.ticker = ticker;
    this.thread = new Thread(() -> run(rounds), name);
    thread.setDaemon(true);
  }

  private static void run(Rounds rounds) {
    try {
      rounds.run();
    } catch (InterruptedException | InterruptedCallException e) {
      // It was closed.
    }
  }

  void start() {
    thread.start();
  }

  boolean isClosed() {
    return isClosed.get();
  }

  /**
   * Ends the thread, and returns when it has ended, unless this is the thread itself.
   *
   * @return false if it was closed before
   */
  boolean close() {
    if (!isClosed.compareAndSet(false, true)) {
      return false;
    }
    if (Thread.currentThread() != thread) {
      thread.interrupt();
      try {
        thread.join();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new InterruptedCallException(e);
      }
    }
    return true;
  }

  /**
   * Calls the program on this thread. What it throws is reported as of a thread, and ends nothing.
   */
  void tell(Runnable callback) {
    try {
      callback.run();
    } catch (RuntimeException e) {
      thread.getUncaughtExceptionHandler().uncaughtException(thread, e);
    }
  }

  /** The monotonic clock. */
  long nanos() {
    return ticker.nanos();
  }

  void sleep(long nanos) throws InterruptedException {
    if (nanos > 0) {
      ticker.sleep(Duration.ofNanos(nanos));
    }
  }
}
