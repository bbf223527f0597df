package dev.mintmark.app.cli.pool;

import dev.mintmark.app.cli.common.ExitStatus;
import dev.mintmark.app.cli.pool.PoolCommand.PoolName;
import dev.mintmark.app.view.Json;
import dev.mintmark.app.view.PoolJson;
import dev.mintmark.postgres.pool.Pools;
import dev.mintmark.postgres.pool.UnknownPoolException;
import java.util.Map;
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
    return this::delete;
  }

  private int delete(Pools pools) {
    PoolJson deleted;
    try {
      deleted = PoolJson.of(pools.open(pool.name));
    } catch (UnknownPoolException e) {
      return forget(pools, e);
    }
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
  }

  /** The pool may have been moved to a database that does not have it: then its name is freed. */
  private int forget(Pools pools, UnknownPoolException unknown) {
    if (!yes || !pools.delete(pool.name)) {
      throw unknown;
    }
    if (json) {
      Json.print(out(), Map.of("name", pool.name));
    } else {
      out()
          .println(
              "deleted what was known of pool \"%s\": %s"
                  .formatted(pool.name, unknown.getMessage()));
    }
    return ExitStatus.DONE;
  }
}
