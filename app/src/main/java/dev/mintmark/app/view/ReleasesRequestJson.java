package dev.mintmark.app.view;

import dev.mintmark.postgres.pool.ClaimFilter;
import dev.mintmark.postgres.pool.ManyClaims;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A request to release many claims, as JSON.
 *
 * @param after the {@code next} of the response before
 * @param limit the most claims to release
 */
public record ReleasesRequestJson(
    @Nullable ClaimSelectionJson select, @Nullable String after, @Nullable Integer limit) {
  /**
   * Returns the claims.
   *
   * @throws IllegalArgumentException if the selection is missing or malformed
   */
  public ClaimFilter toFilter() {
    return filter(select, after);
  }

  /** Returns the most claims to release. */
  public int limitOrDefault() {
    return limit == null ? ManyClaims.CLAIMS_MAX : limit;
  }

  static ClaimFilter filter(@Nullable ClaimSelectionJson select, @Nullable String after) {
    if (select == null) {
      throw new IllegalArgumentException(
          "select is missing: expected a client, an owner or a label");
    }
    return select.toFilter().withAfter(Optional.ofNullable(after));
  }
}
