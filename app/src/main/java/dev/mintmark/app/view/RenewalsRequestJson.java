package dev.mintmark.app.view;

import dev.mintmark.app.service.DurationKey;
import dev.mintmark.postgres.pool.ClaimFilter;
import dev.mintmark.postgres.pool.ManyClaims;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A request to renew many claims, as JSON.
 *
 * @param lease the new lease; null: that of each claim
 * @param after the {@code next} of the response before
 * @param limit the most claims to renew
 */
public record RenewalsRequestJson(
    @Nullable ClaimSelectionJson select,
    @Nullable String lease,
    @Nullable String after,
    @Nullable Integer limit) {
  /**
   * Returns the claims.
   *
   * @throws IllegalArgumentException if the selection is missing or malformed
   */
  public ClaimFilter toFilter() {
    return ReleasesRequestJson.filter(select, after);
  }

  /** Returns the most claims to renew. */
  public int limitOrDefault() {
    return limit == null ? ManyClaims.CLAIMS_MAX : limit;
  }

  /**
   * Returns the new lease.
   *
   * @throws IllegalArgumentException if it is malformed
   */
  public Optional<Duration> newLease() {
    return Optional.ofNullable(lease).map(text -> DurationKey.parse("lease", text));
  }
}
