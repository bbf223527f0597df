package dev.mintmark.postgres.pool;

import dev.mintmark.postgres.pool.Operation.Answer;
import dev.mintmark.postgres.pool.Operation.Call;
import dev.mintmark.postgres.pool.Operation.Held;
import java.time.Duration;
import java.util.List;

/**
 * Something that hands out scarce values, as seen by one instance of a program: ours, or one that
 * is known to be wrong. Safe for use by many threads. What it throws means that the outcome is not
 * known.
 */
interface Allocator {
  /**
   * {@link Answer.Granted}, {@link Answer.AlreadyHeld}, {@link Answer.Exhausted}, {@link
   * Answer.QuotaReached} or {@link Answer.ValueTaken}.
   */
  Answer claim(Call.Claim claim);

  /** {@link Answer.Renewed} or {@link Answer.Refused}. */
  Answer renew(Held held, Duration lease);

  /** {@link Answer.Released} or {@link Answer.Refused}. */
  Answer release(Held held);

  /** The values by state, in one snapshot. */
  PoolCounts counts();

  /** Every claim whose lease has not ended. Need not be one snapshot. */
  List<Held> held();
}
