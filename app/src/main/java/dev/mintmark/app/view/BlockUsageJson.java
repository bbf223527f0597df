package dev.mintmark.app.view;

import dev.mintmark.postgres.pool.PoolStats.BlockStats;
import java.math.BigInteger;

/**
 * How many values of one block are in each state, as JSON.
 *
 * @param drains whether no value of the block is handed out any more
 */
public record BlockUsageJson(
    String block,
    boolean drains,
    BigInteger capacity,
    BigInteger free,
    BigInteger neverIssued,
    BigInteger held,
    BigInteger quarantined,
    BigInteger draining) {
  static BlockUsageJson of(BlockStats stats) {
    return new BlockUsageJson(
        stats.block(),
        stats.drains(),
        stats.capacity(),
        stats.free(),
        stats.neverIssued(),
        stats.held(),
        stats.quarantined(),
        stats.draining());
  }
}
