package dev.mintmark.postgres.pool;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.List;

/**
 * How many values of a pool are in which state, in one snapshot of the database.
 *
 * @param blocks the pool's blocks, in the order they were added
 */
public record PoolStats(List<BlockStats> blocks) {
  public PoolStats {
    blocks = List.copyOf(blocks);
  }

  /**
   * How many values of a block are in which state.
   *
   * @param block the block as it was declared
   * @param drains whether the block is drained
   * @param free values that can be claimed
   * @param neverIssued free values that were not drawn from the block yet; a part of {@code free}
   * @param held values that clients hold
   * @param quarantined values that are quarantined
   * @param draining values that are neither held nor quarantined and will not be granted: those of
   *     a drained block, and excluded values that were free when they were excluded, until the next
   *     sweep
   */
  public record BlockStats(
      String block,
      boolean drains,
      BigInteger free,
      BigInteger neverIssued,
      BigInteger held,
      BigInteger quarantined,
      BigInteger draining) {
    /**
     * The number of values of the block: each is in exactly one of the four states. Excluded values
     * are counted while they are held or quarantined.
     */
    public BigInteger capacity() {
      return free.add(held).add(quarantined).add(draining);
    }

    /** The share of values that are not free, as {@link PoolUsage#usedPercent}. */
    public BigDecimal usedPercent() {
      return PoolUsage.usedPercent(free, capacity());
    }

    BlockStats plus(BlockStats other) {
      return new BlockStats(
          block,
          drains || other.drains,
          free.add(other.free),
          neverIssued.add(other.neverIssued),
          held.add(other.held),
          quarantined.add(other.quarantined),
          draining.add(other.draining));
    }
  }

  /** The sum of all blocks. */
  public BlockStats total() {
    BigInteger none = BigInteger.ZERO;
    return blocks.stream()
        .reduce(new BlockStats("", false, none, none, none, none, none), BlockStats::plus);
  }

  @Override
  public String toString() {
    BlockStats total = total();
    return "(held=%s, quarantined=%s, draining=%s, free=%s, of which never issued=%s)"
        .formatted(total.held, total.quarantined, total.draining, total.free, total.neverIssued);
  }
}
