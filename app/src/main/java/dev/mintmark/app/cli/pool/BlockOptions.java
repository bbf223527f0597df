package dev.mintmark.app.cli.pool;

import dev.mintmark.Block;
import dev.mintmark.ValueList;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Option;

/** The values that a pool is given. */
final class BlockOptions {
  @Option(
      names = "--block",
      paramLabel = "BLOCK",
      split = ",",
      description = {
        "A CIDR block, an address, a range such as 0..1023, or one that is handed out in runs,"
            + " '1..1000000000 by 1000000'. Repeatable.",
      })
  List<String> blocks = List.of();

  @Option(
      names = "--list",
      paramLabel = "FILE",
      description = "A file with one value a line, called by its name. Repeatable.")
  List<Path> lists = List.of();

  @Option(
      names = "--exclude",
      paramLabel = "BLOCK",
      split = ",",
      description = "A value or block that is never handed out. Repeatable.")
  List<String> exclude = List.of();

  List<Block> toBlocks() {
    List<Block> all = new ArrayList<>(blocks.stream().map(Block::parse).toList());
    lists.forEach(file -> all.add(ValueList.read(file)));
    if (all.isEmpty()) {
      throw new IllegalArgumentException("--block or --list is missing: which values are meant");
    }
    return all;
  }

  List<Block> toExclude() {
    return exclude.stream().map(Block::parse).toList();
  }
}
