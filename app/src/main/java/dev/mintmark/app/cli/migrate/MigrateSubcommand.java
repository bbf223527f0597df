package dev.mintmark.app.cli.migrate;

import dev.mintmark.app.cli.common.CalledAs;
import dev.mintmark.app.cli.common.CommandAudit;
import dev.mintmark.app.cli.common.DatabaseOptions;
import dev.mintmark.app.cli.common.ExitStatus;
import dev.mintmark.app.cli.common.Verbosity;
import dev.mintmark.app.database.CloseAtExit;
import dev.mintmark.app.database.Database;
import dev.mintmark.operations.migrate.Migrations;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.Set;
import java.util.concurrent.Callable;
import javax.sql.DataSource;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** The base of the {@code mintmark migrate} commands: the database and the output. */
@Command(mixinStandardHelpOptions = true)
abstract class MigrateSubcommand implements Callable<Integer> {
  /** The commands that change something. */
  private static final Set<String> CHANGES =
      Set.of("apply", "contract", "pause", "resume", "rollback");

  @Spec CommandSpec spec;

  @Mixin DatabaseOptions databaseOptions;

  @Option(
      names = "--catalog",
      paramLabel = "FILE",
      defaultValue = "mintmark.yaml",
      description =
          "The catalog. Only plan and apply read it: the other commands use the plan stored in the"
              + " database. Default: ${DEFAULT-VALUE}")
  Path catalog;

  /**
   * The database of a migration.
   *
   * @param connections a new connection for each use, directly to the server, without a statement
   *     timeout
   */
  record Target(DataSource connections, Migrations migrations) {}

  /** The work with the open database; returns the exit status. */
  interface Work {
    int on(Target target) throws SQLException;
  }

  /** Reads the arguments, so that errors in them are reported before the database is opened. */
  abstract Work work();

  @Override
  public final Integer call() {
    Work work = work();
    try (CloseAtExit atExit = new CloseAtExit()) {
      Database database = atExit.open(databaseOptions::openAsItIs);
      DataSource connections = database.ownConnections("mintmark-migrate");
      try {
        Target target = new Target(connections, Migrations.over(connections));
        return CommandAudit.of(spec, CHANGES).record(database, () -> work.on(target));
      } catch (SQLException e) {
        throw database.failure(e);
      }
    } finally {
      out().flush();
    }
  }

  /** Prints the reason and returns exit status 1. */
  final int refuse(String why) {
    report("mintmark: " + why);
    return ExitStatus.NO;
  }

  /** Reports a table that planning reads in full, because that may take long. */
  final void reportReading(String what) {
    notice("reading " + what);
  }

  /** Prints a line of the result that people read. */
  final void tell(String line) {
    out().println(CalledAs.in(line));
  }

  /** Prints a message that is no error to stderr. */
  final void notice(String line) {
    PrintWriter notices = Verbosity.notices(spec);
    notices.println(CalledAs.in(line));
    notices.flush();
  }

  /** Prints an error to stderr. */
  final void report(String line) {
    err().println(CalledAs.in(line));
    err().flush();
  }

  final PrintWriter out() {
    return spec.commandLine().getOut();
  }

  final PrintWriter err() {
    return spec.commandLine().getErr();
  }
}
