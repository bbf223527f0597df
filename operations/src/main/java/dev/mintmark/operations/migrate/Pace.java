package dev.mintmark.operations.migrate;

import java.time.Duration;

/**
 * Limits of a run on a database that is in use.
 *
 * @param lockTimeout how long a statement waits for a lock, and other sessions behind it; 1 ms to
 *     10 s
 * @param lockPatience how long the run retries before it ends, 0 or more; it can then be resumed
 * @param batch how long a batch of rows may take, and another writer of one of its rows may wait; 1
 *     ms to 10 s
 * @param batchRowsMax the greatest number of rows in a batch, 1 to 100,000
 * @param replicaLagMax the run waits while a standby lags further; 0 or more
 * @param transactionAgeMax the run waits while a transaction is older: until it ends, vacuum cannot
 *     remove the rows that batches replace; 0 or more
 * @param walBytesPerSecondMax the run waits while the server writes more write-ahead log a second,
 *     its own included; 1 or more
 */
public record Pace(
    Duration lockTimeout,
    Duration lockPatience,
    Duration batch,
    int batchRowsMax,
    Duration replicaLagMax,
    Duration transactionAgeMax,
    long walBytesPerSecondMax) {
  private static final Duration BRIEF_MIN = Duration.ofMillis(1);
  private static final Duration BRIEF_MAX = Duration.ofSeconds(10);
  private static final int BATCH_ROWS_MAX = 100_000;

  /** For tables in use: 100 ms for a lock, 50 ms for a batch. */
  public static final Pace GENTLE =
      new Pace(
          Duration.ofMillis(100),
          Duration.ofMinutes(10),
          Duration.ofMillis(50),
          10_000,
          Duration.ofSeconds(10),
          Duration.ofMinutes(30),
          64L << 20);

  /** For a database without other users; only locks still have a timeout. */
  public static final Pace FULL =
      new Pace(
          Duration.ofMillis(100),
          Duration.ofMinutes(10),
          Duration.ofSeconds(2),
          50_000,
          Duration.ofDays(1),
          Duration.ofDays(3650),
          Long.MAX_VALUE);

  /**
   * Checks the ranges.
   *
   * @throws IllegalArgumentException if a value is out of its range
   */
  public Pace {
    requireBrief("lock timeout", lockTimeout);
    requireNotNegative("lock patience", lockPatience);
    requireBrief("time of a batch", batch);
    if (batchRowsMax < 1 || batchRowsMax > BATCH_ROWS_MAX) {
      throw new IllegalArgumentException(
          "%s rows in a batch: expected 1 to %s".formatted(batchRowsMax, BATCH_ROWS_MAX));
    }
    requireNotNegative("replica lag", replicaLagMax);
    requireNotNegative("transaction age", transactionAgeMax);
    if (walBytesPerSecondMax < 1) {
      throw new IllegalArgumentException(
          "%s bytes of write-ahead log a second: expected 1 or more"
              .formatted(walBytesPerSecondMax));
    }
  }

  private static void requireBrief(String which, Duration time) {
    if (time.compareTo(BRIEF_MIN) < 0 || time.compareTo(BRIEF_MAX) > 0) {
      throw new IllegalArgumentException("%s %s: expected 1 ms to 10 s".formatted(which, time));
    }
  }

  private static void requireNotNegative(String which, Duration time) {
    if (time.isNegative()) {
      throw new IllegalArgumentException("%s %s: expected 0 or more".formatted(which, time));
    }
  }
}
