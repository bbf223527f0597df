package dev.mintmark.app.cli.pool;

import dev.mintmark.app.cli.common.ExitStatus;
import dev.mintmark.app.service.DurationKey;
import dev.mintmark.app.view.ClaimJson;
import dev.mintmark.app.view.Json;
import dev.mintmark.app.view.RenewalsJson;
import dev.mintmark.postgres.pool.ClaimFilter;
import dev.mintmark.postgres.pool.ManyClaims;
import dev.mintmark.postgres.pool.Pool;
import dev.mintmark.postgres.pool.Pools;
import dev.mintmark.postgres.pool.RenewResult;
import dev.mintmark.postgres.pool.Superseded;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code mintmark pool renew}. */
@Command(
    name = "renew",
    description = {
      "Renew a claim, or all claims of a client, of an owner or with a label.",
      "The lease starts again now. A claim without a lease stays held until it is released."
    })
final class PoolRenewCommand extends PoolSubcommand {
  @Mixin ClaimOrSelection claims;

  @Option(
      names = "--lease",
      paramLabel = "TIME",
      description = "The length of the lease from now. Default: that of the claim")
  @Nullable String lease;

  @Option(names = "--json", description = "Print the whole claim, or all claims, as JSON.")
  boolean json;

  @Override
  Work work() {
    Optional<Duration> length =
        Optional.ofNullable(lease).map(text -> DurationKey.parse("--lease", text));
    if (claims.value().isPresent()) {
      String value = claims.value().get();
      long token = claims.requireToken();
      return pools -> renew(pools, value, token, length);
    }
    ClaimFilter filter = claims.requireSelection();
    return pools -> renew(pools.open(claims.pool), filter, length);
  }

  private int renew(Pools pools, String value, long token, Optional<Duration> length) {
    RenewResult result = pools.open(claims.pool).renew(value, token, length);
    if (!(result instanceof RenewResult.Renewed renewed)) {
      return refuse(claims.refusal(result instanceof Superseded));
    }
    if (json) {
      Json.print(out(), ClaimJson.of(renewed.claim()));
    } else {
      out().println(renewed.claim().value());
    }
    return ExitStatus.DONE;
  }

  private int renew(Pool pool, ClaimFilter filter, Optional<Duration> length) {
    List<ClaimJson> all = new ArrayList<>();
    @Nullable ClaimFilter rest = filter;
    while (rest != null) {
      RenewalsJson renewed =
          RenewalsJson.of(pool.many().renew(rest, length, ManyClaims.CLAIMS_MAX));
      if (json) {
        all.addAll(renewed.renewed());
      } else {
        renewed.renewed().forEach(claim -> out().println(PoolTexts.describe(claim)));
      }
      rest = renewed.next() == null ? null : filter.withAfter(renewed.next());
    }
    if (json) {
      Json.print(out(), new RenewalsJson(all, null));
    }
    return ExitStatus.DONE;
  }
}
