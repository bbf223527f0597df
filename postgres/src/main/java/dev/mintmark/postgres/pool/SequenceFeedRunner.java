package dev.mintmark.postgres.pool;

import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;

/**
 * Refills a sequence now and again, in a thread of its own, until it is closed. Any number of
 * instances may run one for the same sequence. Safe for use by many threads.
 */
public final class SequenceFeedRunner implements AutoCloseable {
  private final SequenceFeed feed;
  private final Duration interval;
  private final Listener listener;
  private final CountDownLatch closed = new CountDownLatch(1);
  private final Thread thread;

  /** Who is told what came of it, by the thread that refills. */
  public interface Listener {
    /** What a refill found and did. */
    void refilled(RefillResult result);

    /** A refill failed; another one is made after the interval. */
    void failed(Exception reason);
  }

  private SequenceFeedRunner(SequenceFeed feed, Duration interval, Listener listener) {
    this.feed = feed;
    this.interval = interval;
    this.listener = listener;
    this.thread = new Thread(this::run, "mintmark-feed-" + feed.sequence());
    thread.setDaemon(true);
  }

  /**
   * Refills at once, and then after about every {@code interval}.
   *
   * @param interval 100 ms at least; the numbers that the feed keeps ahead must last for several
   * @throws IllegalArgumentException if the interval is too short
   */
  public static SequenceFeedRunner start(SequenceFeed feed, Duration interval, Listener listener) {
    if (interval.toMillis() < 100) {
      throw new IllegalArgumentException("interval is " + interval + ": expected 100 ms at least");
    }
    SequenceFeedRunner runner = new SequenceFeedRunner(feed, interval, listener);
    runner.thread.start();
    return runner;
  }

  /** Stops, having waited for a refill that is under way. */
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
        listener.refilled(feed.refill());
      } catch (SQLException | RuntimeException e) {
        tell(e);
      }
    } while (!isClosedWithin(jittered(interval)));
  }

  /** A listener that fails does not keep the sequence from being refilled. */
  private void tell(Exception reason) {
    try {
      listener.failed(reason);
    } catch (RuntimeException e) {
      thread.getUncaughtExceptionHandler().uncaughtException(thread, e);
    }
  }

  /** Not all instances at once. */
  private static Duration jittered(Duration interval) {
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
