package dev.mintmark.postgres.pool.numbers;

import dev.mintmark.NumberRange;
import java.time.Duration;

/** What a {@link SequenceFeed} found and did. */
public sealed interface RefillResult {
  /** The sequence: its schema, a dot and its name. */
  String sequence();

  /** How many numbers the sequence can hand out before it fails. */
  long remaining();

  /** There was nothing to do. */
  record Sufficient(String sequence, long remaining) implements RefillResult {}

  /**
   * The sequence was moved on to a run that no other database has or will have.
   *
   * @param run the run
   * @param skipped how many numbers were left over in the run before; they are used by nobody
   */
  record Moved(String sequence, NumberRange run, long skipped, long remaining)
      implements RefillResult {}

  /**
   * A run is drawn, but a transaction that is still open has taken a number, which the move must
   * wait for. It goes on with the next refill.
   *
   * @param run the run
   */
  record WaitingForLock(String sequence, NumberRange run, long remaining) implements RefillResult {}

  /**
   * The pool has no run left: add a block to it, before what remains is used up.
   *
   * @param pool the pool's name
   * @param retryAfter when to ask again
   */
  record Exhausted(String sequence, String pool, long remaining, Duration retryAfter)
      implements RefillResult {}
}
