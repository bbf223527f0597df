package dev.mintmark.app.cli.migrate;

import dev.mintmark.app.cli.common.ExitStatus;
import dev.mintmark.app.view.Json;
import dev.mintmark.app.view.MigrateJson;
import dev.mintmark.operations.migrate.MigrationListener;
import dev.mintmark.operations.migrate.MigrationOutcome;
import dev.mintmark.operations.migrate.MigrationStatus;
import dev.mintmark.operations.migrate.Pace;
import java.sql.SQLException;
import java.util.Optional;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * What the commands of {@code mintmark migrate} share that run one: how fast, what is told
 * meanwhile, and how it ended.
 *
 * <p>Ctrl-C ends the process where it is: what a transaction did is undone by the server, and an
 * index that is half made is dropped by the next run.
 */
abstract class MigrateRunSubcommand extends MigrateSubcommand {
  static final String GO_ON = "what was done is kept; go on with: mintmark migrate resume";

  @Mixin PaceOptions paceOptions;

  @Option(names = "--json", description = "Print how it ended as JSON.")
  boolean json;

  /** A run of a migration. */
  interface Run {
    MigrationOutcome run(Pace pace, MigrationListener listener) throws SQLException;
  }

  /** Runs, and says how it ended. */
  final int run(Target target, Pace pace, Run run) throws SQLException {
    MigrationOutcome outcome = run(pace, run);
    return print(outcome, target.migrations().status());
  }

  /** Says how it ended. */
  final int print(MigrationOutcome outcome, Optional<MigrationStatus> status) {
    if (json) {
      Json.print(out(), MigrateJson.Ended.of(outcome, status));
    } else {
      MigrateTexts.ending(outcome, status).forEach(out()::println);
    }
    return outcome instanceof MigrationOutcome.Paused ? ExitStatus.NO : ExitStatus.DONE;
  }

  private MigrationOutcome run(Pace pace, Run run) throws SQLException {
    MigrateProgress progress = new MigrateProgress(err());
    Thread interrupted = new Thread(progress::interrupted, "mintmark-interrupted");
    Runtime.getRuntime().addShutdownHook(interrupted);
    try (progress) {
      return run.run(pace, progress);
    } catch (SQLException e) {
      if (progress.hasBegun()) {
        tell("mintmark: the run broke off: " + GO_ON);
      }
      throw e;
    } finally {
      forget(interrupted);
    }
  }

  /** Also where the process ends already, and the thread runs. */
  private static void forget(Thread hook) {
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException e) {
      // It has told what there is to tell.
    }
  }
}
