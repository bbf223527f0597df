package dev.mintmark.app.cli.pool;

import dev.mintmark.app.cli.common.ExitStatus;
import dev.mintmark.app.cli.pool.PoolCommand.PoolName;
import dev.mintmark.app.service.ClaimRefusal;
import dev.mintmark.app.service.DurationKey;
import dev.mintmark.app.view.ClaimJson;
import dev.mintmark.app.view.ClaimListJson;
import dev.mintmark.app.view.Json;
import dev.mintmark.postgres.pool.Claim;
import dev.mintmark.postgres.pool.ClaimRequest;
import dev.mintmark.postgres.pool.ClaimResult;
import dev.mintmark.postgres.pool.ClaimResult.AlreadyHeld;
import dev.mintmark.postgres.pool.ClaimResult.Contended;
import dev.mintmark.postgres.pool.ClaimResult.CutOff;
import dev.mintmark.postgres.pool.ClaimResult.Granted;
import dev.mintmark.postgres.pool.ClaimResult.Stopped;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code mintmark pool claim}. */
@Command(
    name = "claim",
    description = {
      "Claim a value for a client and print it, or several, one per line, all or none.",
      "A client that claims again gets the same value. Exit status 1 if no value is granted."
    })
final class PoolClaimCommand extends PoolSubcommand {
  @Mixin PoolName pool;

  @Option(
      names = "--client",
      paramLabel = "CLIENT",
      required = true,
      description = "The client that holds the value: one machine or one process.")
  String client;

  @Option(
      names = "--owner",
      paramLabel = "OWNER",
      description = "The account that the client claims for.")
  @Nullable String owner;

  @Option(names = "--value", paramLabel = "VALUE", description = "Claim exactly this value.")
  @Nullable String value;

  @Option(
      names = "--slot",
      paramLabel = "N",
      description = "The slot of the client, from 0. Default: 0")
  @Nullable Integer slot;

  @Option(
      names = "--count",
      paramLabel = "N",
      description = "Claim N values at once, in consecutive slots starting at --slot.")
  @Nullable Integer count;

  @Option(
      names = "--lease",
      paramLabel = "TIME",
      description =
          "How long the claim is held unless renewed, for example 30s. Default: the pool's lease")
  @Nullable String lease;

  @Mixin NoteOptions written;

  @Option(
      names = "--json",
      description = "Print the whole claim as JSON; with --count, all claims as one object.")
  boolean json;

  @Override
  Work work() {
    ClaimRequest request =
        new ClaimRequest(
            client,
            Optional.ofNullable(owner),
            Optional.ofNullable(value),
            slot == null ? 0 : slot,
            count == null ? 1 : count,
            Optional.ofNullable(lease).map(text -> DurationKey.parse("--lease", text)),
            written.note());
    return pools -> show(pools.open(pool.name).claim(request), request);
  }

  private int show(ClaimResult result, ClaimRequest request) {
    if (result instanceof Granted granted) {
      return print(granted.claims(), request);
    }
    if (result instanceof AlreadyHeld held) {
      notices().println("mintmark: already held since " + held.claim().claimedAt());
      return print(held.claims(), request);
    }
    String why = ClaimRefusal.message(result);
    return isPassing(result) ? fail(why) : refuse(why);
  }

  /** Whether the same claim may be granted when something else has happened. */
  private static boolean isPassing(ClaimResult result) {
    return result instanceof Contended || result instanceof Stopped || result instanceof CutOff;
  }

  private int print(List<Claim> claims, ClaimRequest request) {
    if (!json) {
      claims.forEach(claim -> out().println(claim.value()));
    } else if (count == null) {
      Json.print(out(), ClaimJson.of(claims.get(0), request.noteFor(claims.get(0))));
    } else {
      Json.print(out(), ClaimListJson.of(claims, request));
    }
    return ExitStatus.DONE;
  }
}
