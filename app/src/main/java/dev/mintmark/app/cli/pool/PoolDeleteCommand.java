package dev.mintmark.app.cli.pool;

import dev.mintmark.app.cli.common.ExitStatus;
import dev.mintmark.app.cli.pool.PoolCommand.PoolName;
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

  @Override
  Work work() {
    return pools -> {
      String standing = PoolTexts.describe(PoolJson.of(pools.open(pool.name)));
      if (!yes) {
        return refuseUsage("this deletes " + standing + ": confirm with --yes");
      }
      pools.delete(pool.name);
      out().println("deleted " + standing);
      return ExitStatus.DONE;
    };
  }
}
