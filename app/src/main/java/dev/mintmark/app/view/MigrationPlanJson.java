package dev.mintmark.app.view;

import dev.mintmark.app.service.LocatedPlan;
import dev.mintmark.operations.migrate.Estimate;
import dev.mintmark.operations.migrate.MigrationPlan;
import dev.mintmark.operations.migrate.MigrationStatus;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A plan of a migration as JSON.
 *
 * @param fingerprint null if a migration is active, and nothing is planned
 * @param migration the active migration; null if there is none
 */
public record MigrationPlanJson(
    @Nullable String fingerprint,
    List<PlannedStepJson> steps,
    List<MigrationRefusalJson> refusals,
    List<String> notes,
    List<RollbackLimitJson> limits,
    StepCostJson estimate,
    @Nullable MigrationStatusJson migration) {
  public static MigrationPlanJson of(LocatedPlan located) {
    MigrationPlan plan = located.plan();
    return new MigrationPlanJson(
        plan.fingerprint(),
        plan.steps().stream().map(PlannedStepJson::of).toList(),
        located.refusals().stream().map(MigrationRefusalJson::of).toList(),
        located.notes(),
        plan.limits().stream().map(RollbackLimitJson::of).toList(),
        StepCostJson.of(plan.estimate()),
        null);
  }

  /** During a migration there is no plan, only notes on its state. */
  public static MigrationPlanJson of(MigrationStatus active, List<String> notes) {
    return new MigrationPlanJson(
        null,
        List.of(),
        List.of(),
        notes,
        List.of(),
        StepCostJson.of(Estimate.NOTHING),
        MigrationStatusJson.of(Optional.of(active)));
  }
}
