package dev.mintmark.app.cli.migrate;

import dev.mintmark.app.cli.common.Confirmation;
import dev.mintmark.app.cli.common.ExitStatus;
import dev.mintmark.app.cli.common.PrintableText;
import dev.mintmark.app.service.ConfirmingTable;
import dev.mintmark.operations.migrate.MigrationState;
import dev.mintmark.operations.migrate.MigrationStatus;
import dev.mintmark.operations.migrate.Pace;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code mintmark migrate contract}. */
@Command(
    name = "contract",
    description = {
      "Drop the old columns, and the triggers that kept them equal to the new ones.",
      "It cannot be undone: make sure that no code uses the old columns. On a terminal the command asks"
          + " for the name of the table."
    })
final class MigrateContractCommand extends MigrateRunSubcommand {
  @Mixin Confirmation confirmation;

  @Override
  Work work() {
    Pace pace = paceOptions.pace();
    return target -> {
      Optional<MigrationStatus> baking =
          target.migrations().status().filter(MigrateContractCommand::canRollBack);
      if (baking.isPresent()) {
        if (!isConfirmed(baking.get())) {
          return ExitStatus.NO;
        }
        notice("mintmark: the migration cannot be rolled back from the first step on");
      }
      return run(target, pace, target.migrations()::contract);
    };
  }

  private boolean isConfirmed(MigrationStatus status) {
    List<String> tables = status.tables();
    if (tables.isEmpty()) {
      return true; // It added an index to a column that existed: nothing is dropped.
    }
    return confirmation.allows(
        "migration %s of %s cannot be rolled back once it is contracted"
            .formatted(status.migration(), PrintableText.of(String.join(", ", tables))),
        "the name of the table",
        ConfirmingTable.of(status).names());
  }

  private static boolean canRollBack(MigrationStatus status) {
    return status.state() == MigrationState.BAKING;
  }
}
