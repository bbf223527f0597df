package dev.mintmark.app.cli.pool;

import dev.mintmark.app.cli.common.ExitStatus;
import dev.mintmark.app.cli.pool.PoolCommand.PoolBlock;
import dev.mintmark.app.service.NamedBlock;
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
      "Let a block run dry: none of its values is handed out any more.",
      "Those that are held stay so until they are released. Then the block can be removed."
    })
final class PoolDrainCommand extends PoolSubcommand {
  @Mixin PoolBlock block;

  @Option(names = "--undo", description = "Hand its values out again.")
  boolean undo;

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
        err()
            .println(
                "mintmark: pool \"%s\": %s is%s drained already"
                    .formatted(pool.name(), declared.get(), undo ? " not" : ""));
      }
      PoolTexts.utilisation(PoolJson.of(pool)).forEach(out()::println);
      return ExitStatus.DONE;
    };
  }
}
