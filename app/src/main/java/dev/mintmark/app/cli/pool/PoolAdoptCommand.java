package dev.mintmark.app.cli.pool;

import dev.mintmark.app.cli.common.ExitStatus;
import dev.mintmark.app.cli.pool.PoolCommand.PoolName;
import dev.mintmark.app.view.Json;
import dev.mintmark.postgres.pool.PoolAdoption;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code mintmark pool adopt}. */
@Command(
    name = "adopt",
    description = {
      "Import the values of a table that are in use as claims of a pool, in one transaction.",
      "The table is locked meanwhile and renamed to TABLE_adopted; a view for reading keeps its name"
          + " and shape. Exit status 1 if rows cannot be imported: nothing is changed then."
    })
final class PoolAdoptCommand extends PoolSubcommand {
  @Mixin PoolName pool;

  @Option(
      names = "--table",
      paramLabel = "TABLE",
      required = true,
      description = "The table, with its schema unless that is public.")
  String table;

  @Option(
      names = "--value",
      paramLabel = "COLUMN",
      required = true,
      description = "The column of the values.")
  String value;

  @Option(
      names = "--client",
      paramLabel = "COLUMN",
      required = true,
      description = "The column of the clients: null if a value is not in use.")
  String client;

  @Option(names = "--owner", paramLabel = "COLUMN", description = "The column of the owners.")
  @Nullable String owner;

  @Option(
      names = "--dry-run",
      description = "Report only: nothing is changed, and the table is not locked.")
  boolean dryRun;

  @Option(names = "--json", description = "Print the result as JSON.")
  boolean json;

  /** The JSON output. */
  private record Report(
      String pool,
      boolean adopted,
      long rows,
      long imported,
      String table,
      String view,
      List<String> problems) {}

  @Override
  Work work() {
    PoolAdoption.Table adopted =
        new PoolAdoption.Table(table, value, client, Optional.ofNullable(owner));
    return pools -> show(PoolAdoption.adopt(pools.open(pool.name), adopted, dryRun));
  }

  private int show(PoolAdoption.Result result) {
    boolean adopted = result.problems().isEmpty() && !dryRun;
    if (json) {
      Json.print(
          out(),
          new Report(
              pool.name,
              adopted,
              result.rows(),
              result.imported(),
              adopted ? result.renamedTo() : result.view(),
              result.view(),
              result.problems()));
    }
    if (!result.problems().isEmpty()) {
      result.problems().forEach(problem -> err().println("  " + problem));
      return refuse("pool \"%s\": nothing was adopted".formatted(pool.name));
    }
    if (!json) {
      out()
          .println(
              dryRun
                  ? "%s rows would be imported; %s would be renamed to %s"
                      .formatted(result.rows(), result.view(), result.renamedTo())
                  : "%s of %s rows were imported; the table is %s, and %s is a view for reading"
                      .formatted(
                          result.imported(), result.rows(), result.renamedTo(), result.view()));
    }
    return ExitStatus.DONE;
  }
}
