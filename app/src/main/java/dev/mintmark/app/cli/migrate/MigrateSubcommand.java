package dev.mintmark.app.cli.migrate;

import dev.mintmark.app.cli.common.DatabaseOptions;
import dev.mintmark.app.cli.common.ExitStatus;
import dev.mintmark.app.database.CloseAtExit;
import dev.mintmark.app.database.Database;
import dev.mintmark.operations.migrate.Migrations;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.concurrent.Callable;
import javax.sql.DataSource;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** What the commands of {@code mintmark migrate} share: the database, and where they write. */
@Command(mixinStandardHelpOptions = true)
abstract class MigrateSubcommand implements Callable<Integer> {
  @Spec CommandSpec spec;

  @Mixin DatabaseOptions databaseOptions;

  @Option(
      names = "--catalog",
      paramLabel = "FILE",
      defaultValue = "mintmark.yaml",
      description =
          "The catalog. Only plan and apply read it: the database knows what is under way."
              + " Default: ${DEFAULT-VALUE}")
  Path catalog;

  /**
   * The database of a migration.
   *
   * @param connections each one that of its user alone, to the server itself; a statement takes as
   *     long as it takes
   */
  record Target(DataSource connections, Migrations migrations) {}

  /** What is to be done once the database is there; answers the exit status. */
  interface Work {
    int on(Target target) throws SQLException;
  }

  /** Reads the arguments: what is wrong with them is told without a database. */
  abstract Work work();

  @Override
  public final Integer call() {
    Work work = work();
    try (CloseAtExit atExit = new CloseAtExit()) {
      Database database = atExit.add(databaseOptions.openAsItIs());
      DataSource connections = database.ownConnections("mintmark-migrate");
      try {
        return work.on(new Target(connections, Migrations.over(connections)));
      } catch (SQLException e) {
        throw database.failure(e);
      }
    } finally {
      out().flush();
    }
  }

  /** Says why not. */
  final int refuse(String why) {
    tell("mintmark: " + why);
    return ExitStatus.NO;
  }

  /** Tells what a plan reads in full: the larger it is, the longer that takes. */
  final void tellReading(String what) {
    tell("reading " + what);
  }

  /** Tells people something beside the results. */
  final void tell(String line) {
    err().println(line);
    err().flush();
  }

  final PrintWriter out() {
    return spec.commandLine().getOut();
  }

  final PrintWriter err() {
    return spec.commandLine().getErr();
  }
}
