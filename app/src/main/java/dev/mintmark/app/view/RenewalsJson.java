package dev.mintmark.app.view;

import dev.mintmark.postgres.pool.Claim;
import dev.mintmark.postgres.pool.ManyClaims;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The claims that a request has renewed, as JSON.
 *
 * @param next the {@code after} of the next request; null if no further claim is selected
 */
public record RenewalsJson(List<ClaimJson> renewed, @Nullable String next) {
  public static RenewalsJson of(ManyClaims.Changed<Claim> changed) {
    return new RenewalsJson(
        changed.changed().stream().map(ClaimJson::of).toList(), changed.next().orElse(null));
  }
}
