package dev.mintmark.app.view;

import dev.mintmark.app.service.DurationKey;
import dev.mintmark.postgres.pool.ManyClaims;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A request to renew the claims of one holder, as JSON.
 *
 * @param lease the new lease; null: that of each claim
 */
public record KeepAliveRequestJson(
    @Nullable List<@Nullable HeldClaimJson> claims, @Nullable String lease) {
  /**
   * Returns the claims.
   *
   * @throws IllegalArgumentException if there are none, or one is malformed
   */
  public List<ManyClaims.Named> toNamed() {
    if (claims == null) {
      throw new IllegalArgumentException("claims is missing: expected the claims to renew");
    }
    return JsonArrays.withoutNull("claims", claims).stream().map(HeldClaimJson::toNamed).toList();
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
