package dev.mintmark.app.cli.pool;

import dev.mintmark.app.cli.common.Confirmation;
import dev.mintmark.app.cli.common.ExitStatus;
import dev.mintmark.app.cli.common.StoredInstant;
import dev.mintmark.app.view.HistoryPageJson;
import dev.mintmark.app.view.Json;
import dev.mintmark.app.view.PruneResultJson;
import dev.mintmark.postgres.pool.PastClaim;
import dev.mintmark.postgres.pool.Pools;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code mintmark pool history}. */
@Command(
    name = "history",
    description = {
      "List past and present claims, the latest first.",
      "Ended claims are kept for the history time of the pool."
    })
final class PoolHistoryCommand extends PoolSubcommand {
  @Mixin PoolCommand.PoolName pool;

  @Option(names = "--value", paramLabel = "VALUE", description = "Only claims of this value.")
  @Nullable String value;

  @Mixin ClaimSelection selection;

  @Option(
      names = "--at",
      paramLabel = "INSTANT",
      converter = StoredInstant.class,
      description = "Only claims held at this time, for example 2026-11-21T12:00:00Z.")
  @Nullable Instant at;

  @Option(
      names = "--limit",
      paramLabel = "N",
      defaultValue = "1000",
      description = "The most claims to print, 1 to 1000. Default: ${DEFAULT-VALUE}")
  int limit;

  @Option(
      names = "--before",
      paramLabel = "TOKEN",
      description = "Only claims before the claim with this token, the last of the previous page.")
  @Nullable Long before;

  @Option(
      names = "--prune-before",
      paramLabel = "INSTANT",
      converter = StoredInstant.class,
      description =
          "Delete the claims that ended before this time, and print their number. On a terminal the"
              + " command asks for the name of the pool.")
  @Nullable Instant pruneBefore;

  @Mixin Confirmation confirmation;

  @Option(names = "--json", description = "Print the claims as JSON.")
  boolean json;

  @Override
  Work work() {
    if (pruneBefore != null) {
      for (String option : ClaimSelection.with("--value", "--at", "--before", "--limit")) {
        if (spec.commandLine().getParseResult().hasMatchedOption(option)) {
          throw new IllegalArgumentException(
              "--prune-before deletes all ended claims and cannot be combined with " + option);
        }
      }
      Instant end = pruneBefore;
      return pools -> isConfirmed(end) ? prune(pools, end) : ExitStatus.NO;
    }
    PastClaim.Filter filter =
        new PastClaim.Filter(
            Optional.ofNullable(value),
            selection.clients(),
            selection.owners(),
            selection.labels(),
            Optional.ofNullable(at));
    OptionalLong token = before == null ? OptionalLong.empty() : OptionalLong.of(before);
    return pools -> show(HistoryPageJson.of(pools.open(pool.name), filter, token, limit));
  }

  private int show(HistoryPageJson page) {
    if (json) {
      Json.print(out(), page);
    } else {
      PoolTables.history(page.history())
          .print(spec, page.history().stream().map(PoolTexts::describe));
    }
    return ExitStatus.DONE;
  }

  private boolean isConfirmed(Instant end) {
    return confirmation.allows(
        "this deletes all claims of the pool that ended before %s; it cannot be undone"
            .formatted(end),
        "the name of the pool",
        List.of(pool.name));
  }

  private int prune(Pools pools, Instant end) {
    var pruned = new PruneResultJson(pools.prune(pool.name, end));
    if (json) {
      Json.print(out(), pruned);
    } else {
      out().println(pruned.pruned() + " claims deleted that ended before " + end);
    }
    return ExitStatus.DONE;
  }
}
