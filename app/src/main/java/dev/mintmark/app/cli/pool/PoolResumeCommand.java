package dev.mintmark.app.cli.pool;

import dev.mintmark.app.cli.common.ExitStatus;
import dev.mintmark.app.view.PoolJson;
import dev.mintmark.postgres.pool.Pool;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

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

  @Override
  Work work() {
    return pools -> {
      Pool open = pools.open(pool.name);
      if (!open.resume()) {
        return refuse("pool \"" + pool.name + "\" is not stopped");
      }
      out().println(PoolTexts.describe(PoolJson.of(open)));
      return ExitStatus.DONE;
    };
  }
}
