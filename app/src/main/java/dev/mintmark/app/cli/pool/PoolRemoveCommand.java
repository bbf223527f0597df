package dev.mintmark.app.cli.pool;

import dev.mintmark.app.cli.common.ExitStatus;
import dev.mintmark.app.cli.pool.PoolCommand.PoolBlock;
import dev.mintmark.app.service.NamedBlock;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code mintmark pool remove}. */
@Command(
    name = "remove",
    description = {
      "Remove a drained block without held or quarantined values.",
      "Exit status 1 if it is not drained or has such values; nothing is changed then."
    })
final class PoolRemoveCommand extends PoolSubcommand {
  @Mixin PoolBlock block;

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
      if (!named.pool().removeBlock(declared.get())) {
        return refuse(named.whyStillThere());
      }
      if (json) {
        return print(named.pool(), json);
      }
      out().println("%s removed from pool \"%s\"".formatted(declared.get(), named.pool().name()));
      return ExitStatus.DONE;
    };
  }
}
