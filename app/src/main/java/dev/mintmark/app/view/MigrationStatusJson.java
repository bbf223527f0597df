package dev.mintmark.app.view;

import dev.mintmark.operations.migrate.MigrationStatus;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The state of a migration as JSON.
 *
 * @param migration its number; null, and the state {@code none}, if there never was one
 * @param waits why its run waits; null if it does not
 */
public record MigrationStatusJson(
    @Nullable Long migration,
    String state,
    @Nullable String fingerprint,
    boolean paused,
    @Nullable String started,
    @Nullable String ended,
    @Nullable MigrationRunnerJson runner,
    @Nullable MigrationWaitJson waits,
    List<String> tables,
    List<MigrationStepJson> steps,
    List<RollbackMarginJson> limits,
    List<String> schemasAside) {
  private static final MigrationStatusJson NONE =
      new MigrationStatusJson(
          null, "none", null, false, null, null, null, null, List.of(), List.of(), List.of(),
          List.of());

  public static MigrationStatusJson of(Optional<MigrationStatus> status) {
    return status.map(MigrationStatusJson::of).orElse(NONE);
  }

  public static MigrationStatusJson of(MigrationStatus status) {
    return new MigrationStatusJson(
        status.migration(),
        status.state().label(),
        status.fingerprint(),
        status.paused(),
        status.started().toString(),
        status.ended().map(Object::toString).orElse(null),
        status.runner().map(MigrationRunnerJson::of).orElse(null),
        status.waits().map(MigrationWaitJson::of).orElse(null),
        status.tables(),
        status.steps().stream()
            .map(step -> MigrationStepJson.of(step, status.rowsPerSecond(step)))
            .toList(),
        status.limits().stream().map(RollbackMarginJson::of).toList(),
        status.schemasAside());
  }
}
