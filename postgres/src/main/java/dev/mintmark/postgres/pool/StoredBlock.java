package dev.mintmark.postgres.pool;

import dev.mintmark.Block;
import dev.mintmark.Block.Positions;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.OptionalLong;

/**
 * A block in the database, or a part of one. Its values have places from 0 to {@link #size()} - 1
 * without gaps; excluded values have no place. Immutable.
 *
 * <pre>
 *   positions  0 1 2 3 4 5 6 7      of the block
 *   excluded       x x     x
 *   places     0 1     2 3   4
 * </pre>
 */
final class StoredBlock {
  private final int id;
  private final String declared;
  private final Block block;
  private final List<Block> excluded;
  private final byte[] seed;
  private final boolean draining;
  private final boolean removed;

  /** Ranges of excluded positions, ascending, with at least one position between two of them. */
  private final List<Positions> gaps;

  private final long size;

  StoredBlock(
      int id,
      String declared,
      Block block,
      List<Block> excluded,
      byte[] seed,
      boolean draining,
      boolean removed) {
    this.id = id;
    this.declared = declared;
    this.block = block;
    this.excluded = List.copyOf(excluded);
    this.seed = seed.clone();
    this.draining = draining;
    this.removed = removed;
    this.gaps = gaps(block, excluded);
    this.size = block.size() - gaps.stream().mapToLong(gap -> gap.to() - gap.from()).sum();
  }

  int id() {
    return id;
  }

  /** The text of the whole block that was declared. */
  String declared() {
    return declared;
  }

  Block block() {
    return block;
  }

  List<Block> excluded() {
    return excluded;
  }

  byte[] seed() {
    return seed.clone();
  }

  boolean draining() {
    return draining;
  }

  boolean removed() {
    return removed;
  }

  /** How many values it hands out. */
  long size() {
    return size;
  }

  String valueAt(long place) {
    return block.valueAt(positionOf(place));
  }

  OptionalLong placeOf(String value) {
    OptionalLong position = block.positionOf(value);
    if (position.isEmpty()) {
      return position;
    }
    long at = position.getAsLong();
    boolean isExcluded = gaps.stream().anyMatch(gap -> gap.from() <= at && at < gap.to());
    return isExcluded ? OptionalLong.empty() : OptionalLong.of(placesBelow(at));
  }

  /** Whether it hands out any of the values of another block. */
  boolean hasAnyOf(Block other) {
    Positions run = block.positionsIn(other);
    return run.from() < run.to() && placesBelow(run.from()) < placesBelow(run.to());
  }

  /** Returns the position of a place in the block. */
  long positionOf(long place) {
    long position = place;
    for (Positions gap : gaps) {
      if (gap.from() > position) {
        break;
      }
      position += gap.to() - gap.from();
    }
    return position;
  }

  /** Returns how many places are below a position. */
  long placesBelow(long position) {
    long places = position;
    for (Positions gap : gaps) {
      if (gap.from() >= position) {
        break;
      }
      places -= Math.min(gap.to(), position) - gap.from();
    }
    return places;
  }

  private static List<Positions> gaps(Block block, List<Block> excluded) {
    List<Positions> runs =
        excluded.stream()
            .map(block::positionsIn)
            .filter(run -> run.from() < run.to())
            .sorted(Comparator.comparingLong(Positions::from))
            .toList();
    List<Positions> gaps = new ArrayList<>();
    for (Positions run : runs) {
      Positions last = gaps.isEmpty() ? null : gaps.get(gaps.size() - 1);
      if (last != null && run.from() <= last.to()) {
        gaps.set(gaps.size() - 1, new Positions(last.from(), Math.max(last.to(), run.to())));
      } else {
        gaps.add(run);
      }
    }
    return gaps;
  }
}
