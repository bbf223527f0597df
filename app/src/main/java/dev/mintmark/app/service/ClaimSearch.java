package dev.mintmark.app.service;

import dev.mintmark.Ipv6Embedding;
import dev.mintmark.postgres.pool.Claim;
import dev.mintmark.postgres.pool.ClaimFilter;
import dev.mintmark.postgres.pool.Pool;
import java.util.List;
import java.util.Optional;

/**
 * Which claims of a pool are asked for; what is empty does not count.
 *
 * @param client those of this client
 * @param owner those of this owner
 * @param after those behind this value
 * @param ipv6 the one that has this IPv6 address, whatever else is asked for
 * @param limit how many at most, 1 to {@link Pool#PAGE_MAX}
 */
public record ClaimSearch(
    Optional<String> client,
    Optional<String> owner,
    Optional<String> after,
    Optional<String> ipv6,
    int limit) {
  /**
   * The claims that were found.
   *
   * @param next {@link ClaimSearch#after} of the next page; empty if this is the last one
   */
  public record Found(List<Claim> claims, Optional<String> next) {}

  public ClaimSearch {
    if (ipv6.isPresent() && (client.isPresent() || owner.isPresent() || after.isPresent())) {
      throw new IllegalArgumentException(
          "an IPv6 address is asked for alone: one claim at most has it");
    }
  }

  /**
   * Finds them.
   *
   * @throws IllegalArgumentException as {@link Pool#claims}; also where an address is asked for and
   *     no claim of the pool can have it
   */
  public Found in(Pool pool) {
    if (ipv6.isPresent()) {
      return new Found(withAddress(pool, ipv6.get()), Optional.empty());
    }
    List<Claim> claims = pool.claims(new ClaimFilter(client, owner, after), limit);
    return new Found(
        claims,
        claims.size() == limit
            ? Optional.of(claims.get(claims.size() - 1).value())
            : Optional.empty());
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
