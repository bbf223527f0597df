package dev.mintmark.postgres.pool;

/**
 * How many values of a pool are in which state, in one snapshot of the database.
 *
 * @param free handed out to the next who asks
 * @param held by a client
 * @param quarantined given back, resting before they are handed out again
 */
public record PoolStats(long free, long held, long quarantined) {
  /** All values the pool hands out: every one is in just one of the three states. */
  public long capacity() {
    return free + held + quarantined;
  }

  @Override
  public String toString() {
    return "(held=%d, quarantined=%d, free=%d)".formatted(held, quarantined, free);
  }
}
