package dev.mintmark.postgres.pool;

import dev.mintmark.Block;
import dev.mintmark.Block.Positions;
import java.util.List;
import java.util.OptionalLong;
import java.util.stream.Stream;

/**
 * A block in the database, or a part of one. Its values have places from 0 to {@link #size()} - 1
 * without gaps. Excluded values have a place too; only those that were excluded before exclusions
 * could change have none. Immutable.
 */
final class StoredBlock {
  private final int id;
  private final String declared;
  private final Block block;
  private final Exclusions exclusions;
  private final byte[] seed;
  private final boolean draining;
  private final boolean removed;

  /** The positions without a place. */
  private final Gaps gaps;

  private final Gaps excludedPlaces;

  /**
   * What a block does not hand out.
   *
   * @param fixed blocks whose values have no place
   * @param changeable blocks whose values have a place
   */
  record Exclusions(List<Block> fixed, List<Block> changeable) {
    Exclusions {
      fixed = List.copyOf(fixed);
      changeable = List.copyOf(changeable);
    }
  }

  StoredBlock(
      int id,
      String declared,
      Block block,
      Exclusions exclusions,
      byte[] seed,
      boolean draining,
      boolean removed) {
    this.id = id;
    this.declared = declared;
    this.block = block;
    this.exclusions = exclusions;
    this.seed = seed.clone();
    this.draining = draining;
    this.removed = removed;
    this.gaps = Gaps.of(exclusions.fixed.stream().map(block::positionsIn));
    this.excludedPlaces = placesOf(exclusions.changeable);
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

  Exclusions exclusions() {
    return exclusions;
  }

  /** All blocks whose values it does not hand out. */
  Stream<Block> excluded() {
    return Stream.concat(exclusions.fixed.stream(), exclusions.changeable.stream());
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

  /** How many places it has. */
  long size() {
    return block.size() - gaps.size();
  }

  String valueAt(long place) {
    return block.valueAt(gaps.numberAt(place));
  }

  OptionalLong placeOf(String value) {
    OptionalLong position = block.positionOf(value);
    if (position.isEmpty() || gaps.contains(position.getAsLong())) {
      return OptionalLong.empty();
    }
    return OptionalLong.of(placesBelow(position.getAsLong()));
  }

  /** The places of the changeable exclusions. */
  Gaps excludedPlaces() {
    return excludedPlaces;
  }

  /** The places of the values that are in any of some blocks. */
  Gaps placesOf(List<Block> blocks) {
    return Gaps.of(
        blocks.stream()
            .map(block::positionsIn)
            .map(run -> new Positions(placesBelow(run.from()), placesBelow(run.to()))));
  }

  /** Returns how many places are below a position. */
  long placesBelow(long position) {
    return gaps.ordinalsBelow(position);
  }
}
