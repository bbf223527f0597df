package dev.mintmark;

import java.util.List;
import java.util.OptionalLong;

/**
 * Scarce values of a {@linkplain PoolSpec pool}: the addresses of a CIDR block, one by one or in
 * prefixes, the numbers of a range, one by one or in runs, or the values of a list. The values of a
 * block have positions from 0 to {@link #size()} - 1, in ascending order or in that of the list.
 */
public sealed interface Block permits CidrBlock, CidrPrefixes, NumberRange, NumberRuns, ValueList {
  /** The number of values that can be granted; {@link Long#MAX_VALUE} if there are more. */
  long size();

  /**
   * Returns the value at {@code position} in its canonical text.
   *
   * @throws IndexOutOfBoundsException if the position is not from 0 to {@link #size()} - 1
   */
  String valueAt(long position);

  /**
   * Returns the position of {@code value}; empty if this block does not grant it, because it is
   * outside, the network or broadcast address, or malformed.
   */
  OptionalLong positionOf(String value);

  /** Whether a value, granted or not, is in both blocks. */
  boolean overlaps(Block other);

  /**
   * The positions of this block whose values are in {@code other}, whether {@code other} grants
   * them or not.
   */
  Positions positionsIn(Block other);

  /**
   * Returns this block without the values of another, as few blocks in ascending order: itself if
   * they do not overlap, none if {@code other} has all its values. The rest of {@link NumberRuns}
   * are ranges of single numbers, that of {@link CidrPrefixes} blocks of single addresses.
   */
  List<Block> without(Block other);

  /**
   * A run of positions.
   *
   * @param from the first
   * @param to one after the last; equal to {@code from} if the run is empty
   */
  record Positions(long from, long to) {
    static final Positions NONE = new Positions(0, 0);
  }

  /**
   * The declared text of this block: {@code 45.67.80.0/22}, {@code 0..1023}; the name of a list.
   */
  @Override
  String toString();

  /**
   * Reads a block as declared in catalogs: a CIDR block, one address, a block in prefixes, {@code
   * 10.0.0.0/16 by /28}, a range {@code 0..1023}, one number, or a range in runs, {@code
   * 1..1000000000 by 1000000}. {@link ValueList#read} reads lists.
   *
   * @throws IllegalArgumentException if it is malformed; the message quotes it
   */
  static Block parse(String text) {
    boolean address = text.indexOf('/') >= 0 || text.indexOf(':') >= 0;
    if (text.contains(" by ")) {
      return address ? CidrPrefixes.parse(text) : NumberRuns.parse(text);
    }
    boolean dottedQuad = text.indexOf('.') >= 0 && !text.contains("..");
    return address || dottedQuad ? CidrBlock.parse(text) : NumberRange.parse(text);
  }
}
