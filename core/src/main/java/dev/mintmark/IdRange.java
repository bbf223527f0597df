package dev.mintmark;

import java.time.Instant;
import java.util.function.Function;

/**
 * The identifiers of a time or of a range of times: from the first to the last, inclusive, as in
 * {@code where id between first and last}. Immutable.
 *
 * @param first the least
 * @param last the greatest
 * @param <T> the type of the identifiers
 */
public record IdRange<T>(T first, T last) {
  /**
   * The identifiers of all instants from {@code from}, inclusive, to {@code to}, exclusive, at the
   * resolution of the kind, such as milliseconds.
   *
   * @param min returns the least identifier of an instant
   * @param max returns the greatest identifier of an instant
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
