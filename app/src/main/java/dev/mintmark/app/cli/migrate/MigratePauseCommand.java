package dev.mintmark.app.cli.migrate;

import dev.mintmark.app.cli.common.ExitStatus;
import dev.mintmark.operations.migrate.MigrationStatus;
import java.util.Optional;
import picocli.CommandLine.Command;

/** {@code mintmark migrate pause}. */
@Command(
    name = "pause",
    description = {
      "Let the run that works end with its next transaction, from another terminal.",
      "One that makes an index first makes it. Old and new columns are kept the same meanwhile."
    })
final class MigratePauseCommand extends MigrateSubcommand {
  @Override
  Work work() {
    return target -> {
      Optional<MigrationStatus> before = target.migrations().status();
      target.migrations().pause();
      before.ifPresent(status -> MigrateTexts.pause(status).forEach(out()::println));
      return ExitStatus.DONE;
    };
  }
}
