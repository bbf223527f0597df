package dev.mintmark.app.service;

import dev.mintmark.Ipv6Embedding;
import dev.mintmark.postgres.pool.Claim;
import dev.mintmark.postgres.pool.ClaimFilter;
import dev.mintmark.postgres.pool.ClaimNote;
import dev.mintmark.postgres.pool.Pool;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A search for claims of a pool. Empty criteria are ignored.
 *
 * @param filter which claims
 * @param ipv6 the claim with this IPv6 address; excludes the other criteria
 * @param limit the most claims to return, 1 to {@link Pool#PAGE_MAX}
 */
public record ClaimSearch(ClaimFilter filter, Optional<String> ipv6, int limit) {
  /**
   * The claims that were found.
   *
   * @param notes what people have written about them, by token; claims without a note are left out
   * @param next {@link ClaimFilter#after} of the next page; empty if this is the last one
   */
  public record Found(List<Claim> claims, Map<Long, ClaimNote> notes, Optional<String> next) {}

  public ClaimSearch {
    if (ipv6.isPresent() && !filter.equals(ClaimFilter.ALL)) {
      throw new IllegalArgumentException(
          "an IPv6 address cannot be combined with other criteria: at most one claim has it");
    }
  }

  /** A search for claims, whatever their IPv6 addresses. */
  static ClaimSearch of(ClaimFilter filter, int limit) {
    return new ClaimSearch(filter, Optional.empty(), limit);
  }

  /**
   * Finds the claims.
   *
   * @throws IllegalArgumentException as {@link Pool#claims}, or if an IPv6 address is given that no
   *     claim of the pool can have
   */
  public Found in(Pool pool) {
    if (ipv6.isPresent()) {
      return found(pool, withAddress(pool, ipv6.get()), Optional.empty());
    }
    List<Claim> claims = pool.claims(filter, limit);
    return found(
        pool,
        claims,
        claims.size() == limit
            ? Optional.of(claims.get(claims.size() - 1).value())
            : Optional.empty());
  }

  private static Found found(Pool pool, List<Claim> claims, Optional<String> next) {
    return new Found(claims, pool.notes().of(claims.stream().map(Claim::token).toList()), next);
  }

  private List<Claim> withAddress(Pool pool, String address) {
    Ipv6Embedding embedding =
        pool.spec()
            .ipv6()
            .orElseThrow(
                () ->
                    new IllegalArgumentException(
                        "pool \"%s\" gives its claims no IPv6 addresses".formatted(pool.name())));
    String embedded = embedding.extract(address);
    return switch (embedding.source()) {
      case IPV4 -> pool.find(embedded).stream().toList();
      case CLIENT -> pool.claims(ClaimFilter.ofClient(embedded), limit);
    };
  }
}
