package dev.mintmark.app.cli.pool;

import dev.mintmark.Block;
import dev.mintmark.app.cli.pool.PoolCommand.PoolName;
import dev.mintmark.postgres.pool.Pool;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code mintmark pool add}. */
@Command(
    name = "add",
    description = {
      "Add blocks to a pool. Their values can be claimed at once.",
      "Blocks are added one by one; if one is rejected, those before it have been added."
    })
final class PoolAddCommand extends PoolSubcommand {
  @Mixin PoolName pool;

  @Mixin BlockOptions values;

  @Option(names = "--json", description = "Print the pool and its counts as JSON.")
  boolean json;

  @Override
  Work work() {
    List<Block> blocks = values.toBlocks();
    List<Block> exclude = values.toExclude();
    for (Block one : exclude) {
      if (blocks.stream().noneMatch(one::overlaps)) {
        throw new IllegalArgumentException("--exclude " + one + " is not in any of the blocks");
      }
    }
    return pools -> {
      Pool open = pools.open(pool.name);
      blocks.forEach(
          block ->
              open.addBlock(block, exclude.stream().filter(one -> one.overlaps(block)).toList()));
      return print(open, json);
    };
  }
}
