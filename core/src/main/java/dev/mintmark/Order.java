package dev.mintmark;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/**
 * The order of the identifiers of one {@link Mint} within a millisecond. Those of different
 * milliseconds are in the order of time.
 *
 * <pre>
 *   ULID     bits  0             48                                          128
 *   RANDOM         | milliseconds | random                                    |
 *   ASCENDING      | milliseconds | counter 20 | random 60                    |
 *   PER_THREAD     | milliseconds | counter 20 | random 60                    |
 *   SPEC           | milliseconds | random in the first, then plus one        |
 *   MICROSECOND    | milliseconds | microseconds 10 | random 70               |
 *
 *   UUIDv7   bits  0             48  52           64  66                     128
 *   RANDOM         | milliseconds | 7 | random     | 2 | random                |
 *   ASCENDING      | milliseconds | 7 | counter 12 | 2 | counter 8 | random 54 |
 *   PER_THREAD     | milliseconds | 7 | counter 12 | 2 | counter 8 | random 54 |
 *   SPEC           | milliseconds | 7 | random in the first, then plus a step |
 *   MICROSECOND    | milliseconds | 7 | 1/4096 ms  | 2 | random                |
 * </pre>
 */
public enum Order {
  /** No order: all bits after the millisecond are random. */
  RANDOM,
  /**
   * Each is greater than the one before, across threads: a counter of 20 bits, which starts at a
   * random value in each millisecond, followed by new random bits. For UUIDv7 this is the
   * fixed-length dedicated counter of RFC 9562 section 6.2 (method 1).
   */
  ASCENDING,
  /**
   * Each is greater than the one before of the same thread. Across threads, each is greater than
   * every one that was returned when the clock showed an earlier millisecond; within a millisecond,
   * threads have no order. If the mint was ahead of its clock then, the difference must be greater
   * than {@link Mint#drift} was.
   *
   * <p>A thread is a {@link Thread}, virtual or not. Threads do not wait for one another's counter,
   * as they do in {@link #ASCENDING}: choose this order if many processors mint most of the time,
   * and mint many in one call ({@link Mint#mint(int)}) if they need the order of {@link
   * #ASCENDING}. Work that goes from one thread to another, as a request may, has no order within a
   * millisecond. Identifiers of different threads differ as those of different processes do, by
   * their random bits.
   */
  PER_THREAD,
  /**
   * Each is the one before plus one, as in the ULID specification: anyone who knows an identifier
   * can guess its neighbours. For UUIDv7 this is the monotonic random of RFC 9562 section 6.2
   * (method 2), which adds a random number instead of one.
   */
  SPEC,
  /**
   * In the order of a finer clock: the microseconds for a ULID (10 bits), a 4096th of a millisecond
   * for a UUIDv7 (12 bits; the increased clock precision of RFC 9562 section 6.2, method 3).
   * Identifiers of the same tick are in random order.
   */
  MICROSECOND;

  /** The name of this order in commands and requests: {@code per-thread}. */
  public String label() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /**
   * Returns the order with a label, in lower case.
   *
   * @throws IllegalArgumentException if there is none; the message lists all labels
   */
  public static Order parse(String label) {
    return Arrays.stream(values())
        .filter(order -> order.label().equals(label))
        .findFirst()
        .orElseThrow(
            () -> new IllegalArgumentException(Spelling.unknown("order", label, labels())));
  }

  private static List<String> labels() {
    return Arrays.stream(values()).map(Order::label).toList();
  }
}
