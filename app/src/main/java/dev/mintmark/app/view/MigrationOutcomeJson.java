package dev.mintmark.app.view;

import dev.mintmark.operations.migrate.MigrationOutcome;
import dev.mintmark.operations.migrate.MigrationStatus;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * How a run of a migration ended, as JSON.
 *
 * @param outcome as {@link #label} names it
 * @param migration null if there was nothing to do
 */
public record MigrationOutcomeJson(String outcome, @Nullable MigrationStatusJson migration) {
  public static MigrationOutcomeJson of(
      MigrationOutcome outcome, Optional<MigrationStatus> status) {
    boolean isNothing = outcome instanceof MigrationOutcome.NothingToDo;
    return new MigrationOutcomeJson(
        label(outcome), isNothing ? null : MigrationStatusJson.of(status));
  }

  /**
   * Returns {@code baking}, {@code paused}, {@code rolled-back}, {@code contracted} or {@code
   * nothing-to-do}.
   */
  static String label(MigrationOutcome outcome) {
    if (outcome instanceof MigrationOutcome.NothingToDo) {
      return "nothing-to-do";
    }
    if (outcome instanceof MigrationOutcome.Paused) {
      return "paused";
    }
    if (outcome instanceof MigrationOutcome.Baking) {
      return "baking";
    }
    return outcome instanceof MigrationOutcome.RolledBack ? "rolled-back" : "contracted";
  }
}
