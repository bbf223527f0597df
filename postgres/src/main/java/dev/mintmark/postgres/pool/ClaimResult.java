package dev.mintmark.postgres.pool;

import java.time.Duration;
import java.time.Instant;

/** What came of a {@link ClaimRequest}. */
public sealed interface ClaimResult {
  /** The client has just been given {@code claim}. */
  record Granted(Claim claim) implements ClaimResult {}

  /** The client had {@code claim} already: it asked before, here or elsewhere. */
  record AlreadyHeld(Claim claim) implements ClaimResult {}

  /**
   * No value of the pool was free.
   *
   * @param pool the pool's name
   * @param at when that was so, by the database's clock; up to {@link Pool#REMEMBERED_FOR} ago
   * @param retryAfter when to ask again: when the next value is due, where that is known
   */
  record Exhausted(String pool, Instant at, Duration retryAfter) implements ClaimResult {}
}
