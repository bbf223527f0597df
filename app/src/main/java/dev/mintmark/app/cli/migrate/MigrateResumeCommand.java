package dev.mintmark.app.cli.migrate;

import dev.mintmark.operations.migrate.Pace;
import picocli.CommandLine.Command;

/** {@code mintmark migrate resume}. */
@Command(
    name = "resume",
    description = {
      "Go on with a migration where its last run ended: it was killed, paused, or gave up.",
      "The plan is the one that was applied: nothing is planned anew."
    })
final class MigrateResumeCommand extends MigrateRunSubcommand {
  @Override
  Work work() {
    Pace pace = paceOptions.pace();
    return target -> run(target, pace, target.migrations()::resume);
  }
}
