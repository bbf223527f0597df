package dev.mintmark.app.view;

import dev.mintmark.app.service.LabelCriterion;
import dev.mintmark.app.service.NameCriterion;
import dev.mintmark.postgres.pool.ClaimFilter;
import org.jspecify.annotations.Nullable;

/** Which claims of a pool are changed at once, as JSON: all that fit every key that is given. */
public record ClaimSelectionJson(
    @Nullable String client,
    @Nullable String clientPrefix,
    @Nullable String owner,
    @Nullable String ownerPrefix,
    @Nullable String label,
    @Nullable String labelPrefix) {
  /**
   * Returns the claims.
   *
   * @throws IllegalArgumentException if a key is malformed, or excludes another
   */
  ClaimFilter toFilter() {
    return ClaimFilter.ALL
        .withClient(NameCriterion.of("client", client, clientPrefix))
        .withOwner(NameCriterion.of("owner", owner, ownerPrefix))
        .withLabel(LabelCriterion.of("label", label, labelPrefix));
  }
}
