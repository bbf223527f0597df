package dev.mintmark.postgres.pool;

import dev.mintmark.postgres.pool.ClaimRequest.Subject;
import java.util.List;
import java.util.Map;

/** The answers of the database to the claims of a queue. Safe for use by many threads. */
record ClaimAnswers(Claimer claimer, NamedClaims named) implements ClaimQueue.Answers {
  @Override
  public Map<Subject, ClaimResult> claim(List<ClaimRequest> requests) {
    return claimer.claim(requests);
  }

  @Override
  public Map<Subject, ClaimResult> await(List<ClaimRequest> requests, long sinceNanos) {
    return claimer.await(requests, sinceNanos);
  }

  @Override
  public ClaimResult claimNamed(ClaimRequest request, long sinceNanos) {
    return named.claim(request, sinceNanos);
  }
}
