package dev.mintmark;

import java.time.Duration;

/**
 * What an ascending mint does if the next identifier would be ahead of its clock, because the clock
 * stepped back or the counter of a millisecond is used up.
 */
public enum ClockPolicy {
  /** Continues from the last identifier; {@link Mint#drift} returns how far it is ahead. */
  KEEP_ASCENDING,
  /**
   * Waits until the clock has caught up, at most {@link #WAIT_MAX}; then throws a {@link
   * MintException}.
   */
  WAIT,
  /**
   * Throws a {@link MintException}. In {@link Order#ASCENDING} and {@link Order#PER_THREAD}, a
   * millisecond has room for 2^19 to 2^20 ULIDs or UUIDv7s.
   */
  FAIL;

  /** The longest wait of {@link #WAIT}: more than a leap second, less than usual timeouts. */
  public static final Duration WAIT_MAX = Duration.ofSeconds(2);
}
