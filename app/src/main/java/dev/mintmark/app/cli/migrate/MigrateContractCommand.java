package dev.mintmark.app.cli.migrate;

import dev.mintmark.operations.migrate.MigrationState;
import dev.mintmark.operations.migrate.MigrationStatus;
import dev.mintmark.operations.migrate.Pace;
import picocli.CommandLine.Command;

/** {@code mintmark migrate contract}. */
@Command(
    name = "contract",
    description = {
      "End the way back: drop the old columns, and what kept them the same as the new ones.",
      "There is no way back behind it, and nothing is asked: be sure that no code uses the old shape."
    })
final class MigrateContractCommand extends MigrateRunSubcommand {
  @Override
  Work work() {
    Pace pace = paceOptions.pace();
    return target -> {
      if (target.migrations().status().filter(MigrateContractCommand::hasWayBack).isPresent()) {
        tell("mintmark: from the first step on there is no way back");
      }
      return run(target, pace, target.migrations()::contract);
    };
  }

  private static boolean hasWayBack(MigrationStatus status) {
    return status.state() == MigrationState.BAKING;
  }
}
