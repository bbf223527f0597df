package dev.mintmark.app.cli.migrate;

import dev.mintmark.app.cli.common.ExitStatus;
import dev.mintmark.app.view.Json;
import dev.mintmark.app.view.MigrateJson;
import dev.mintmark.operations.migrate.MigrationStatus;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code mintmark migrate status}. */
@Command(
    name = "status",
    description = {
      "Say how the migration that is under way is getting on or, where none is, how the last one"
          + " ended: its steps, who works on it, and how far off the end of the way back is.",
      "Warns where less than a tenth of the values is left until then."
    })
final class MigrateStatusCommand extends MigrateSubcommand {
  @Option(names = "--json", description = "Print it as JSON.")
  boolean json;

  @Override
  Work work() {
    return target -> {
      Optional<MigrationStatus> status = target.migrations().status();
      if (json) {
        Json.print(out(), MigrateJson.Standing.of(status));
      } else {
        status
            .map(MigrateTexts::status)
            .orElse(List.of("no migration was ever begun in this database"))
            .forEach(out()::println);
      }
      return ExitStatus.DONE;
    };
  }
}
