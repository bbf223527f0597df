package dev.mintmark;

import java.time.Duration;
import java.util.List;

/**
 * Makes identifiers, one after the other: what {@link Order} they are in, and what happens when the
 * clock steps back, is chosen where the mint is made. Keep one for as long as the process runs;
 * each knows its own past only.
 *
 * <p>Safe in any number of threads, virtual ones among them.
 *
 * @param <T> the identifiers that it makes
 */
public interface Mint<T> {
  /** How many identifiers one call may ask for. */
  int COUNT_MAX = 1 << 20;

  /**
   * Makes the next identifier.
   *
   * @throws MintException if it cannot keep what it promises, see {@link ClockPolicy}
   * @throws IllegalArgumentException if the clock is outside of what the identifier can hold
   */
  T mint();

  /**
   * Makes the next {@code count} identifiers, which is faster than making them singly.
   *
   * @param count 1 to {@value #COUNT_MAX}
   * @throws MintException as {@link #mint()} does; none is made then
   * @throws IllegalArgumentException if {@code count} is out of its range, or as {@link #mint()}
   */
  List<T> mint(int count);

  /**
   * How far the last identifier is ahead of the clock; zero if it is not. A mint is ahead after its
   * clock has stepped back, or after it made more in a millisecond than there is room for.
   */
  Duration drift();
}
