package dev.mintmark.postgres.pool;

import dev.mintmark.Block;
import dev.mintmark.Block.Positions;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Stream;

/**
 * The places of the values of a pool: its blocks, in the order in which they were added. Immutable.
 */
final class PoolLayout {
  private final List<StoredBlock> blocks;
  private final Map<Integer, StoredBlock> byId = new HashMap<>();

  /**
   * @param blocks of the pool; with those that were removed, if it is for the history
   */
  PoolLayout(List<StoredBlock> blocks) {
    this.blocks = blocks.stream().filter(block -> !block.removed()).toList();
    blocks.forEach(block -> byId.put(block.id(), block));
  }

  /** The place of a value: its block, and the place in the block. */
  record Place(int block, long place) {
    /** Before every value. */
    static final Place NONE = new Place(-1, -1);
  }

  /** The blocks that have not been removed. */
  List<StoredBlock> blocks() {
    return blocks;
  }

  /** Returns a block if it was read. */
  Optional<StoredBlock> block(int id) {
    return Optional.ofNullable(byId.get(id));
  }

  /**
   * How many positions there are, including excluded ones; {@link Long#MAX_VALUE} if there are
   * more.
   */
  long positions() {
    long positions = 0;
    for (StoredBlock block : blocks) {
      positions += Math.min(block.block().size(), Long.MAX_VALUE - positions);
    }
    return positions;
  }

  /** Returns the value at a place, or empty if its block was added after this was loaded. */
  Optional<String> valueAt(Place place) {
    return block(place.block()).map(block -> block.valueAt(place.place()));
  }

  /** Whether a place is excluded, as far as was known when this was loaded. */
  boolean excludes(Place place) {
    return block(place.block()).stream()
        .anyMatch(block -> block.excludedPlaces().contains(place.place()));
  }

  /** Returns the place of a value, excluded or not, or empty if no block has one for it. */
  Optional<Place> placeOf(String value) {
    for (StoredBlock block : blocks) {
      OptionalLong place = block.placeOf(value);
      if (place.isPresent()) {
        return Optional.of(new Place(block.id(), place.getAsLong()));
      }
    }
    return Optional.empty();
  }

  /** Returns where a value is and was: in a block, and in blocks that were removed. */
  List<Place> everyPlaceOf(String value) {
    List<Place> places = new ArrayList<>();
    byId.forEach(
        (id, block) -> block.placeOf(value).ifPresent(place -> places.add(new Place(id, place))));
    return places;
  }

  /** Returns the position of a value; empty if no block has it, or it exceeds a {@code long}. */
  OptionalLong positionOf(String value) {
    long first = 0;
    for (StoredBlock block : blocks) {
      OptionalLong position = block.block().positionOf(value);
      if (position.isPresent()) {
        long inPool = first + position.getAsLong();
        return inPool < 0 ? OptionalLong.empty() : OptionalLong.of(inPool);
      }
      first += block.block().size();
      if (first < 0) {
        break;
      }
    }
    return OptionalLong.empty();
  }

  /** Returns the place at a fraction, 0 to below 1, of all places. */
  Place placeAt(double share) {
    double left = share * blocks.stream().mapToDouble(StoredBlock::size).sum();
    for (StoredBlock block : blocks) {
      if (left < block.size()) {
        return new Place(block.id(), (long) left);
      }
      left -= block.size();
    }
    return Place.NONE;
  }

  /** The parts of blocks between two positions, {@code to} excluded. */
  List<Window> windows(long from, long to) {
    List<Window> windows = new ArrayList<>();
    long first = 0;
    for (StoredBlock block : blocks) {
      long start = Math.max(from - first, 0);
      long end = Math.min(to - first, block.block().size());
      if (start < end) {
        windows.add(new Window(block, first, new Positions(start, end)));
      }
      first += block.block().size();
      if (first < 0) {
        break;
      }
    }
    return windows;
  }

  /**
   * A part of one block.
   *
   * @param first the position in the pool of the block's first value
   * @param positions the part's, in the block
   */
  record Window(StoredBlock block, long first, Positions positions) {
    PoolMap.Stretch stretch() {
      Block whole = block.block();
      return new PoolMap.Stretch(
          whole,
          first + positions.from(),
          whole.valueAt(positions.from()),
          (int) (positions.to() - positions.from()));
    }

    Positions places() {
      return new Positions(block.placesBelow(positions.from()), block.placesBelow(positions.to()));
    }

    /** Adds an x to the letters of the places for each position without a place. */
    String withExcluded(String states) {
      StringBuilder letters = new StringBuilder();
      long place = places().from();
      for (long position = positions.from(); position < positions.to(); position++) {
        boolean isExcluded = block.placesBelow(position + 1) == place;
        letters.append(isExcluded ? 'x' : states.charAt((int) (place - places().from())));
        place = block.placesBelow(position + 1);
      }
      return letters.toString();
    }
  }

  /** The texts of the blocks that were declared, each once. */
  Stream<String> declared() {
    return blocks.stream().map(StoredBlock::declared).distinct();
  }
}
