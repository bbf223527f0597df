package dev.mintmark.app.view;

import dev.mintmark.postgres.pool.PoolDensity;
import java.math.BigInteger;
import org.jspecify.annotations.Nullable;

/**
 * How many values of a part of a block are in each state, as JSON.
 *
 * @param block the block as it was declared
 * @param cidr the part as a CIDR block; null if the values are neither addresses nor prefixes
 */
public record DensityPartJson(
    String block,
    @Nullable String cidr,
    String first,
    String last,
    BigInteger size,
    BigInteger held,
    BigInteger quarantined,
    BigInteger free,
    BigInteger neverIssued,
    BigInteger draining,
    BigInteger excluded) {
  static DensityPartJson of(PoolDensity.Part part) {
    return new DensityPartJson(
        part.block(),
        part.cidr().orElse(null),
        part.first(),
        part.last(),
        part.size(),
        part.held(),
        part.quarantined(),
        part.free(),
        part.neverIssued(),
        part.draining(),
        part.excluded());
  }
}
