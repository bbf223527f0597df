package dev.mintmark;

import java.time.Instant;
import java.util.function.Function;

/**
 * The identifiers that a time, or a range of times, can have: from the first to the last, both
 * among them, as {@code where id between first and last} has it. Immutable.
 *
 * @param first the least
 * @param last the greatest
 * @param <T> the kind of identifier
 */
public record IdRange<T>(T first, T last) {
  /**
   * The identifiers of all instants from {@code from} on and before {@code to}, and of no others
   * but those that a kind cannot tell from them, as it counts milliseconds.
   *
   * @param min gives the least identifier of an instant
   * @param max gives the greatest
   * @throws IllegalArgumentException if {@code from} is not before {@code to}
   */
  static <T> IdRange<T> of(
      Instant from, Instant to, Function<Instant, T> min, Function<Instant, T> max) {
    if (!from.isBefore(to)) {
      throw new IllegalArgumentException("time " + from + " is not before " + to);
    }
    return new IdRange<>(min.apply(from), max.apply(to.minusNanos(1)));
  }
}
