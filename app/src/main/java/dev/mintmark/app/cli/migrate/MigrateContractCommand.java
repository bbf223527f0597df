package dev.mintmark.app.cli.migrate;

import dev.mintmark.operations.migrate.MigrationState;
import dev.mintmark.operations.migrate.MigrationStatus;
import dev.mintmark.operations.migrate.Pace;
import picocli.CommandLine.Command;

/** {@code mintmark migrate contract}. */
@Command(
    name = "contract",
    description = {
      "Drop the old columns, and the triggers that kept them equal to the new ones.",
      "It cannot be undone and there is no confirmation prompt: make sure that no code uses the old"
          + " columns."
    })
final class MigrateContractCommand extends MigrateRunSubcommand {
  @Override
  Work work() {
    Pace pace = paceOptions.pace();
    return target -> {
      if (target.migrations().status().filter(MigrateContractCommand::canRollBack).isPresent()) {
        report("mintmark: the migration cannot be rolled back from the first step on");
      }
      return run(target, pace, target.migrations()::contract);
    };
  }

  private static boolean canRollBack(MigrationStatus status) {
    return status.state() == MigrationState.BAKING;
  }
}
