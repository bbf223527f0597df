package dev.mintmark.app.view;

import dev.mintmark.app.maintenance.MigrationRuns;
import org.jspecify.annotations.Nullable;

/**
 * The last run of a migration in a server, as JSON.
 *
 * @param command {@code resume}, {@code rollback} or {@code contract}
 * @param ended null while it runs
 * @param outcome null while it runs, and if it failed
 * @param failure why it failed; null if it did not
 */
record ServerRunJson(
    String command,
    String started,
    @Nullable String ended,
    @Nullable String outcome,
    @Nullable String failure) {
  static ServerRunJson of(MigrationRuns.Run run) {
    return new ServerRunJson(
        run.command().label(),
        run.started().toString(),
        run.ended().map(Object::toString).orElse(null),
        run.outcome().map(MigrationOutcomeJson::label).orElse(null),
        run.failure().orElse(null));
  }
}
