package dev.mintmark;

import java.util.List;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A range of whole numbers that is granted in runs of one length. Each run is a value: {@code
 * 1..1000000}, {@code 1000001..2000000} and so on. The last run is shorter if the length does not
 * divide the range.
 *
 * @param range the numbers
 * @param length the length of a run, at least 2 and at most that of the range
 */
public record NumberRuns(NumberRange range, long length) implements Block {
  private static final Pattern TEXT = Pattern.compile("(\\S+) by ([1-9][0-9]{0,17}|10{18})");

  public NumberRuns {
    if (length < 2 || length > range.size()) {
      throw new IllegalArgumentException(
          "%s by %s: expected runs of 2 numbers or more, and none longer than the range"
              .formatted(range, length));
    }
  }

  /**
   * Reads {@code 1..1000000000 by 1000000}.
   *
   * @throws IllegalArgumentException if {@code text} has another form
   */
  public static NumberRuns parse(String text) {
    Matcher runs = TEXT.matcher(text);
    if (!runs.matches()) {
      throw new IllegalArgumentException(
          "malformed runs " + Quoted.of(text) + ": expected as in 1..1000000000 by 1000000");
    }
    return new NumberRuns(NumberRange.parse(runs.group(1)), Long.parseLong(runs.group(2)));
  }

  @Override
  public long size() {
    return (range.size() - 1) / length + 1;
  }

  @Override
  public String valueAt(long position) {
    return runAt(Objects.checkIndex(position, size())).toString();
  }

  @Override
  public OptionalLong positionOf(String value) {
    NumberRange run;
    try {
      run = NumberRange.parse(value);
    } catch (IllegalArgumentException e) {
      return OptionalLong.empty();
    }
    if (run.first() < range.first() || run.last() > range.last()) {
      return OptionalLong.empty();
    }
    long position = (run.first() - range.first()) / length;
    return runAt(position).equals(run) ? OptionalLong.of(position) : OptionalLong.empty();
  }

  @Override
  public boolean overlaps(Block other) {
    return range.overlaps(numbersOf(other));
  }

  @Override
  public Positions positionsIn(Block other) {
    Positions numbers = range.positionsIn(numbersOf(other));
    return numbers.from() == numbers.to()
        ? Positions.NONE
        : new Positions(numbers.from() / length, (numbers.to() - 1) / length + 1);
  }

  @Override
  public List<Block> without(Block other) {
    return overlaps(other) ? range.without(other) : List.of(this);
  }

  /** Returns the numbers of runs; any other block unchanged. */
  static Block numbersOf(Block block) {
    return block instanceof NumberRuns runs ? runs.range : block;
  }

  private NumberRange runAt(long position) {
    long first = range.first() + position * length;
    return new NumberRange(first, first + Math.min(length - 1, range.last() - first));
  }

  @Override
  public String toString() {
    return range + " by " + length;
  }
}
