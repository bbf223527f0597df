package dev.mintmark.app.cli.migrate;

import dev.mintmark.app.cli.common.ExitStatus;
import dev.mintmark.app.view.Json;
import dev.mintmark.app.view.MigrationStatusJson;
import dev.mintmark.operations.migrate.MigrationStatus;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code mintmark migrate pause}. */
@Command(
    name = "pause",
    description = {
      "Stop the active run after its current transaction, from another terminal.",
      "An index build is completed first. Old and new columns are kept equal during the pause."
    })
final class MigratePauseCommand extends MigrateSubcommand {
  @Option(names = "--json", description = "Print the status of the migration as JSON.")
  boolean json;

  @Override
  Work work() {
    return target -> {
      Optional<MigrationStatus> before = target.migrations().status();
      target.migrations().pause();
      if (json) {
        Json.print(out(), MigrationStatusJson.of(target.migrations().status()));
      } else {
        before.ifPresent(status -> MigrateTexts.pause(status).forEach(this::tell));
      }
      return ExitStatus.DONE;
    };
  }
}
