package dev.mintmark.app.cli.pool;

import dev.mintmark.app.cli.common.CommandAudit;
import dev.mintmark.app.cli.common.DatabaseOptions;
import dev.mintmark.app.cli.common.ExitStatus;
import dev.mintmark.app.cli.common.Verbosity;
import dev.mintmark.app.database.CloseAtExit;
import dev.mintmark.app.database.Database;
import dev.mintmark.app.view.ExclusionResultJson;
import dev.mintmark.app.view.Json;
import dev.mintmark.app.view.PoolJson;
import dev.mintmark.app.view.PoolListJson;
import dev.mintmark.postgres.pool.Pool;
import dev.mintmark.postgres.pool.Pools;
import java.io.PrintWriter;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** The base of the {@code mintmark pool} commands: the database and the output. */
@Command(mixinStandardHelpOptions = true)
abstract class PoolSubcommand implements Callable<Integer> {
  /** The commands that change something, and the options with which they do or do not. */
  private static final Set<String> CHANGES =
      Set.of(
          "create",
          "change !--plan",
          "add",
          "drain",
          "exclude",
          "include",
          "remove",
          "delete",
          "claim",
          "renew",
          "release",
          "label",
          "import",
          "quarantine",
          "resume",
          "feed",
          "adopt !--dry-run",
          "refill",
          "gate --owner",
          "gate --owners",
          "gate --share",
          "gate --rate",
          "gate --open",
          "history --prune-before");

  @Spec CommandSpec spec;

  @Mixin DatabaseOptions databaseOptions;

  private @Nullable Database opened;

  /** The work with the open database; returns the exit status. */
  interface Work {
    int with(Pools pools);
  }

  /** Reads the arguments, so that errors in them are reported before the database is opened. */
  abstract Work work();

  @Override
  public final Integer call() {
    Work work = work();
    try (CloseAtExit atExit = new CloseAtExit()) {
      Database database = atExit.open(databaseOptions::openToUse);
      opened = database;
      Pools pools = Pools.over(database.connection());
      return CommandAudit.of(spec, CHANGES).record(database, () -> work.with(pools));
    } finally {
      out().flush();
    }
  }

  /** Returns the database of the pools, during the work. */
  final Database database() {
    return Objects.requireNonNull(opened);
  }

  /** Prints the reason and returns exit status 1. */
  final int refuse(String why) {
    return end(ExitStatus.NO, why);
  }

  /** Prints an error of usage that only the database could show, and returns exit status 2. */
  final int refuseUsage(String why) {
    return end(ExitStatus.USAGE, why);
  }

  /** Prints what the database could not do now, and returns exit status 3. */
  final int fail(String why) {
    return end(ExitStatus.FAILED, why);
  }

  private int end(int status, String why) {
    err().println("mintmark: " + why);
    return status;
  }

  /** Prints the counts of all pools. */
  final int printAll(Pools pools, boolean json) {
    List<PoolJson> standings = PoolListJson.of(pools).pools();
    if (json) {
      Json.print(out(), standings);
    } else {
      PoolTables.pools(standings).print(spec, standings.stream().map(PoolTexts::describe));
    }
    return ExitStatus.DONE;
  }

  /** Prints a pool with its counts, and returns exit status 0. */
  final int print(Pool pool, boolean json) {
    PoolJson standing = PoolJson.of(pool);
    if (json) {
      Json.print(out(), standing);
    } else {
      out().println(PoolTexts.describe(standing));
    }
    return ExitStatus.DONE;
  }

  /** Prints what a pool excludes, and the claims of excluded values, one per line. */
  final void print(ExclusionResultJson result, boolean json) {
    if (json) {
      Json.print(out(), result);
      return;
    }
    out().println(PoolTexts.exclusions(result.exclude()) + (result.changed() ? "" : ", as before"));
    result.held().claims().forEach(claim -> out().println("held: " + PoolTexts.describe(claim)));
    if (result.held().next() != null) {
      out().println("more are held: see pool list --excluded --after " + result.held().next());
    }
  }

  final PrintWriter out() {
    return spec.commandLine().getOut();
  }

  /** Returns the writer for what is no result and no error. */
  final PrintWriter notices() {
    return Verbosity.notices(spec);
  }

  final PrintWriter err() {
    return spec.commandLine().getErr();
  }
}
