package dev.mintmark.app.cli.pool;

import dev.mintmark.app.cli.pool.PoolCommand.PoolName;
import dev.mintmark.postgres.pool.Pool;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code mintmark pool refill}. */
@Command(
    name = "refill",
    description = {
      "Draw values ahead, so that claims in long transactions do not have to.",
      "A claim in SQL that finds no free row draws values itself, and locks their block until its"
          + " transaction ends. Also settles the pool after a failover. Exit status 1 if none is"
          + " left to draw, or an open transaction has locked the blocks."
    })
final class PoolRefillCommand extends PoolSubcommand {
  @Mixin PoolName pool;

  @Option(
      names = "--values",
      paramLabel = "N",
      defaultValue = "4096",
      description = "How many values to draw, 1 to 1000000. Default: ${DEFAULT-VALUE}")
  long values;

  @Option(names = "--json", description = "Print the pool and its counts as JSON.")
  boolean json;

  @Override
  Work work() {
    if (values < 1 || values > Pool.REFILL_MAX) {
      throw new IllegalArgumentException(
          "--values is %s: expected 1 to %s".formatted(values, Pool.REFILL_MAX));
    }
    return pools -> {
      Pool refilled = pools.open(pool.name);
      if (!refilled.refill(values)) {
        return refuse(
            "pool \"%s\": no value is left to draw, or an open transaction has locked the blocks"
                .formatted(refilled.name()));
      }
      return print(refilled, json);
    };
  }
}
