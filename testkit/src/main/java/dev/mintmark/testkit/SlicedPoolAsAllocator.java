package dev.mintmark.testkit;

import dev.mintmark.postgres.pool.ClaimRequest;
import dev.mintmark.postgres.pool.SlicedPool;
import dev.mintmark.testkit.Operation.Answer;
import dev.mintmark.testkit.Operation.Call;
import dev.mintmark.testkit.Operation.Held;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import javax.sql.DataSource;

/**
 * A pool of ours that one instance grants from its slice. A claim that another instance has to
 * answer, and one for a named value, has no answer. A claim without a lease has a long one.
 */
final class SlicedPoolAsAllocator implements Allocator {
  private static final Duration LONG = Duration.ofDays(1);

  private final SlicedPool pool;
  private final PoolAsAllocator unsliced;

  /**
   * @param connections where values are counted: connections without planted faults
   */
  SlicedPoolAsAllocator(SlicedPool pool, DataSource connections) {
    this.pool = pool;
    this.unsliced = new PoolAsAllocator(pool.pool(), connections);
  }

  @Override
  public Answer claim(Call.Claim claim) {
    if (claim.value().isPresent()) {
      return new Answer.Unknown("named");
    }
    return PoolAsAllocator.answer(
        pool.claim(
            new ClaimRequest(
                claim.client(),
                claim.owner(),
                Optional.empty(),
                claim.slot(),
                claim.count(),
                Optional.of(claim.lease().orElse(LONG)))));
  }

  @Override
  public Answer renew(Held held, Duration lease) {
    return PoolAsAllocator.answer(pool.renew(held.value(), held.token(), Optional.of(lease)));
  }

  @Override
  public Answer release(Held held) {
    return PoolAsAllocator.answer(pool.release(held.value(), held.token()));
  }

  @Override
  public PoolCounts counts() {
    return unsliced.counts();
  }

  @Override
  public List<Held> held() {
    return unsliced.held();
  }
}
