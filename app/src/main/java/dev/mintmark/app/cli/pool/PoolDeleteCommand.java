package dev.mintmark.app.cli.pool;

import dev.mintmark.app.cli.common.ExitStatus;
import dev.mintmark.app.cli.pool.PoolCommand.PoolName;
import dev.mintmark.app.view.Json;
import dev.mintmark.app.view.PoolJson;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code mintmark pool delete}. */
@Command(name = "delete", description = "Delete a pool with its claims and its history.")
final class PoolDeleteCommand extends PoolSubcommand {
  @Mixin PoolName pool;

  @Option(names = "--yes", description = "Confirm the deletion.")
  boolean yes;

  @Option(names = "--json", description = "Print the deleted pool and its last counts as JSON.")
  boolean json;

  @Override
  Work work() {
    return pools -> {
      PoolJson deleted = PoolJson.of(pools.open(pool.name));
      String standing = PoolTexts.describe(deleted);
      if (!yes) {
        return refuseUsage("this deletes " + standing + ": confirm with --yes");
      }
      pools.delete(pool.name);
      if (json) {
        Json.print(out(), deleted);
      } else {
        out().println("deleted " + standing);
      }
      return ExitStatus.DONE;
    };
  }
}
