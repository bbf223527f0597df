package dev.mintmark.app.view;

import dev.mintmark.postgres.pool.Claim;
import dev.mintmark.postgres.pool.ClaimRequest;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What one of many clients got, as JSON: a claim, or a problem.
 *
 * @param status the status of a response to a request of this client alone
 * @param retryAfter in seconds
 */
public record ClaimOutcomeJson(
    String client,
    int status,
    @Nullable ClaimJson claim,
    @Nullable String code,
    @Nullable String detail,
    @Nullable Long retryAfter) {
  /** A claim with the note that the request has written about it. */
  public static ClaimOutcomeJson held(int status, Claim claim, ClaimRequest request) {
    return new ClaimOutcomeJson(
        claim.client(), status, ClaimJson.of(claim, request.noteFor(claim)), null, null, null);
  }

  public static ClaimOutcomeJson refused(
      String client, int status, String code, String detail, Optional<Long> retryAfter) {
    return new ClaimOutcomeJson(client, status, null, code, detail, retryAfter.orElse(null));
  }
}
