package dev.mintmark.app.cli.pool;

import dev.mintmark.postgres.pool.Pool;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code mintmark pool resume}. */
@Command(
    name = "resume",
    description = {
      "Let a pool that a failover has stopped grant values again.",
      "Use it if no claim is lost: replication was synchronous, or nothing claimed meanwhile. If",
      "claims may be lost, use pool quarantine --all, which ends the stop as well.",
      "",
      "Exit status 1 if the pool is not stopped."
    })
final class PoolResumeCommand extends PoolSubcommand {
  @Mixin PoolCommand.PoolName pool;

  @Option(names = "--json", description = "Print the pool and its counts as JSON.")
  boolean json;

  @Override
  Work work() {
    return pools -> {
      Pool open = pools.open(pool.name);
      if (!open.resume()) {
        return refuse("pool \"" + pool.name + "\" is not stopped");
      }
      return print(open, json);
    };
  }
}
