package dev.mintmark.app.cli.pool;

import dev.mintmark.app.cli.common.ExitStatus;
import dev.mintmark.app.view.FreeValuesJson;
import dev.mintmark.app.view.Json;
import dev.mintmark.postgres.pool.FreePage;
import dev.mintmark.postgres.pool.Pool;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code mintmark pool free}. */
@Command(
    name = "free",
    description = {
      "List free values of a pool in the order of its blocks, also those that were never granted.",
      "The list is a snapshot: ${ROOT-COMMAND-NAME} pool claim POOL --value V claims one, unless"
          + " another client was faster."
    })
final class PoolFreeCommand extends PoolSubcommand {
  private static final int LIMIT_MAX = 1_000_000;

  @Mixin PoolCommand.PoolName pool;

  @Option(names = "--after", paramLabel = "VALUE", description = "Only values after this one.")
  @Nullable String after;

  @Option(
      names = "--limit",
      paramLabel = "N",
      defaultValue = "100",
      description = "The most values to print, 1 to 1000000. Default: ${DEFAULT-VALUE}")
  int limit;

  @Option(
      names = "--json",
      description = "Print the values as JSON, and as next the --after of the next list.")
  boolean json;

  @Override
  Work work() {
    if (limit < 1 || limit > LIMIT_MAX) {
      throw new IllegalArgumentException(
          "--limit is %s: expected 1 to %s".formatted(limit, LIMIT_MAX));
    }
    return pools -> {
      FreePage found = found(pools.open(pool.name));
      if (json) {
        Json.print(out(), FreeValuesJson.of(found));
      } else {
        PoolTables.values(found.values()).print(spec, found.values().stream());
      }
      return ExitStatus.DONE;
    };
  }

  /** Reads pages until there are enough values. */
  private FreePage found(Pool open) {
    List<String> values = new ArrayList<>();
    Optional<String> next = Optional.ofNullable(after);
    do {
      FreePage page = open.freeValues(next, Math.min(limit - values.size(), Pool.PAGE_MAX));
      values.addAll(page.values());
      next = page.next();
    } while (values.size() < limit && next.isPresent());
    return new FreePage(values, next);
  }
}
