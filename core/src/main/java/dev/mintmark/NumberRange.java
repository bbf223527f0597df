package dev.mintmark;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The whole numbers from {@code first} to {@code last}, both included: ports, VLANs, worker
 * numbers.
 *
 * @param first the lowest number, at least 0
 * @param last the highest number, at least {@code first} and at most {@link #NUMBER_MAX}
 */
public record NumberRange(long first, long last) implements Block {
  /** The highest number of a range: 18 digits. */
  public static final long NUMBER_MAX = 999_999_999_999_999_999L;

  private static final Pattern TEXT =
      Pattern.compile("(0|[1-9][0-9]{0,17})(?:\\.\\.(0|[1-9][0-9]{0,17}))?");

  public NumberRange {
    if (first < 0 || last < first || last > NUMBER_MAX) {
      throw new IllegalArgumentException(
          "range "
              + first
              + ".."
              + last
              + ": expected numbers from 0 to "
              + NUMBER_MAX
              + ", the lower one first");
    }
  }

  /**
   * Reads {@code 0..1023}, or {@code 7} for one number; at most 18 digits, no leading zeros.
   *
   * @throws IllegalArgumentException if {@code text} is neither
   */
  public static NumberRange parse(String text) {
    Matcher range = TEXT.matcher(text);
    if (!range.matches()) {
      throw new IllegalArgumentException(
          "malformed range " + Quoted.of(text) + ": expected whole numbers, as in 0..1023");
    }
    long first = Long.parseLong(range.group(1));
    return new NumberRange(first, range.group(2) == null ? first : Long.parseLong(range.group(2)));
  }

  @Override
  public long size() {
    return last - first + 1;
  }

  @Override
  public String valueAt(long position) {
    return Long.toString(first + Objects.checkIndex(position, size()));
  }

  @Override
  public OptionalLong positionOf(String value) {
    Matcher number = TEXT.matcher(value);
    if (!number.matches() || number.group(2) != null) {
      return OptionalLong.empty();
    }
    long position = Long.parseLong(value) - first;
    return position >= 0 && position < size() ? OptionalLong.of(position) : OptionalLong.empty();
  }

  @Override
  public boolean overlaps(Block other) {
    return NumberRuns.numbersOf(other) instanceof NumberRange range
        && first <= range.last
        && range.first <= last;
  }

  @Override
  public Positions positionsIn(Block other) {
    if (!overlaps(other) || !(NumberRuns.numbersOf(other) instanceof NumberRange range)) {
      return Positions.NONE;
    }
    return new Positions(
        Math.max(first, range.first) - first, Math.min(last, range.last) - first + 1);
  }

  @Override
  public List<Block> without(Block other) {
    if (!overlaps(other) || !(NumberRuns.numbersOf(other) instanceof NumberRange range)) {
      return List.of(this);
    }
    List<Block> rest = new ArrayList<>();
    if (first < range.first) {
      rest.add(new NumberRange(first, range.first - 1));
    }
    if (range.last < last) {
      rest.add(new NumberRange(range.last + 1, last));
    }
    return rest;
  }

  @Override
  public String toString() {
    return first == last ? Long.toString(first) : first + ".." + last;
  }
}
