package dev.mintmark.app.view;

import dev.mintmark.postgres.pool.ManyClaims;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The claims that a request has released, as JSON.
 *
 * @param next the {@code after} of the next request; null if no further claim is selected
 */
public record ReleasesJson(List<ReleasedClaimJson> released, @Nullable String next) {
  public static ReleasesJson of(ManyClaims.Changed<ManyClaims.Ended> changed) {
    return new ReleasesJson(
        changed.changed().stream().map(ReleasedClaimJson::of).toList(),
        changed.next().orElse(null));
  }
}
