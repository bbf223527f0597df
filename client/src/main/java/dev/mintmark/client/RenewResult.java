package dev.mintmark.client;

/** The result of a renewal: the claim was renewed, or why not. */
public sealed interface RenewResult permits RenewResult.Renewed, NotHeld, Superseded {
  /** The claim is held until the new end of its lease. */
  record Renewed(Claim claim) implements RenewResult {}
}
