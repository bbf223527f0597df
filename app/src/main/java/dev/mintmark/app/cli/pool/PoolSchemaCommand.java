package dev.mintmark.app.cli.pool;

import dev.mintmark.app.cli.common.ExitStatus;
import dev.mintmark.app.service.MigrationScript;
import dev.mintmark.postgres.pool.Pools;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code mintmark pool schema}. */
@Command(
    name = "schema",
    description = {
      "Print the tables of pools as a script for psql or a migration tool.",
      "It is for programs that use pools without Flyway. ${ROOT-COMMAND-NAME} serve and the pool commands"
          + " create the tables themselves. Needs no database."
    },
    mixinStandardHelpOptions = true)
final class PoolSchemaCommand implements Callable<Integer> {
  @Spec CommandSpec spec;

  @Override
  public Integer call() {
    spec.commandLine().getOut().print(MigrationScript.of(Pools.MIGRATIONS));
    spec.commandLine().getOut().flush();
    return ExitStatus.DONE;
  }
}
