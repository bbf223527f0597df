package dev.mintmark.operations.migrate;

import java.time.Duration;

/**
 * Limits of a run on a database that is in use.
 *
 * @param lockTimeout how long a statement waits for a lock, and other sessions behind it; 1 ms to
 *     10 s
 * @param lockPatience how long the run retries before it ends; it can then be resumed
 * @param batch how long a batch of rows may take, and another writer of one of its rows may wait; 1
 *     ms to 10 s
 * @param batchRowsMax the greatest number of rows in a batch, 1 to 100,000
 * @param replicaLagMax the run waits while a standby lags further
 * @param transactionAgeMax the run waits while a transaction is older: until it ends, vacuum cannot
 *     remove the rows that batches replace
 * @param walBytesPerSecondMax the run waits while the server writes more write-ahead log a second,
 *     its own included
 */
public record Pace(
    Duration lockTimeout,
    Duration lockPatience,
    Duration batch,
    int batchRowsMax,
    Duration replicaLagMax,
    Duration transactionAgeMax,
    long walBytesPerSecondMax) {
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
}
