package dev.mintmark.app.view;

import dev.mintmark.operations.migrate.MigrationSummary;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A migration in a list of all, as JSON. */
record MigrationSummaryJson(
    long migration,
    String fingerprint,
    String state,
    boolean paused,
    String started,
    @Nullable String ended,
    List<String> tables,
    int steps,
    int stepsDone) {
  static MigrationSummaryJson of(MigrationSummary summary) {
    return new MigrationSummaryJson(
        summary.migration(),
        summary.fingerprint(),
        summary.state().label(),
        summary.paused(),
        summary.started().toString(),
        summary.ended().map(Object::toString).orElse(null),
        summary.tables(),
        summary.steps(),
        summary.stepsDone());
  }
}
