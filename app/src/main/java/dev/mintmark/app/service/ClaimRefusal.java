package dev.mintmark.app.service;

import dev.mintmark.DurationText;
import dev.mintmark.Quoted;
import dev.mintmark.postgres.pool.ClaimResult;
import dev.mintmark.postgres.pool.ClaimResult.Contended;
import dev.mintmark.postgres.pool.ClaimResult.CutOff;
import dev.mintmark.postgres.pool.ClaimResult.Elsewhere;
import dev.mintmark.postgres.pool.ClaimResult.Exhausted;
import dev.mintmark.postgres.pool.ClaimResult.NotOpen;
import dev.mintmark.postgres.pool.ClaimResult.QuotaReached;
import dev.mintmark.postgres.pool.ClaimResult.Stopped;
import dev.mintmark.postgres.pool.ClaimResult.TooManyClaims;
import dev.mintmark.postgres.pool.ClaimResult.ValueTaken;
import java.util.Locale;

/** The message for a claim that was refused, on the command line and over HTTP. */
public final class ClaimRefusal {
  private ClaimRefusal() {}

  /**
   * Returns why nothing was granted.
   *
   * @throws IllegalArgumentException if the claim was granted
   */
  public static String message(ClaimResult result) {
    if (result instanceof QuotaReached reached) {
      return "pool \"%s\": %s %s may hold %s"
          .formatted(
              reached.pool(),
              reached.quota().name().toLowerCase(Locale.ROOT),
              Quoted.of(reached.holder()),
              reached.limit());
    }
    if (result instanceof ValueTaken taken) {
      return "pool \"%s\": %s is held by another client, quarantined or drained"
          .formatted(taken.pool(), taken.value());
    }
    if (result instanceof Contended contended) {
      return "pool \"%s\": %s for %s, retry after %s"
          .formatted(
              contended.pool(),
              contended
                  .owner()
                  .map(owner -> "other claims for owner " + Quoted.of(owner) + " were in progress")
                  .orElse("the free values were locked by other claims"),
              DurationText.format(contended.waited()),
              DurationText.format(contended.retryAfter()));
    }
    if (result instanceof Stopped stopped) {
      return ("pool \"%s\": stopped, because another server took over the database, or it was set"
              + " back, and claims may be lost: run mintmark pool quarantine %s --all --for TIME,"
              + " longer than a lost claim may be held, or mintmark pool resume %s if none is lost")
          .formatted(stopped.pool(), stopped.pool(), stopped.pool());
    }
    if (result instanceof CutOff cutOff) {
      return "pool \"%s\": its blocks come from pool %s, which %s; claims go on when it answers"
          .formatted(
              cutOff.pool(),
              Quoted.of(cutOff.source()),
              cutOff
                  .askedAt()
                  .map(at -> "answered last at " + at)
                  .orElse("has not answered since this pool was created"));
    }
    if (result instanceof NotOpen refused) {
      return "pool \"%s\": not open to owner %s yet"
          .formatted(refused.pool(), Quoted.of(refused.owner()));
    }
    if (result instanceof TooManyClaims fast) {
      return "pool \"%s\": owner %s claims too fast, retry after %s"
          .formatted(fast.pool(), Quoted.of(fast.owner()), DurationText.format(fast.retryAfter()));
    }
    if (result instanceof Elsewhere elsewhere) {
      return "pool \"%s\": instances grant its values from slices, and instance %s grants to this client: claim there"
          .formatted(elsewhere.pool(), Quoted.of(elsewhere.instance()));
    }
    if (result instanceof Exhausted exhausted) {
      // Not formatted(), which takes several times as long: a storm is rejected with this.
      return "pool \""
          + exhausted.pool()
          + "\": exhausted at "
          + exhausted.at()
          + ", retry after "
          + DurationText.format(exhausted.retryAfter());
    }
    throw new IllegalArgumentException("not refused: " + result);
  }
}
