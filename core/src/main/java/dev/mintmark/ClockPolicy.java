package dev.mintmark;

import java.time.Duration;

/**
 * What an ascending mint does if the next identifier would be ahead of its clock by more than
 * {@link MintOptions#maxDrift}, because the clock stepped back or the counter of a millisecond is
 * used up.
 */
public enum ClockPolicy {
  /**
   * Continues from the last identifier, however far it is ahead; {@link Mint#drift} returns how
   * far.
   */
  KEEP_ASCENDING,
  /**
   * Starts again at the clock. Identifiers are then less than those that the mint made ahead of its
   * clock, and ascend again. With a {@link MintOptions#maxDrift} of some seconds a mint survives a
   * clock that was years ahead for a moment. Not for numbers of a node, which could be repeated.
   */
  RETURN_TO_CLOCK,
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
