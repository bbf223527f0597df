package dev.mintmark.postgres.pool;

/** What came of renewing a claim. */
public sealed interface RenewResult {
  /** The claim is held until the new end of its lease. */
  record Renewed(Claim claim) implements RenewResult {}

  /** Nobody holds the value: it was released, its lease ended, or it was never claimed. */
  record NotHeld(String pool, String value) implements RenewResult {}

  /** Another claim than the one named by the token holds the value; nothing was changed. */
  record Superseded(String pool, String value) implements RenewResult {}
}
