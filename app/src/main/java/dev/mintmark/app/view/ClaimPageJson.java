package dev.mintmark.app.view;

import dev.mintmark.app.service.ClaimSearch;
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
        found.claims().stream().map(ClaimJson::of).toList(), found.next().orElse(null));
  }
}
