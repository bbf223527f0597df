package dev.mintmark.app.cli.migrate;

import dev.mintmark.operations.migrate.Pace;
import picocli.CommandLine.Command;

/** {@code mintmark migrate resume}. */
@Command(
    name = "resume",
    description = {
      "Continue a migration where its last run ended: it was killed, paused, or failed.",
      "The stored plan continues; no new plan is made."
    })
final class MigrateResumeCommand extends MigrateRunSubcommand {
  @Override
  Work work() {
    Pace pace = paceOptions.pace();
    return target -> run(target, pace, target.migrations()::resume);
  }
}
