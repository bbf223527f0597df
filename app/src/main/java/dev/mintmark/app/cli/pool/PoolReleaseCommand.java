package dev.mintmark.app.cli.pool;

import dev.mintmark.app.cli.common.ExitStatus;
import dev.mintmark.app.cli.pool.PoolCommand.HeldValue;
import dev.mintmark.postgres.pool.ReleaseResult;
import dev.mintmark.postgres.pool.Superseded;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code mintmark pool release}. */
@Command(name = "release", description = "Release a value.")
final class PoolReleaseCommand extends PoolSubcommand {
  @Mixin HeldValue held;

  @Override
  Work work() {
    return pools -> {
      ReleaseResult result = pools.open(held.pool).release(held.value, held.token);
      if (!(result instanceof ReleaseResult.Released released)) {
        return refuse(held.refusal(result instanceof Superseded));
      }
      out().println(held.value + " released, free from " + released.freeAt());
      return ExitStatus.DONE;
    };
  }
}
