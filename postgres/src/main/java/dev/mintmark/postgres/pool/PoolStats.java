package dev.mintmark.postgres.pool;

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
   * @param block the block, as it was declared
   * @param drains whether it is being drained
   * @param free can be handed out to the next who asks
   * @param neverIssued of the free ones, those that have not been drawn from the block yet
   * @param held by a client
   * @param quarantined resting before they are handed out again
   * @param draining not handed out any more, since the block is drained
   */
  public record BlockStats(
      String block,
      boolean drains,
      BigInteger free,
      BigInteger neverIssued,
      BigInteger held,
      BigInteger quarantined,
      BigInteger draining) {
    /** All values of the block: every one is in just one of the four states. */
    public BigInteger capacity() {
      return free.add(held).add(quarantined).add(draining);
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

  /** All blocks together. */
  public BlockStats total() {
    BigInteger none = BigInteger.ZERO;
    return blocks.stream()
        .reduce(new BlockStats("", false, none, none, none, none, none), BlockStats::plus);
  }

  @Override
  public String toString() {
    BlockStats total = total();
    return "(held=%d, quarantined=%d, draining=%d, free=%d, of which never issued=%d)"
        .formatted(total.held, total.quarantined, total.draining, total.free, total.neverIssued);
  }
}
