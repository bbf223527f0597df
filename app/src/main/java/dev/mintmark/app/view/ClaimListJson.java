package dev.mintmark.app.view;

import dev.mintmark.postgres.pool.Claim;
import dev.mintmark.postgres.pool.ClaimRequest;
import java.util.List;

/** Several claims of one request as JSON, one for each slot. */
public record ClaimListJson(List<ClaimJson> claims) {
  /** Claims with the note that the request has written about each of them. */
  public static ClaimListJson of(List<Claim> claims, ClaimRequest request) {
    return new ClaimListJson(
        claims.stream().map(claim -> ClaimJson.of(claim, request.noteFor(claim))).toList());
  }
}
