package dev.mintmark;

import java.util.OptionalLong;

/**
 * Scarce values that a {@linkplain PoolSpec pool} hands out: the addresses of a CIDR block, the
 * numbers of a range, one by one or in runs, or the values of a list. The values of a block have
 * positions from 0 to {@link #size()} - 1, in ascending order or in that of the list.
 */
public sealed interface Block permits CidrBlock, NumberRange, NumberRuns, ValueList {
  /** How many values this block hands out; {@link Long#MAX_VALUE} where there are more. */
  long size();

  /**
   * Returns the value at {@code position} in its canonical text.
   *
   * @throws IndexOutOfBoundsException if the position is not from 0 to {@link #size()} - 1
   */
  String valueAt(long position);

  /**
   * Returns the position of {@code value}, or empty where this block does not hand it out: it lies
   * outside, it is the network or broadcast address, or it is no such value at all.
   */
  OptionalLong positionOf(String value);

  /** Whether some value, handed out or not, lies in both blocks. */
  boolean overlaps(Block other);

  /**
   * The positions of this block whose values lie in {@code other}, be they handed out there or not.
   */
  Positions positionsIn(Block other);

  /**
   * A run of positions.
   *
   * @param from the first
   * @param to one past the last; equal to {@code from} where there are none
   */
  record Positions(long from, long to) {
    static final Positions NONE = new Positions(0, 0);
  }

  /**
   * The text this block is declared by: {@code 45.67.80.0/22}, {@code 0..1023}; of a list its name.
   */
  @Override
  String toString();

  /**
   * Reads a block as catalogs declare it: a CIDR block, one address, a range {@code 0..1023}, one
   * number, or a range in runs, {@code 1..1000000000 by 1000000}. Lists are read by {@link
   * ValueList#read}.
   *
   * @throws IllegalArgumentException if it is none of these; the message quotes it
   */
  static Block parse(String text) {
    if (text.contains(" by ")) {
      return NumberRuns.parse(text);
    }
    boolean address = text.indexOf('/') >= 0 || text.indexOf(':') >= 0;
    boolean dottedQuad = text.indexOf('.') >= 0 && !text.contains("..");
    return address || dottedQuad ? CidrBlock.parse(text) : NumberRange.parse(text);
  }
}
