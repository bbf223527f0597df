package dev.mintmark.testkit;

import dev.mintmark.postgres.pool.ClaimRequest;
import dev.mintmark.postgres.pool.ClaimResult;
import dev.mintmark.postgres.pool.ReleaseResult;
import dev.mintmark.postgres.pool.RenewResult;
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
    ClaimResult result =
        pool.claim(
            new ClaimRequest(
                claim.client(),
                claim.owner(),
                Optional.empty(),
                claim.slot(),
                claim.count(),
                Optional.of(claim.lease().orElse(LONG))));
    return result instanceof ClaimResult.Elsewhere
        ? new Answer.Unknown("elsewhere")
        : PoolAsAllocator.answer(result);
  }

  @Override
  public Answer renew(Held held, Duration lease) {
    return pool.renew(held.value(), held.token(), Optional.of(lease)) instanceof RenewResult.Renewed
        ? new Answer.Renewed()
        : new Answer.Refused();
  }

  @Override
  public Answer release(Held held) {
    return pool.release(held.value(), held.token()) instanceof ReleaseResult.Released
        ? new Answer.Released()
        : new Answer.Refused();
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
