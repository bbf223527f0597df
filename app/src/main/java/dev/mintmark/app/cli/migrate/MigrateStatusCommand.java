package dev.mintmark.app.cli.migrate;

import dev.mintmark.app.cli.common.ExitStatus;
import dev.mintmark.app.view.Json;
import dev.mintmark.app.view.MigrationStatusJson;
import dev.mintmark.operations.migrate.MigrationStatus;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code mintmark migrate status}. */
@Command(
    name = "status",
    description = {
      "Show the progress of the active migration or, if there is none, the result of the last one:"
          + " its steps, the process that runs it, and how long it can still be rolled back.",
      "Warns if less than a tenth of the values is left until rollback ends."
    })
final class MigrateStatusCommand extends MigrateSubcommand {
  @Option(names = "--json", description = "Print the status as JSON.")
  boolean json;

  @Override
  Work work() {
    return target -> {
      Optional<MigrationStatus> status = target.migrations().status();
      if (json) {
        Json.print(out(), MigrationStatusJson.of(status));
      } else {
        status.ifPresentOrElse(
            this::print, () -> tell("no migration was started in this database"));
      }
      return ExitStatus.DONE;
    };
  }

  private void print(MigrationStatus status) {
    MigrateTexts.heading(status).forEach(this::tell);
    MigrateTexts.steps(status)
        .print(spec, status.steps().stream().map(step -> MigrateTexts.step(status, step)));
    MigrateTexts.ending(status).forEach(this::tell);
  }
}
