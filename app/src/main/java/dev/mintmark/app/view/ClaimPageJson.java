package dev.mintmark.app.view;

import dev.mintmark.app.service.ClaimSearch;
import dev.mintmark.postgres.pool.Claim;
import dev.mintmark.postgres.pool.ClaimNote;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A page of claims as JSON.
 *
 * @param next the {@code after} of the next page; null for the last page
 */
public record ClaimPageJson(List<ClaimJson> claims, @Nullable String next) {
  public static ClaimPageJson of(ClaimSearch.Found found) {
    return new ClaimPageJson(
        found.claims().stream().map(claim -> ClaimJson.of(claim, noteOf(found, claim))).toList(),
        found.next().orElse(null));
  }

  private static ClaimNote noteOf(ClaimSearch.Found found, Claim claim) {
    return found.notes().getOrDefault(claim.token(), ClaimNote.NONE);
  }
}
