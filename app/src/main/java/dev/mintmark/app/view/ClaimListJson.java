package dev.mintmark.app.view;

import dev.mintmark.postgres.pool.Claim;
import dev.mintmark.postgres.pool.ClaimNote;
import java.util.List;

/** Several claims of one request as JSON, one for each slot. */
public record ClaimListJson(List<ClaimJson> claims) {
  /** Claims with a note that each of them has. */
  public static ClaimListJson of(List<Claim> claims, ClaimNote note) {
    return new ClaimListJson(claims.stream().map(claim -> ClaimJson.of(claim, note)).toList());
  }
}
