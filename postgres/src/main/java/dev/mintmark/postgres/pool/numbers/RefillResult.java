package dev.mintmark.postgres.pool.numbers;

import dev.mintmark.NumberRange;
import java.time.Duration;

/** The result of a refill of a {@link SequenceFeed}. */
public sealed interface RefillResult {
  /** The sequence: its schema, a dot and its name. */
  String sequence();

  /** How many numbers the sequence can hand out before it fails. */
  long remaining();

  /** Enough numbers were left: nothing was done. */
  record Sufficient(String sequence, long remaining) implements RefillResult {}

  /**
   * The sequence was moved to a run that no other database has or will get.
   *
   * @param run the run
   * @param skipped how many numbers of the previous run were left; they stay unused
   */
  record Moved(String sequence, NumberRange run, long skipped, long remaining)
      implements RefillResult {}

  /**
   * A run was drawn, but the move must wait for an open transaction that has taken a number. The
   * next refill continues.
   *
   * @param run the run
   */
  record WaitingForLock(String sequence, NumberRange run, long remaining) implements RefillResult {}

  /**
   * The pool has no run left: add a block to it before the remaining numbers are used up.
   *
   * @param pool the pool's name
   * @param retryAfter when to refill again
   */
  record Exhausted(String sequence, String pool, long remaining, Duration retryAfter)
      implements RefillResult {}
}
