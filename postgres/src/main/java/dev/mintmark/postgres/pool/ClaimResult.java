package dev.mintmark.postgres.pool;

import java.time.Duration;
import java.time.Instant;
import java.util.List;

/** What came of a {@link ClaimRequest}. */
public sealed interface ClaimResult {
  /**
   * The client has just been given a value, or some of the {@code claims} and had the others.
   *
   * @param claims one for each slot that was asked for, in their order
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
   * The client had what it asked for already: it asked before, here or elsewhere.
   *
   * @param claims one for each slot that was asked for, in their order
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
   * No value of the pool was free, or not as many as were asked for.
   *
   * @param pool the pool's name
   * @param at when that was so, by the database's clock; up to {@link Pool#REMEMBERED_FOR} ago
   * @param retryAfter when to ask again: when the next value is due, where that is known
   */
  record Exhausted(String pool, Instant at, Duration retryAfter) implements ClaimResult {}

  /**
   * The client, or its owner, would hold more values than the pool gives to one.
   *
   * @param pool the pool's name
   * @param quota which of them
   * @param holder its name
   * @param limit how many values it may hold
   */
  record QuotaReached(String pool, Quota quota, String holder, int limit) implements ClaimResult {}

  /**
   * The value that was asked for is not to be had: another client holds it, it rests, or its block
   * is drained.
   *
   * @param pool the pool's name
   * @param value the value
   */
  record ValueTaken(String pool, String value) implements ClaimResult {}

  /** Whose values a pool counts. */
  enum Quota {
    CLIENT,
    OWNER
  }
}
