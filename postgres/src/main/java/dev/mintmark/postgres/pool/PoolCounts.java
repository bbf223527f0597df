package dev.mintmark.postgres.pool;

/**
 * How many values of a pool are in which state, in one snapshot. Each value is in just one, so they
 * add up to the capacity.
 *
 * @param capacity all values that the pool has
 * @param free was handed out before, and is there for the next who asks
 * @param neverIssued was never handed out, and is there for the next who asks
 * @param held by a client, its lease ended or not
 * @param quarantined given back, resting
 * @param draining not handed out any more
 * @param twofold in more than one of these states; 0 unless something is wrong
 */
record PoolCounts(
    long capacity,
    long free,
    long neverIssued,
    long held,
    long quarantined,
    long draining,
    long twofold) {
  /** Whether every value is accounted for once. */
  boolean addsUp() {
    return twofold == 0
        && Math.min(Math.min(free, neverIssued), Math.min(held, Math.min(quarantined, draining)))
            >= 0
        && free + neverIssued + held + quarantined + draining == capacity;
  }

  @Override
  public String toString() {
    return "(free=%d, never issued=%d, held=%d, quarantined=%d, draining=%d, capacity=%d, twofold=%d)"
        .formatted(free, neverIssued, held, quarantined, draining, capacity, twofold);
  }
}
