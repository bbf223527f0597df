package dev.mintmark.app.cli.pool;

import dev.mintmark.app.cli.common.ExitStatus;
import dev.mintmark.app.cli.pool.PoolCommand.PoolBlock;
import dev.mintmark.app.service.NamedBlock;
import dev.mintmark.app.view.Json;
import dev.mintmark.app.view.PoolJson;
import dev.mintmark.postgres.pool.Pool;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code mintmark pool drain}. */
@Command(
    name = "drain",
    description = {
      "Drain a block: its values are no longer granted.",
      "Held values stay held until they are released. Then the block can be removed."
    })
final class PoolDrainCommand extends PoolSubcommand {
  @Mixin PoolBlock block;

  @Option(names = "--undo", description = "Grant its values again.")
  boolean undo;

  @Option(names = "--json", description = "Print the pool and its counts as JSON.")
  boolean json;

  @Override
  Work work() {
    return pools -> {
      NamedBlock named = block.in(pools);
      Optional<String> declared = named.declared();
      if (declared.isEmpty()) {
        return refuse(named.unknown());
      }
      Pool pool = named.pool();
      if (!pool.drain(declared.get(), !undo)) {
        notices()
            .println(
                "mintmark: pool \"%s\": %s is %s drained"
                    .formatted(pool.name(), declared.get(), undo ? "not" : "already"));
      }
      PoolJson standing = PoolJson.of(pool);
      if (json) {
        Json.print(out(), standing);
      } else {
        PoolTables.blocks(standing).print(spec, PoolTexts.utilisation(standing).stream());
      }
      return ExitStatus.DONE;
    };
  }
}
