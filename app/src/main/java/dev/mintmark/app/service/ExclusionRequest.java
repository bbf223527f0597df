package dev.mintmark.app.service;

import dev.mintmark.Block;
import dev.mintmark.postgres.pool.ClaimFilter;
import dev.mintmark.postgres.pool.Pool;
import java.util.List;

/**
 * A request to exclude values from a pool, or to include them again.
 *
 * @param values values, ranges or CIDR blocks
 */
public record ExclusionRequest(List<Block> values) {
  /**
   * The exclusions of the pool afterwards.
   *
   * @param changed whether they were others before
   * @param exclude what the pool excludes
   * @param held the first claims of excluded values, at most {@link Pool#PAGE_MAX}
   */
  public record Outcome(boolean changed, List<Block> exclude, ClaimSearch.Found held) {}

  /**
   * Reads a request.
   *
   * @throws IllegalArgumentException if it names no values, or a malformed one
   */
  public static ExclusionRequest of(List<String> values) {
    if (values.isEmpty()) {
      throw new IllegalArgumentException("values is missing: expected at least one value or block");
    }
    return new ExclusionRequest(values.stream().map(Block::parse).toList());
  }

  /** Excludes the values. */
  public Outcome exclude(Pool pool) {
    return outcome(pool.exclude(values), pool);
  }

  /** Includes the values again. */
  public Outcome include(Pool pool) {
    return outcome(pool.include(values), pool);
  }

  private static Outcome outcome(boolean changed, Pool pool) {
    ClaimSearch held = ClaimSearch.of(ClaimFilter.EXCLUDED, Pool.PAGE_MAX);
    return new Outcome(changed, pool.spec().exclude(), held.in(pool));
  }
}
