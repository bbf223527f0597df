package dev.mintmark.postgres.pool;

import dev.mintmark.Block;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Where the values of a pool stand: its blocks one behind the other, in the order they were added.
 * Immutable.
 */
record PoolLayout(List<Placed> blocks) {
  /** A block and the position of its first value. */
  record Placed(long firstPosition, Block block) {
    long endPosition() {
      return firstPosition + block.size();
    }
  }

  PoolLayout {
    blocks = List.copyOf(blocks);
  }

  /** How many positions there are; some may be excluded. */
  long size() {
    return blocks.isEmpty() ? 0 : blocks.get(blocks.size() - 1).endPosition();
  }

  /** The value at a position, or empty where a block has been added since this was loaded. */
  Optional<String> valueAt(long position) {
    return blocks.stream()
        .filter(placed -> placed.firstPosition() <= position && position < placed.endPosition())
        .findFirst()
        .map(placed -> placed.block().valueAt(position - placed.firstPosition()));
  }

  /** The position of a value, or empty where no block hands it out. */
  OptionalLong positionOf(String value) {
    for (Placed placed : blocks) {
      OptionalLong place = placed.block().positionOf(value);
      if (place.isPresent()) {
        return OptionalLong.of(placed.firstPosition() + place.getAsLong());
      }
    }
    return OptionalLong.empty();
  }

  /** The parts of blocks between two positions, {@code to} excluded. */
  List<PoolMap.Stretch> stretches(long from, long to) {
    List<PoolMap.Stretch> stretches = new ArrayList<>();
    for (Placed placed : blocks) {
      long start = Math.max(from, placed.firstPosition());
      long end = Math.min(to, placed.endPosition());
      if (start < end) {
        String first = placed.block().valueAt(start - placed.firstPosition());
        stretches.add(new PoolMap.Stretch(placed.block(), start, first, (int) (end - start)));
      }
    }
    return stretches;
  }
}
