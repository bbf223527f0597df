package dev.mintmark.app.cli.migrate;

import dev.mintmark.operations.migrate.Pace;
import picocli.CommandLine.Command;

/** {@code mintmark migrate rollback}. */
@Command(
    name = "rollback",
    description = {
      "Undo a migration: the tables are as before, and rows written in the meantime are kept.",
      "Possible until contract, unless a value exceeds the range of the old column: see status."
    })
final class MigrateRollbackCommand extends MigrateRunSubcommand {
  @Override
  Work work() {
    Pace pace = paceOptions.pace();
    return target -> run(target, pace, target.migrations()::rollback);
  }
}
