package dev.mintmark.postgres.pool;

import java.time.Duration;
import java.time.Instant;
import java.util.List;

/** The result of a {@link ClaimRequest}. */
public sealed interface ClaimResult {
  /**
   * The client got a value, or some of the {@code claims} while it held the others already.
   *
   * @param claims one for each requested slot, in the order of the slots
   */
  record Granted(List<Claim> claims) implements ClaimResult {
    public Granted {
      claims = List.copyOf(claims);
    }

    /** The first of the claims, and in most cases the only one. */
    public Claim claim() {
      return claims.get(0);
    }
  }

  /**
   * The client holds what it asked for already: it claimed before, here or through another
   * instance.
   *
   * @param claims one for each requested slot, in the order of the slots
   */
  record AlreadyHeld(List<Claim> claims) implements ClaimResult {
    public AlreadyHeld {
      claims = List.copyOf(claims);
    }

    /** The first of the claims, and in most cases the only one. */
    public Claim claim() {
      return claims.get(0);
    }
  }

  /**
   * No value of the pool was free, or fewer than were requested.
   *
   * @param pool the pool's name
   * @param at the time of that state, by the database's clock; up to {@link Pool#REMEMBERED_FOR}
   *     ago
   * @param retryAfter when to claim again: when the next value becomes free, if that is known
   */
  record Exhausted(String pool, Instant at, Duration retryAfter) implements ClaimResult {}

  /**
   * The client, or its owner, would hold more values than the pool allows.
   *
   * @param pool the pool's name
   * @param quota whether the client's or the owner's
   * @param holder the name of the client or the owner
   * @param limit the most values that it may hold
   */
  record QuotaReached(String pool, Quota quota, String holder, int limit) implements ClaimResult {}

  /**
   * The named value is not free: another client holds it, it is quarantined, or its block is
   * drained.
   *
   * @param pool the pool's name
   * @param value the value
   */
  record ValueTaken(String pool, String value) implements ClaimResult {}

  /** Whose values the pool limits. */
  enum Quota {
    CLIENT,
    OWNER
  }
}
