package dev.mintmark.app.cli.pool;

import dev.mintmark.app.cli.common.Confirmation;
import dev.mintmark.app.cli.common.ExitStatus;
import dev.mintmark.app.view.Json;
import dev.mintmark.app.view.ReleasedClaimJson;
import dev.mintmark.app.view.ReleasesJson;
import dev.mintmark.postgres.pool.ClaimFilter;
import dev.mintmark.postgres.pool.ManyClaims;
import dev.mintmark.postgres.pool.Pool;
import dev.mintmark.postgres.pool.Pools;
import dev.mintmark.postgres.pool.ReleaseResult;
import dev.mintmark.postgres.pool.Superseded;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code mintmark pool release}. */
@Command(
    name = "release",
    description = {
      "Release a value, or all claims of a client, of an owner or with a label.",
      "On a terminal, the release of several claims asks for the name of the pool. Repeat a command"
          + " that failed: what is released stays released."
    })
final class PoolReleaseCommand extends PoolSubcommand {
  @Mixin ClaimOrSelection claims;

  @Mixin Confirmation confirmation;

  @Option(names = "--json", description = "Print what was released, and when it is free, as JSON.")
  boolean json;

  /** The JSON output for one value. */
  private record ReleasedJson(String pool, String value, Instant freeAt) {}

  @Override
  Work work() {
    if (claims.value().isPresent()) {
      String value = claims.value().get();
      long token = claims.requireToken();
      return pools -> release(pools, value, token);
    }
    ClaimFilter filter = claims.requireSelection();
    return pools -> isConfirmed() ? release(pools.open(claims.pool), filter) : ExitStatus.NO;
  }

  private int release(Pools pools, String value, long token) {
    ReleaseResult result = pools.open(claims.pool).release(value, token);
    if (!(result instanceof ReleaseResult.Released released)) {
      return refuse(claims.refusal(result instanceof Superseded));
    }
    if (json) {
      Json.print(out(), new ReleasedJson(claims.pool, value, released.freeAt()));
    } else {
      out().println(value + " released, free from " + released.freeAt());
    }
    return ExitStatus.DONE;
  }

  private boolean isConfirmed() {
    return confirmation.allows(
        "this releases all claims that are selected", "the name of the pool", List.of(claims.pool));
  }

  private int release(Pool pool, ClaimFilter filter) {
    List<ReleasedClaimJson> all = new ArrayList<>();
    @Nullable ClaimFilter rest = filter;
    while (rest != null) {
      ReleasesJson released = ReleasesJson.of(pool.many().release(rest, ManyClaims.CLAIMS_MAX));
      if (json) {
        all.addAll(released.released());
      } else {
        released
            .released()
            .forEach(
                one ->
                    out()
                        .println(
                            "%s released, held by %s, free from %s"
                                .formatted(one.value(), one.client(), one.freeAt())));
      }
      rest = released.next() == null ? null : filter.withAfter(released.next());
    }
    if (json) {
      Json.print(out(), new ReleasesJson(all, null));
    }
    return ExitStatus.DONE;
  }
}
