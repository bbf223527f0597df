package dev.mintmark.spring;

import dev.mintmark.postgres.pool.ClaimListener;
import dev.mintmark.postgres.pool.ClaimResult;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationRegistry;

/**
 * The observation {@code mintmark.pool.claim} of each claim, with the key values {@code pool} and
 * {@code outcome}: {@link ClaimResult#outcome}, or failed.
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
        observation.lowCardinalityKeyValue("outcome", result.outcome()).stop();
      }

      @Override
      public void failed(Throwable failure) {
        observation.lowCardinalityKeyValue("outcome", "failed").error(failure).stop();
      }
    };
  }
}
