package dev.mintmark.app.view;

import dev.mintmark.app.service.LocatedPlan.Located;
import dev.mintmark.catalog.Location;
import org.jspecify.annotations.Nullable;

/** Why a plan cannot be applied, and the line of the catalog, as JSON. */
record MigrationRefusalJson(
    String code,
    String collection,
    String object,
    String reason,
    String remedy,
    @Nullable String file,
    @Nullable Integer line,
    @Nullable String didYouMean) {
  static MigrationRefusalJson of(Located located) {
    return new MigrationRefusalJson(
        located.refusal().code().label(),
        located.refusal().collection(),
        located.refusal().object(),
        located.refusal().reason(),
        located.refusal().remedy(),
        located.location().map(Location::file).orElse(null),
        located.location().map(Location::line).orElse(null),
        located.near().orElse(null));
  }
}
