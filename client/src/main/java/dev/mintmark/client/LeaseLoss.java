package dev.mintmark.client;

import java.util.Optional;

/**
 * How a claim was lost that was kept alive.
 *
 * @param claim the claim, as it was renewed last
 * @param reason why its value must not be used any more
 * @param cause the last failure of a renewal, if there was one; an {@code
 *     UndeclaredThrowableException} if the supplier of keys threw something else than a {@code
 *     RuntimeException}
 */
public record LeaseLoss(Claim claim, Reason reason, Optional<RuntimeException> cause) {
  /** Why the value of a lease must not be used any more. */
  public enum Reason {
    /** No renewal succeeded in time. The server may still hold the claim for a moment. */
    NOT_RENEWED,
    /** The server does not hold the claim: it expired or was released. */
    NOT_HELD,
    /** Another claim holds the value. */
    SUPERSEDED
  }
}
