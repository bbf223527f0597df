package dev.mintmark.testkit;

/**
 * How many values of a pool are in which state, in one snapshot. Each value is in exactly one
 * state, so the numbers add up to the capacity.
 *
 * @param capacity all values of the pool
 * @param free values that were issued and can be claimed
 * @param neverIssued values that were never issued and can be claimed
 * @param held values that a client holds, whether the lease has ended or not
 * @param quarantined values that are quarantined
 * @param draining values of drained blocks that are not held
 * @param twofold values in more than one of these states; 0 unless something is wrong
 */
public record PoolCounts(
    long capacity,
    long free,
    long neverIssued,
    long held,
    long quarantined,
    long draining,
    long twofold) {
  /** Whether every value is counted exactly once. */
  public boolean addsUp() {
    return twofold == 0
        && Math.min(Math.min(free, neverIssued), Math.min(held, Math.min(quarantined, draining)))
            >= 0
        && free + neverIssued + held + quarantined + draining == capacity;
  }

  @Override
  public String toString() {
    return "(free=%s, never issued=%s, held=%s, quarantined=%s, draining=%s, capacity=%s, twofold=%s)"
        .formatted(free, neverIssued, held, quarantined, draining, capacity, twofold);
  }
}
