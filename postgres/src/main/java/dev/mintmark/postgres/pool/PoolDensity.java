package dev.mintmark.postgres.pool;

import java.math.BigInteger;
import java.util.List;
import java.util.Optional;

/**
 * How the values of a pool, or of a range of it, are used: counts for parts of equal size, in one
 * snapshot of the database.
 *
 * @param partSize how many values a part covers, a power of two; the first and the last part of a
 *     block may have fewer
 * @param parts in the order of the pool's blocks and values
 */
public record PoolDensity(BigInteger partSize, List<Part> parts) {
  public PoolDensity {
    parts = List.copyOf(parts);
  }

  /**
   * A part of one block. Each value is counted in exactly one state.
   *
   * @param block the block as it was declared
   * @param cidr the part as a CIDR block; empty if the values are neither addresses nor prefixes
   * @param first the first value
   * @param last the last value
   * @param size the number of values, including those that are excluded
   * @param held values that clients hold
   * @param quarantined values that are quarantined
   * @param free values that can be claimed
   * @param neverIssued free values that were not drawn from the block yet; a part of {@code free}
   * @param draining values that are neither held nor quarantined and will not be granted
   * @param excluded excluded values that are in no other state
   */
  public record Part(
      String block,
      Optional<String> cidr,
      String first,
      String last,
      BigInteger size,
      BigInteger held,
      BigInteger quarantined,
      BigInteger free,
      BigInteger neverIssued,
      BigInteger draining,
      BigInteger excluded) {}
}
