package dev.mintmark.testkit;

import dev.mintmark.postgres.pool.Claim;
import dev.mintmark.postgres.pool.ClaimFilter;
import dev.mintmark.postgres.pool.ClaimRequest;
import dev.mintmark.postgres.pool.ClaimResult;
import dev.mintmark.postgres.pool.Pool;
import dev.mintmark.postgres.pool.ReleaseResult;
import dev.mintmark.postgres.pool.RenewResult;
import dev.mintmark.testkit.Operation.Answer;
import dev.mintmark.testkit.Operation.Call;
import dev.mintmark.testkit.Operation.Held;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import javax.sql.DataSource;

/** A pool of ours as one of those that hand out values. */
final class PoolAsAllocator implements Allocator {
  private final Pool pool;
  private final CheckedDatabase database;

  /**
   * @param connections where values are counted: connections without planted faults
   */
  PoolAsAllocator(Pool pool, DataSource connections) {
    this.pool = pool;
    this.database = new CheckedDatabase(connections, pool.name());
  }

  @Override
  public Answer claim(Call.Claim claim) {
    ClaimResult result =
        pool.claim(
            new ClaimRequest(
                claim.client(),
                claim.owner(),
                claim.value(),
                claim.slot(),
                claim.count(),
                claim.lease()));
    return answer(result);
  }

  static Answer answer(ClaimResult result) {
    if (result instanceof ClaimResult.Granted granted) {
      return new Answer.Granted(held(granted.claims()));
    }
    if (result instanceof ClaimResult.AlreadyHeld already) {
      return new Answer.AlreadyHeld(held(already.claims()));
    }
    if (result instanceof ClaimResult.QuotaReached) {
      return new Answer.QuotaReached();
    }
    if (result instanceof ClaimResult.Contended) {
      return new Answer.Unknown("contended");
    }
    if (result instanceof ClaimResult.Stopped) {
      return new Answer.Unknown("stopped");
    }
    if (result instanceof ClaimResult.CutOff) {
      return new Answer.Unknown("cut off");
    }
    if (result instanceof ClaimResult.NotOpen || result instanceof ClaimResult.TooManyClaims) {
      return new Answer.Unknown("the pool has a gate");
    }
    if (result instanceof ClaimResult.Elsewhere) {
      return new Answer.Unknown("elsewhere");
    }
    return result instanceof ClaimResult.ValueTaken
        ? new Answer.ValueTaken()
        : new Answer.Exhausted();
  }

  @Override
  public Answer renew(Held held, Duration lease) {
    return answer(pool.renew(held.value(), held.token(), Optional.of(lease)));
  }

  static Answer answer(RenewResult result) {
    return result instanceof RenewResult.Renewed ? new Answer.Renewed() : new Answer.Refused();
  }

  @Override
  public Answer release(Held held) {
    return answer(pool.release(held.value(), held.token()));
  }

  static Answer answer(ReleaseResult result) {
    return result instanceof ReleaseResult.Released ? new Answer.Released() : new Answer.Refused();
  }

  @Override
  public PoolCounts counts() {
    return database.counts();
  }

  @Override
  public List<Held> held() {
    List<Held> all = new ArrayList<>();
    ClaimFilter filter = ClaimFilter.ALL;
    while (true) {
      List<Claim> page = pool.claims(filter, Pool.PAGE_MAX);
      all.addAll(held(page));
      if (page.size() < Pool.PAGE_MAX) {
        return all;
      }
      filter = filter.withAfter(page.get(page.size() - 1).value());
    }
  }

  private static List<Held> held(List<Claim> claims) {
    return claims.stream()
        .map(claim -> new Held(claim.value(), claim.client(), claim.slot(), claim.token()))
        .toList();
  }
}
