package dev.mintmark.app.cli.migrate;

import dev.mintmark.app.cli.common.ExitStatus;
import dev.mintmark.app.view.Json;
import dev.mintmark.app.view.MigrationOutcomeJson;
import dev.mintmark.operations.migrate.MigrationListener;
import dev.mintmark.operations.migrate.MigrationOutcome;
import dev.mintmark.operations.migrate.MigrationStatus;
import dev.mintmark.operations.migrate.Pace;
import java.sql.SQLException;
import java.util.Optional;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * The base of the {@code mintmark migrate} commands that run a migration: pace, progress and
 * result.
 *
 * <p>Ctrl-C ends the process at once: the server rolls back the open transaction, and the next run
 * drops an index whose build was cut off.
 */
abstract class MigrateRunSubcommand extends MigrateSubcommand {
  static final String CONTINUE = "completed work is kept; continue with: mintmark migrate resume";

  @Mixin PaceOptions paceOptions;

  @Option(names = "--json", description = "Print the result as JSON.")
  boolean json;

  /** A run of a migration. */
  interface Run {
    MigrationOutcome run(Pace pace, MigrationListener listener) throws SQLException;
  }

  /** Runs the migration and prints the result. */
  final int run(Target target, Pace pace, Run run) throws SQLException {
    MigrationOutcome outcome = run(pace, run);
    return print(outcome, target.migrations().status());
  }

  /** Prints the result. */
  final int print(MigrationOutcome outcome, Optional<MigrationStatus> status) {
    if (json) {
      Json.print(out(), MigrationOutcomeJson.of(outcome, status));
    } else {
      MigrateTexts.ending(outcome, status).forEach(this::tell);
    }
    return outcome instanceof MigrationOutcome.Paused ? ExitStatus.NO : ExitStatus.DONE;
  }

  private MigrationOutcome run(Pace pace, Run run) throws SQLException {
    MigrateProgress progress = new MigrateProgress(spec);
    Thread interrupted = new Thread(progress::interrupted, "mintmark-interrupted");
    Runtime.getRuntime().addShutdownHook(interrupted);
    try (progress) {
      return run.run(pace, progress);
    } catch (SQLException e) {
      if (progress.hasBegun()) {
        report("mintmark: the run failed: " + CONTINUE);
      }
      throw e;
    } finally {
      forget(interrupted);
    }
  }

  /** Removes the hook, also if the process is already ending and the thread runs. */
  private static void forget(Thread hook) {
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException e) {
      // The hook has printed the message.
    }
  }
}
