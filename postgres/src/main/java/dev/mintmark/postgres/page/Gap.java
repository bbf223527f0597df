package dev.mintmark.postgres.page;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * A place between two rows of an order, from which one can go on in either direction.
 *
 * @param keys the texts of the row's columns of the order; none at the start
 */
record Gap(Side side, List<String> keys) {
  /** In front of everything that is there, or ever will be. */
  static final Gap START = new Gap(Side.START, List.of());

  /** Where it is, seen from the row, and how a cursor writes that. */
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

  static Gap before(List<String> keys) {
    return new Gap(Side.BEFORE, keys);
  }

  static Gap after(List<String> keys) {
    return new Gap(Side.AFTER, keys);
  }

  /**
   * The comparison that holds for the rows to be read from here, their key on its left.
   *
   * @param down whether that goes to smaller keys: backwards, but for keys in descending order
   */
  String operator(boolean backwards, boolean down) {
    boolean rowToo = side == (backwards ? Side.AFTER : Side.BEFORE);
    return (down ? "<" : ">") + (rowToo ? "=" : "");
  }
}
