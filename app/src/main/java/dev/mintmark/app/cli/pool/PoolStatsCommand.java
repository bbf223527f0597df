package dev.mintmark.app.cli.pool;

import dev.mintmark.app.cli.common.ExitStatus;
import dev.mintmark.app.view.Json;
import dev.mintmark.app.view.PoolJson;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code mintmark pool stats}. */
@Command(
    name = "stats",
    description = {
      "Show how many values are free, held and quarantined; for one pool also by block.",
      "In the bars, # is held and ~ is quarantined."
    })
final class PoolStatsCommand extends PoolSubcommand {
  @Parameters(paramLabel = "POOL", arity = "0..1", description = "The pool. Default: all pools")
  @Nullable String name;

  @Option(names = "--json", description = "Print the counts as JSON.")
  boolean json;

  @Override
  Work work() {
    return pools -> {
      pools.sweep();
      if (name == null) {
        return printAll(pools, json);
      }
      show(PoolJson.of(pools.open(name)));
      return ExitStatus.DONE;
    };
  }

  private void show(PoolJson standing) {
    if (json) {
      Json.print(out(), standing);
    } else {
      out().println(PoolTexts.describe(standing));
      out().println("  " + PoolTexts.settings(standing));
      PoolTables.blocks(standing).print(spec, PoolTexts.utilisation(standing).stream());
    }
  }
}
