package dev.mintmark.client;

import java.lang.reflect.UndeclaredThrowableException;
import java.time.Duration;

/**
 * A daemon thread that renews claims until it is closed, whatever the program throws on it. Safe
 * for use by many threads.
 */
final class Keeper {
  private final Ticker ticker;
  private final Thread thread;
  private volatile boolean isClosed;

  /** What the thread does. It is repeated if it fails before the thread is closed. */
  interface Rounds {
    void run() throws InterruptedException;
  }

  Keeper(String name, Ticker ticker, Rounds rounds) {
    this.ticker = ticker;
    this.thread = new Thread(() -> run(rounds), name);
    thread.setDaemon(true);
  }

  private void run(Rounds rounds) {
    while (!isClosed) {
      try {
        rounds.run();
        return;
      } catch (InterruptedException e) {
        // By close, or by the program.
      } catch (Throwable e) {
        report(e);
      }
    }
  }

  void start() {
    thread.start();
  }

  boolean isClosed() {
    return isClosed;
  }

  /**
   * Ends the thread, and returns when it has ended, unless this is the thread itself.
   *
   * @throws InterruptedCallException if the calling thread is interrupted before
   */
  void close() {
    isClosed = true;
    if (Thread.currentThread() != thread) {
      thread.interrupt();
      try {
        thread.join();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new InterruptedCallException(e);
      }
    }
  }

  /**
   * Calls the program on this thread. What it throws is reported as of a thread, and ends nothing.
   */
  void tell(Runnable callback) {
    try {
      callback.run();
    } catch (Throwable e) {
      report(e);
    } finally {
      forgetInterrupt();
    }
  }

  private void report(Throwable e) {
    try {
      thread.getUncaughtExceptionHandler().uncaughtException(thread, e);
    } catch (Throwable ignored) {
      // As the JVM ignores what a handler throws.
    }
  }

  /** Why a renewal failed, for the program, whose supplier of keys may throw anything. */
  RuntimeException failure(Throwable thrown) {
    forgetInterrupt();
    return thrown instanceof RuntimeException failure
        ? failure
        : new UndeclaredThrowableException(thrown, thrown.toString());
  }

  /** The program may have interrupted this thread. One of {@link #close} is seen by its flag. */
  private static void forgetInterrupt() {
    boolean unused = Thread.interrupted();
  }

  /** The monotonic clock. */
  long nanos() {
    return ticker.nanos();
  }

  /** Waits. Fails at once if this is closed. */
  void sleep(long nanos) throws InterruptedException {
    if (isClosed) {
      throw new InterruptedException();
    }
    if (nanos > 0) {
      ticker.sleep(Duration.ofNanos(nanos));
    }
  }
}
