package dev.mintmark.app.view;

import dev.mintmark.operations.migrate.MigrationStatus.StepStatus;
import java.util.List;
import java.util.OptionalDouble;
import org.jspecify.annotations.Nullable;

/**
 * The progress of a step of a migration as JSON.
 *
 * @param rowsPerSecond null if no run works on it, or another run began it
 */
record MigrationStepJson(
    int ordinal,
    String phase,
    String work,
    String title,
    String target,
    String state,
    long rowsDone,
    long rowsEstimated,
    @Nullable Long rowsPerSecond,
    @Nullable String started,
    @Nullable String ended,
    List<TableLockJson> locks) {
  static MigrationStepJson of(StepStatus step, OptionalDouble rate) {
    return new MigrationStepJson(
        step.ordinal(),
        step.phase().label(),
        PlannedStepJson.label(step.work()),
        step.title(),
        step.target(),
        step.state().label(),
        step.rowsDone(),
        step.rowsEstimated(),
        rate.isPresent() ? Math.round(rate.getAsDouble()) : null,
        step.started().map(Object::toString).orElse(null),
        step.ended().map(Object::toString).orElse(null),
        step.locks().stream().map(TableLockJson::of).toList());
  }
}
