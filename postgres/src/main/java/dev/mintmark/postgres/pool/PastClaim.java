package dev.mintmark.postgres.pool;

import java.time.Instant;
import java.util.Optional;

/**
 * A claim of the history, ended or not.
 *
 * @param pool the pool's name
 * @param value the value
 * @param client the client that held it
 * @param slot which of the client's values it was, from 0
 * @param owner the account on whose behalf it was held, if the request named one
 * @param token the fencing token; later claims have greater tokens
 * @param claimedAt when it was granted, by the database's clock
 * @param endedAt when it ended; empty: it is held
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
   * Which claims are listed. An empty part selects all.
   *
   * @param value only claims of this value
   * @param client only claims of these clients
   * @param owner only claims on behalf of these owners
   * @param label only claims that have or had this label
   * @param at only claims that held their value at this time
   */
  public record Filter(
      Optional<String> value,
      Optional<NameMatch> client,
      Optional<NameMatch> owner,
      Optional<LabelMatch> label,
      Optional<Instant> at) {
    /** All claims. */
    public static final Filter ALL =
        new Filter(
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty());
  }
}
