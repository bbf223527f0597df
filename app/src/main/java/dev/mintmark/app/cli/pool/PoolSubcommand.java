package dev.mintmark.app.cli.pool;

import dev.mintmark.app.cli.common.CatalogFile;
import dev.mintmark.app.cli.common.CommandAudit;
import dev.mintmark.app.cli.common.DatabaseOptions;
import dev.mintmark.app.cli.common.ExitStatus;
import dev.mintmark.app.cli.common.FileException;
import dev.mintmark.app.cli.common.PoolDatabaseOptions;
import dev.mintmark.app.cli.common.Verbosity;
import dev.mintmark.app.database.CloseAtExit;
import dev.mintmark.app.database.ConnectionOnDemand;
import dev.mintmark.app.database.Database;
import dev.mintmark.app.database.DatabaseAddress;
import dev.mintmark.app.database.PoolAddresses;
import dev.mintmark.app.view.ExclusionResultJson;
import dev.mintmark.app.view.Json;
import dev.mintmark.app.view.PoolJson;
import dev.mintmark.app.view.PoolListJson;
import dev.mintmark.postgres.pool.Pool;
import dev.mintmark.postgres.pool.Pools;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
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
          "move",
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

  /** What is to be done about a command that needs several databases. */
  static final String NAME_ANOTHER =
      "name it with %s NAME=URL, or by a variable such as %sEU"
          .formatted(PoolDatabaseOptions.OPTION, PoolDatabaseOptions.PREFIX);

  @Spec CommandSpec spec;

  @Mixin DatabaseOptions databaseOptions;

  @Mixin PoolDatabaseOptions poolDatabases = new PoolDatabaseOptions();

  @Option(
      names = "--catalog",
      paramLabel = "FILE",
      description =
          "The catalog that names the databases of pools, if there are several. Default:"
              + " mintmark.yaml if it exists")
  @Nullable Path catalogFile;

  private @Nullable PoolAddresses addresses;
  private @Nullable Database opened;

  /** The work with the open database; returns the exit status. */
  interface Work {
    int with(Pools pools);
  }

  /** Reads the arguments, so that errors in them are reported before the database is opened. */
  abstract Work work();

  @Override
  public final Integer call() {
    addresses = poolDatabases.addresses(declaredDatabases(), System.getenv());
    Work work = work();
    try (CloseAtExit atExit = new CloseAtExit()) {
      Database database = atExit.open(databaseOptions::openToUse);
      opened = database;
      Pools pools = open(database, atExit);
      return CommandAudit.of(spec, CHANGES).record(database, () -> work.with(pools));
    } finally {
      out().flush();
    }
  }

  /** The databases that the catalog names: the first of them is that of the usual options. */
  private List<String> declaredDatabases() {
    if (catalogFile != null) {
      return CatalogFile.read(spec, catalogFile).databases();
    }
    return declares(CatalogFile.DEFAULT)
        ? CatalogFile.read(spec, CatalogFile.DEFAULT).databases()
        : List.of();
  }

  /** Most catalogs name no databases: such a command does not read them. */
  private static boolean declares(Path catalog) {
    try {
      return Files.exists(catalog) && Files.readString(catalog).contains("databases");
    } catch (IOException e) {
      throw new FileException("catalog " + catalog, e);
    }
  }

  /** Another database is opened when something is asked of it. */
  private Pools open(Database first, CloseAtExit atExit) {
    Pools ofFirst = addresses().overFirst(first.connection());
    if (!areSeveral()) {
      return ofFirst;
    }
    List<Pools> parts = new ArrayList<>();
    parts.add(ofFirst);
    addresses()
        .others()
        .forEach(
            (name, address) ->
                parts.add(Pools.over(name, atExit.add(new ConnectionOnDemand(address)))));
    return Pools.across(parts);
  }

  private PoolAddresses addresses() {
    return Objects.requireNonNull(addresses);
  }

  /** Whether there are several databases of pools. */
  final boolean areSeveral() {
    return addresses().areSeveral();
  }

  /** Returns the address of the database of a pool, during the work. */
  final DatabaseAddress address(Pool pool) {
    DatabaseAddress first = Objects.requireNonNull(opened).address();
    return pool.spec()
        .database()
        .map(name -> addresses().others().getOrDefault(name, first))
        .orElse(first);
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

  /** Prints the counts of all pools; the exit status is 3 if a database does not answer. */
  final int printAll(Pools pools, boolean json) {
    PoolListJson list = PoolListJson.of(pools);
    List<PoolJson> standings = list.pools();
    if (json) {
      Json.print(out(), standings);
    } else {
      PoolTables.pools(standings).print(spec, standings.stream().map(PoolTexts::describe));
    }
    list.unreachable()
        .forEach(
            name ->
                err()
                    .println(
                        "mintmark: the database "
                            + name
                            + " does not answer: its pools are not listed"));
    return list.unreachable().isEmpty() ? ExitStatus.DONE : ExitStatus.FAILED;
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
