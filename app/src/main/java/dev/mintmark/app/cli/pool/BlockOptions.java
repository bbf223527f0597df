package dev.mintmark.app.cli.pool;

import dev.mintmark.Block;
import dev.mintmark.ValueList;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Option;

/** The options for the values of a pool. */
final class BlockOptions {
  @Option(
      names = "--block",
      paramLabel = "BLOCK",
      split = ",",
      description = {
        "A CIDR block, an address, a block that is granted in prefixes, '10.0.0.0/16 by /28', a"
            + " range such as 0..1023, or a range that is granted in runs,"
            + " '1..1000000000 by 1000000'. Repeatable.",
      })
  List<String> blocks = List.of();

  @Option(
      names = "--list",
      paramLabel = "FILE",
      description = "A file with one value per line. Its name is the name of the list. Repeatable.")
  List<Path> lists = List.of();

  @Option(
      names = "--exclude",
      paramLabel = "BLOCK",
      split = ",",
      description = "A value or block that is never granted. Repeatable.")
  List<String> exclude = List.of();

  List<Block> toBlocks() {
    List<Block> all = new ArrayList<>(blocks.stream().map(Block::parse).toList());
    lists.forEach(file -> all.add(ValueList.read(file)));
    if (all.isEmpty()) {
      throw new IllegalArgumentException(
          "--block or --list is missing: expected the values of the pool");
    }
    return all;
  }

  /** Whether no option is given. */
  boolean isEmpty() {
    return blocks.isEmpty() && lists.isEmpty() && exclude.isEmpty();
  }

  List<Block> toExclude() {
    return exclude.stream().map(Block::parse).toList();
  }
}
