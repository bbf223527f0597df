package dev.mintmark.postgres.pool;

/** What came of renewing a claim: it was renewed, or why not. */
public sealed interface RenewResult permits RenewResult.Renewed, NotHeld, Superseded {
  /** The claim is held until the new end of its lease. */
  record Renewed(Claim claim) implements RenewResult {}
}
