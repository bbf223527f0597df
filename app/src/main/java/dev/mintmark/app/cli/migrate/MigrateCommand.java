package dev.mintmark.app.cli.migrate;

import dev.mintmark.app.cli.common.ExitStatus;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/**
 * {@code mintmark migrate}: the keys of a live database, from what they are to what is declared.
 */
@Command(
    name = "migrate",
    description = {
      "Change keys while their tables are used: plan, apply, and go back or end the way back.",
      "The catalog declares what the keys are to be; the plan says what that takes."
    },
    mixinStandardHelpOptions = true,
    synopsisSubcommandLabel = "COMMAND",
    subcommands = {
      MigratePlanCommand.class,
      MigrateApplyCommand.class,
      MigrateStatusCommand.class,
      MigratePauseCommand.class,
      MigrateResumeCommand.class,
      MigrateRollbackCommand.class,
      MigrateContractCommand.class,
    },
    footer = {
      "",
      "Exit status: 0 done, 1 the answer is no (refused, paused, another run works), 2 wrong usage, 3"
          + " the database or the network failed.",
    })
public final class MigrateCommand implements Callable<Integer> {
  @Spec CommandSpec spec;

  /** Without a command of its own: what there is. */
  @Override
  public Integer call() {
    spec.commandLine().usage(spec.commandLine().getErr());
    return ExitStatus.USAGE;
  }
}
