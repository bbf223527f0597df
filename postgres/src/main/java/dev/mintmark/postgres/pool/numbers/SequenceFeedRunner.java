package dev.mintmark.postgres.pool.numbers;

import dev.mintmark.postgres.internal.RepeatingTask;
import java.sql.SQLException;
import java.time.Duration;

/**
 * Refills a sequence repeatedly, in a thread of its own, until it is closed. Any number of
 * instances may run one for the same sequence. Safe for use by many threads.
 */
public final class SequenceFeedRunner implements AutoCloseable {
  private final SequenceFeed feed;
  private final Listener listener;
  private final RepeatingTask task;

  /** Receives the result of each refill, in the thread that refills. */
  public interface Listener {
    /** A refill succeeded. */
    void refilled(RefillResult result);

    /** A refill failed. It is repeated after the interval. */
    void failed(Exception reason);
  }

  private SequenceFeedRunner(SequenceFeed feed, Duration interval, Listener listener) {
    this.feed = feed;
    this.listener = listener;
    this.task = RepeatingTask.start("mintmark-feed-" + feed.sequence(), interval, this::refill);
  }

  /**
   * Refills at once, and then at least once per {@code interval}.
   *
   * @param interval at least 100 ms; the numbers that the feed keeps ahead must last for several
   *     intervals
   * @throws IllegalArgumentException if the interval is too short
   */
  public static SequenceFeedRunner start(SequenceFeed feed, Duration interval, Listener listener) {
    return new SequenceFeedRunner(feed, interval, listener);
  }

  /** Stops, after a refill that is under way. */
  @Override
  public void close() {
    task.close();
  }

  private void refill() {
    try {
      listener.refilled(feed.refill());
    } catch (SQLException | RuntimeException e) {
      listener.failed(e);
    }
  }
}
