package dev.mintmark.app.view;

import dev.mintmark.app.maintenance.PlanRuns;
import dev.mintmark.app.maintenance.PlanRuns.Planned;
import dev.mintmark.app.maintenance.RunState;
import dev.mintmark.operations.migrate.MigrationStatus;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The last plan of a server as JSON.
 *
 * @param catalog the file of the catalog; null if the server has none, and so makes no plan
 * @param invalid how the plan treats texts that are no identifiers; null if there is none yet
 * @param runningSince when the planning began that is in progress; null if there is none
 * @param reading the table that it reads in full; null if it reads none
 * @param plannedAt when the last planning ended; null if there was none
 * @param plan the last plan; null if there was none or planning failed
 * @param failure why planning failed; null if it did not
 */
public record MigrationPlanStateJson(
    @Nullable String catalog,
    @Nullable String invalid,
    @Nullable String runningSince,
    @Nullable String reading,
    @Nullable String plannedAt,
    @Nullable MigrationPlanJson plan,
    @Nullable String failure) {
  public static MigrationPlanStateJson of(PlanRuns plans) {
    RunState<Planned> state = plans.state();
    return new MigrationPlanStateJson(
        plans.catalogFile().map(Object::toString).orElse(null),
        state.value().map(Planned::invalid).map(MigrationPlanRequestJson::label).orElse(null),
        state.runningSince().map(Object::toString).orElse(null),
        plans.reading().orElse(null),
        state.ended().map(Object::toString).orElse(null),
        state.value().map(MigrationPlanStateJson::plan).orElse(null),
        state.failure().orElse(null));
  }

  private static MigrationPlanJson plan(Planned planned) {
    return planned
        .plan()
        .map(MigrationPlanJson::of)
        .orElseGet(
            () -> {
              MigrationStatus active = planned.active().orElseThrow();
              return MigrationPlanJson.of(active, List.of(isActive(active)));
            });
  }

  private static String isActive(MigrationStatus active) {
    return "migration %s (plan %s) is %s: no other plan can be made or applied until it ends"
        .formatted(active.migration(), active.fingerprint(), active.state().label());
  }
}
