package dev.mintmark.app.cli.migrate;

import dev.mintmark.app.cli.common.ExitStatus;
import dev.mintmark.operations.migrate.MigrationStatus;
import java.util.Optional;
import picocli.CommandLine.Command;

/** {@code mintmark migrate pause}. */
@Command(
    name = "pause",
    description = {
      "Stop the active run after its current transaction, from another terminal.",
      "An index build is completed first. Old and new columns are kept equal during the pause."
    })
final class MigratePauseCommand extends MigrateSubcommand {
  @Override
  Work work() {
    return target -> {
      Optional<MigrationStatus> before = target.migrations().status();
      target.migrations().pause();
      before.ifPresent(status -> MigrateTexts.pause(status).forEach(this::tell));
      return ExitStatus.DONE;
    };
  }
}
