package dev.mintmark.spring;

import dev.mintmark.postgres.pool.ClaimListener;
import dev.mintmark.postgres.pool.ClaimResult;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationRegistry;

/**
 * The observation {@code mintmark.pool.claim} of each claim, with the key values {@code pool} and
 * {@code outcome}: granted, already-held, exhausted, contended, quota-reached, value-taken,
 * elsewhere, stopped or failed.
 */
final class ClaimObservations implements ClaimListener {
  private final ObservationRegistry registry;

  ClaimObservations(ObservationRegistry registry) {
    this.registry = registry;
  }

  @Override
  public Begun began(String pool) {
    Observation observation =
        Observation.createNotStarted("mintmark.pool.claim", registry)
            .contextualName("claim from pool " + pool)
            .lowCardinalityKeyValue("pool", pool)
            .start();
    return new Begun() {
      @Override
      public void ended(ClaimResult result) {
        observation.lowCardinalityKeyValue("outcome", outcome(result)).stop();
      }

      @Override
      public void failed(Throwable failure) {
        observation.lowCardinalityKeyValue("outcome", "failed").error(failure).stop();
      }
    };
  }

  private static String outcome(ClaimResult result) {
    if (result instanceof ClaimResult.Granted) {
      return "granted";
    }
    if (result instanceof ClaimResult.AlreadyHeld) {
      return "already-held";
    }
    if (result instanceof ClaimResult.Exhausted) {
      return "exhausted";
    }
    if (result instanceof ClaimResult.Contended) {
      return "contended";
    }
    if (result instanceof ClaimResult.QuotaReached) {
      return "quota-reached";
    }
    if (result instanceof ClaimResult.NotOpen) {
      return "not-open";
    }
    if (result instanceof ClaimResult.TooManyClaims) {
      return "rate-limited";
    }
    if (result instanceof ClaimResult.Elsewhere) {
      return "elsewhere";
    }
    return result instanceof ClaimResult.ValueTaken ? "value-taken" : "stopped";
  }
}
