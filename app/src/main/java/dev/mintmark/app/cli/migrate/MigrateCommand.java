package dev.mintmark.app.cli.migrate;

import dev.mintmark.app.cli.common.ExitStatus;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code mintmark migrate}: changes the keys of a live database to what the catalog declares. */
@Command(
    name = "migrate",
    description = {
      "Change keys while their tables are in use: plan, apply, then roll back or contract.",
      "The catalog declares the keys; the plan shows the steps, their locks and their costs."
    },
    mixinStandardHelpOptions = true,
    synopsisSubcommandLabel = "COMMAND",
    footer = {
      "",
      "Exit status: 0 done, 1 the answer is no (refused, paused, another run is active), 2 wrong"
          + " usage, 3 the database or the network failed.",
    })
public final class MigrateCommand implements Callable<Integer> {
  /** Its commands, in the order of the help. */
  public static final List<Class<?>> COMMANDS =
      List.of(
          MigratePlanCommand.class,
          MigrateApplyCommand.class,
          MigrateStatusCommand.class,
          MigratePauseCommand.class,
          MigrateResumeCommand.class,
          MigrateRollbackCommand.class,
          MigrateContractCommand.class);

  @Spec CommandSpec spec;

  /** Prints the help if no subcommand is given. */
  @Override
  public Integer call() {
    spec.commandLine().usage(spec.commandLine().getErr());
    return ExitStatus.USAGE;
  }
}
