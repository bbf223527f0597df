package dev.mintmark.app.cli.pool;

import dev.mintmark.app.cli.common.ExitStatus;
import dev.mintmark.app.cli.pool.PoolCommand.HeldValue;
import dev.mintmark.app.service.DurationKey;
import dev.mintmark.app.view.ClaimJson;
import dev.mintmark.app.view.Json;
import dev.mintmark.postgres.pool.RenewResult;
import dev.mintmark.postgres.pool.Superseded;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code mintmark pool renew}. */
@Command(name = "renew", description = "Renew a claim: its lease starts again now.")
final class PoolRenewCommand extends PoolSubcommand {
  @Mixin HeldValue held;

  @Option(
      names = "--lease",
      paramLabel = "TIME",
      description = "The length of the lease from now. Default: that of the claim")
  @Nullable String lease;

  @Option(names = "--json", description = "Print the whole claim as JSON.")
  boolean json;

  @Override
  Work work() {
    Optional<Duration> length =
        Optional.ofNullable(lease).map(text -> DurationKey.parse("--lease", text));
    return pools -> {
      RenewResult result = pools.open(held.pool).renew(held.value, held.token, length);
      if (!(result instanceof RenewResult.Renewed renewed)) {
        return refuse(held.refusal(result instanceof Superseded));
      }
      if (json) {
        Json.print(out(), ClaimJson.of(renewed.claim()));
      } else {
        out().println(renewed.claim().value());
      }
      return ExitStatus.DONE;
    };
  }
}
