package dev.mintmark.testkit;

import dev.mintmark.postgres.pool.Pool;
import dev.mintmark.postgres.pool.SlicedPool;
import dev.mintmark.testkit.Operation.Answer;
import dev.mintmark.testkit.Operation.Call;
import dev.mintmark.testkit.Operation.Held;
import java.time.Duration;
import java.util.List;
import javax.sql.DataSource;

/**
 * An allocator of scarce values, as one instance of a program sees it. Implement it to have your
 * own allocator checked. An implementation must be safe for use by many threads. An exception means
 * that the outcome of the call is not known.
 */
public interface Allocator {
  /**
   * A pool of ours as an allocator.
   *
   * @param connections where values are counted; give connections without planted faults
   */
  static Allocator of(Pool pool, DataSource connections) {
    return new PoolAsAllocator(pool, connections);
  }

  /**
   * A pool of ours that one instance grants from its slice, as an allocator. It does not claim
   * named values, and gives a claim without a lease one of a day.
   *
   * @param connections where values are counted; give connections without planted faults
   */
  static Allocator of(SlicedPool pool, DataSource connections) {
    return new SlicedPoolAsAllocator(pool, connections);
  }

  /**
   * Claims values for a client. Returns {@link Answer.Granted}, {@link Answer.AlreadyHeld}, {@link
   * Answer.Exhausted}, {@link Answer.QuotaReached} or {@link Answer.ValueTaken}.
   */
  Answer claim(Call.Claim claim);

  /** Extends a claim. Returns {@link Answer.Renewed} or {@link Answer.Refused}. */
  Answer renew(Held held, Duration lease);

  /** Releases a claim. Returns {@link Answer.Released} or {@link Answer.Refused}. */
  Answer release(Held held);

  /** Counts the values by state, in one snapshot. */
  PoolCounts counts();

  /** Lists every claim whose lease has not ended. The list need not be one snapshot. */
  List<Held> held();
}
