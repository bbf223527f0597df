package dev.mintmark.postgres.pool;

import dev.mintmark.Block.Positions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Ranges of the numbers from 0 upwards that are left out when the other numbers are counted.
 * Immutable.
 *
 * <pre>
 *   numbers   0 1 2 3 4 5 6 7
 *   gaps          x x     x
 *   ordinals  0 1     2 3   4
 * </pre>
 */
final class Gaps {
  /** The ranges, ascending, with at least one number between two of them. */
  private final List<Positions> ranges;

  /** How many numbers below each range are not in a gap. */
  private final long[] ordinalsBelow;

  private final long[] starts;
  private final long size;

  private Gaps(List<Positions> ranges) {
    this.ranges = ranges;
    this.starts = ranges.stream().mapToLong(Positions::from).toArray();
    this.ordinalsBelow = new long[starts.length];
    long left = 0;
    for (int i = 0; i < starts.length; i++) {
      ordinalsBelow[i] = starts[i] - left;
      left += ranges.get(i).to() - starts[i];
    }
    this.size = left;
  }

  /** The numbers that are in any of the ranges, which may be empty or overlap. */
  static Gaps of(Stream<Positions> ranges) {
    List<Positions> apart = new ArrayList<>();
    ranges
        .filter(range -> range.from() < range.to())
        .sorted(Comparator.comparingLong(Positions::from))
        .forEach(
            range -> {
              Positions last = apart.isEmpty() ? null : apart.get(apart.size() - 1);
              if (last != null && range.from() <= last.to()) {
                long to = Math.max(last.to(), range.to());
                apart.set(apart.size() - 1, new Positions(last.from(), to));
              } else {
                apart.add(range);
              }
            });
    return new Gaps(List.copyOf(apart));
  }

  /** How many numbers are in the gaps. */
  long size() {
    return size;
  }

  boolean contains(long number) {
    int i = lastAtMost(starts, number);
    return i >= 0 && number < ranges.get(i).to();
  }

  /** Returns the number at an ordinal. */
  long numberAt(long ordinal) {
    int i = lastAtMost(ordinalsBelow, ordinal);
    return i < 0 ? ordinal : ranges.get(i).to() + (ordinal - ordinalsBelow[i]);
  }

  /** Returns how many numbers below another are not in a gap. */
  long ordinalsBelow(long number) {
    int i = lastAtMost(starts, number);
    return i < 0 ? number : ordinalsBelow[i] + Math.max(number - ranges.get(i).to(), 0);
  }

  /** The text of an {@code int8multirange} of the gaps. */
  String toMultirange() {
    return ranges.stream()
        .map(range -> "[%s,%s)".formatted(range.from(), range.to()))
        .collect(Collectors.joining(",", "{", "}"));
  }

  /** The index of the last value that is at most a limit; -1 if there is none. */
  private static int lastAtMost(long[] ascending, long limit) {
    int found = Arrays.binarySearch(ascending, limit);
    return found >= 0 ? found : -found - 2;
  }
}
