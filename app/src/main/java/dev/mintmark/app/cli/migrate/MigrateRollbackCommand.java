package dev.mintmark.app.cli.migrate;

import dev.mintmark.operations.migrate.Pace;
import picocli.CommandLine.Command;

/** {@code mintmark migrate rollback}. */
@Command(
    name = "rollback",
    description = {
      "Undo a migration: everything is as before, rows that were written meanwhile are kept.",
      "At any time before contract, unless a value is past what the old column can hold: see status."
    })
final class MigrateRollbackCommand extends MigrateRunSubcommand {
  @Override
  Work work() {
    Pace pace = paceOptions.pace();
    return target -> run(target, pace, target.migrations()::rollback);
  }
}
