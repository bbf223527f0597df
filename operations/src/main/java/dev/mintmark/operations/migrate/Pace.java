package dev.mintmark.operations.migrate;

import java.time.Duration;

/**
 * How much a run may ask of a database that others use.
 *
 * @param lockTimeout how long a statement waits for a lock, and so how long others can wait behind
 *     it; 1 ms to 10 s
 * @param lockPatience how long it is tried again before the run ends, to be resumed
 * @param batch how long a batch of rows may take, and so how long another writer of one of its rows
 *     waits; 1 ms to 10 s
 * @param batchRowsMax how many rows a batch has at most, 1 to 100,000
 * @param replicaLagMax how far behind a standby may be before the run waits
 * @param transactionAgeMax how old the oldest transaction may be before the run waits, for until it
 *     ends the rows that batches replace cannot be cleaned away
 * @param walBytesPerSecondMax how much write-ahead log the server may write a second, the run's own
 *     and that of others, before the run waits
 */
public record Pace(
    Duration lockTimeout,
    Duration lockPatience,
    Duration batch,
    int batchRowsMax,
    Duration replicaLagMax,
    Duration transactionAgeMax,
    long walBytesPerSecondMax) {
  /** For a table that others use: 100 ms for a lock, 50 ms for a batch. */
  public static final Pace GENTLE =
      new Pace(
          Duration.ofMillis(100),
          Duration.ofMinutes(10),
          Duration.ofMillis(50),
          10_000,
          Duration.ofSeconds(10),
          Duration.ofMinutes(30),
          64L << 20);

  /** For a database that nobody else uses at the time: only locks are still asked for gently. */
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
