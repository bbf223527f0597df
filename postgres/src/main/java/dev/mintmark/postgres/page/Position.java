package dev.mintmark.postgres.page;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * A position between two rows of an order, from which reading can continue in either direction.
 *
 * @param side the side of the row on which the position is
 * @param keys the values of the row in the columns of the order, as texts; empty at the start
 */
record Position(Side side, List<String> keys) {
  /** The position before all rows, including future ones. */
  static final Position START = new Position(Side.START, List.of());

  /** The side of the row, and the letter for it in a cursor. */
  enum Side {
    START('s'),
    BEFORE('b'),
    AFTER('a');

    private final char letter;

    Side(char letter) {
      this.letter = letter;
    }

    char letter() {
      return letter;
    }

    static Optional<Side> of(byte letter) {
      return Arrays.stream(values()).filter(side -> side.letter == letter).findFirst();
    }
  }

  static Position before(List<String> keys) {
    return new Position(Side.BEFORE, keys);
  }

  static Position after(List<String> keys) {
    return new Position(Side.AFTER, keys);
  }

  /**
   * Returns the operator that compares the key of a row, on its left, with this position, and holds
   * for the rows to read from here.
   *
   * @param down whether reading goes to smaller keys: backwards in ascending order, forwards in
   *     descending order
   */
  String operator(boolean backwards, boolean down) {
    boolean includesRow = side == (backwards ? Side.AFTER : Side.BEFORE);
    return (down ? "<" : ">") + (includesRow ? "=" : "");
  }
}
