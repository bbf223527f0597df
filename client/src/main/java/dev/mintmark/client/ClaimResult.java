package dev.mintmark.client;

import java.util.List;

/** The result of a claim. */
public sealed interface ClaimResult {
  /**
   * The claims that the client holds now, one for each requested slot, in their order; empty if the
   * claim was rejected.
   */
  List<Claim> claims();

  /**
   * Returns the first of the claims, in most cases the only one.
   *
   * @throws ProblemException if the claim was rejected
   */
  default Claim orElseThrow() {
    if (this instanceof Rejected rejected) {
      throw new ProblemException(rejected.problem());
    }
    return claims().get(0);
  }

  /**
   * The client got a value, or some of the {@code claims} while it held the others already.
   *
   * @param claims one for each requested slot, in the order of the slots
   */
  record Granted(List<Claim> claims) implements ClaimResult {
    public Granted {
      claims = List.copyOf(claims);
    }
  }

  /**
   * The client held what it asked for before: it claimed earlier, or the answer to the first
   * attempt of this claim was lost. The lease does not start again: renew the claim.
   *
   * @param claims one for each requested slot, in the order of the slots
   */
  record AlreadyHeld(List<Claim> claims) implements ClaimResult {
    public AlreadyHeld {
      claims = List.copyOf(claims);
    }
  }

  /**
   * The client did not get what it asked for.
   *
   * @param problem with the code, and when to claim again
   */
  record Rejected(Problem problem) implements ClaimResult {
    @Override
    public List<Claim> claims() {
      return List.of();
    }

    /** Why the claim was rejected, by the code of the problem. */
    public Reason reason() {
      return Reason.of(problem.code());
    }
  }

  /** Why a claim is rejected. Later versions can have further reasons. */
  enum Reason {
    /** No value is free, or fewer than were requested. */
    EXHAUSTED,
    /** Values are free, but other claims have locked them. */
    CONTENDED,
    /** The client, or its owner, holds as many values as it may. */
    QUOTA_REACHED,
    /** The named value is held by another client, quarantined or drained. */
    VALUE_TAKEN,
    /** A failover may have lost claims. The pool grants nothing until a person has decided. */
    STOPPED,
    /**
     * The blocks of the pool come from another pool, which could not be asked for so long that they
     * end. Claims go on when it answers.
     */
    CUT_OFF,
    /** The gate of the pool does not let the owner in. */
    NOT_OPEN,
    /** The owner claims faster than the gate of the pool allows. */
    TOO_MANY_CLAIMS,
    /** Another instance grants values of the pool to this client. */
    ELSEWHERE,
    /** The client holds a value of the pool for another owner. */
    FOREIGN_CLIENT,
    /** Only for one of many clients: the database did not answer. The claim may have been made. */
    UNAVAILABLE,
    /** Only for one of many clients: another code, which the problem has. */
    OTHER;

    /** Whether a problem with this code is a result of a claim, and not an exception. */
    static boolean isResult(String code) {
      Reason reason = of(code);
      return reason != OTHER && reason != UNAVAILABLE;
    }

    static Reason of(String code) {
      return switch (code) {
        case "pool-exhausted" -> EXHAUSTED;
        case "values-contended", "owner-contended" -> CONTENDED;
        case "quota-reached" -> QUOTA_REACHED;
        case "value-taken" -> VALUE_TAKEN;
        case "database-set-back" -> STOPPED;
        case "blocks-not-renewed" -> CUT_OFF;
        case "not-open" -> NOT_OPEN;
        case "rate-limited" -> TOO_MANY_CLAIMS;
        case "granted-elsewhere" -> ELSEWHERE;
        case "foreign-client" -> FOREIGN_CLIENT;
        case "pool-unavailable" -> UNAVAILABLE;
        default -> OTHER;
      };
    }
  }
}
