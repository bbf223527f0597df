package dev.mintmark.app.view;

import dev.mintmark.postgres.pool.Claim;
import java.util.List;

/** Several claims of one request as JSON, one for each slot. */
public record ClaimListJson(List<ClaimJson> claims) {
  public static ClaimListJson of(List<Claim> claims) {
    return new ClaimListJson(claims.stream().map(ClaimJson::of).toList());
  }
}
