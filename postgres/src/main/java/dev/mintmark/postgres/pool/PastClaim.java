package dev.mintmark.postgres.pool;

import dev.mintmark.postgres.internal.ClaimName;
import java.time.Instant;
import java.util.Optional;

/**
 * Who held what: a claim, ended or not.
 *
 * @param pool the pool's name
 * @param value the value
 * @param client who held it
 * @param slot which of the client's values it was, from 0
 * @param owner on whose behalf, if one was named
 * @param token the claim's token: later claims have greater ones
 * @param claimedAt from when, by the database's clock
 * @param endedAt until when; empty: it is held
 * @param ending why it ended; empty: it is held
 */
public record PastClaim(
    String pool,
    String value,
    String client,
    int slot,
    Optional<String> owner,
    long token,
    Instant claimedAt,
    Optional<Instant> endedAt,
    Optional<Ending> ending) {
  /** Why a claim ended. */
  public enum Ending {
    RELEASED,
    EXPIRED
  }

  /**
   * Which claims are asked for; empty parts do not count.
   *
   * @param value those of this value
   * @param client those of this client
   * @param owner those of this owner
   * @param at those that held their value at this time
   */
  public record Filter(
      Optional<String> value,
      Optional<String> client,
      Optional<String> owner,
      Optional<Instant> at) {
    /** All claims. */
    public static final Filter ALL =
        new Filter(Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty());

    public Filter {
      client.ifPresent(name -> ClaimName.check("client", name));
      owner.ifPresent(name -> ClaimName.check("owner", name));
    }
  }
}
