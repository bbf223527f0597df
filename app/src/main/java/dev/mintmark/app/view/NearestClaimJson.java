package dev.mintmark.app.view;

import dev.mintmark.postgres.pool.Claim;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The claim of the nearest value that is held, as JSON; null if there is none. */
public record NearestClaimJson(@Nullable ClaimJson claim) {
  public static NearestClaimJson of(Optional<Claim> claim) {
    return new NearestClaimJson(claim.map(ClaimJson::of).orElse(null));
  }
}
