package dev.mintmark.postgres.internal;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;

/**
 * Runs a task repeatedly in a daemon thread of its own until it is closed. An exception of the task
 * goes to the thread's handler of uncaught exceptions, and the task is run again. Safe for use by
 * many threads.
 */
public final class RepeatingTask implements AutoCloseable {
  private static final int INTERVAL_MIN_MILLIS = 100;

  private final Runnable task;
  private final Duration interval;
  private final CountDownLatch closed = new CountDownLatch(1);
  private final Thread thread;

  private RepeatingTask(String threadName, Duration interval, Runnable task) {
    this.task = task;
    this.interval = interval;
    this.thread = new Thread(this::run, threadName);
    thread.setDaemon(true);
  }

  /**
   * Runs the task at once, and then repeatedly after a random part of the interval, between half of
   * it and all of it: several instances do not run it at the same time.
   *
   * @param interval at least 100 ms
   * @throws IllegalArgumentException if the interval is too short
   */
  public static RepeatingTask start(String threadName, Duration interval, Runnable task) {
    if (interval.toMillis() < INTERVAL_MIN_MILLIS) {
      throw new IllegalArgumentException(
          "interval is " + interval + ": expected at least " + INTERVAL_MIN_MILLIS + " ms");
    }
    RepeatingTask repeating = new RepeatingTask(threadName, interval, task);
    repeating.thread.start();
    return repeating;
  }

  /** Stops, after a run that is under way. Returns at once if the task itself calls it. */
  @Override
  public void close() {
    closed.countDown();
    boolean interrupted = false;
    while (thread.isAlive() && thread != Thread.currentThread()) {
      try {
        thread.join();
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  private void run() {
    do {
      try {
        task.run();
      } catch (RuntimeException e) {
        thread.getUncaughtExceptionHandler().uncaughtException(thread, e);
      }
    } while (!isClosedWithin(jittered()));
  }

  private Duration jittered() {
    long millis = interval.toMillis();
    return Duration.ofMillis(ThreadLocalRandom.current().nextLong(millis / 2, millis + 1));
  }

  private boolean isClosedWithin(Duration pause) {
    try {
      return closed.await(pause.toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      return true;
    }
  }
}
