package dev.mintmark;

import java.time.Duration;

/**
 * What a mint that ascends does when the next identifier would be ahead of its clock: because the
 * clock stepped back, or because a millisecond has no room left.
 */
public enum ClockPolicy {
  /** Goes on from the last identifier; {@link Mint#drift} tells how far it is ahead. */
  KEEP_ASCENDING,
  /**
   * Waits until the clock has caught up, for {@link #WAIT_MAX} at most; then throws a {@link
   * MintException}.
   */
  WAIT,
  /**
   * Throws a {@link MintException}. A millisecond has room for 2^19 ULIDs or UUIDv7s at least in
   * {@link Order#ASCENDING}, and for twice as many at most.
   */
  FAIL;

  /** How long {@link #WAIT} waits at most: longer than a leap second, shorter than a time-out. */
  public static final Duration WAIT_MAX = Duration.ofSeconds(2);
}
