package dev.mintmark.postgres.pool;

import static dev.mintmark.postgres.internal.Transactions.Bind.bind;

import dev.mintmark.postgres.internal.SqlFile;
import dev.mintmark.postgres.pool.Operation.Answer;
import dev.mintmark.postgres.pool.Operation.Call;
import dev.mintmark.postgres.pool.Operation.Held;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** A pool of ours as one of those that hand out values. */
final class PoolAsAllocator implements Allocator {
  private static final SqlFile CENSUS = SqlFile.load(PoolAsAllocator.class, "census");

  private final Pool pool;
  private final PoolDatabase database;

  /**
   * @param database where the counts is read: not through what faults are planted in
   */
  PoolAsAllocator(Pool pool, PoolDatabase database) {
    this.pool = pool;
    this.database = database;
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
    if (result instanceof ClaimResult.Granted granted) {
      return new Answer.Granted(held(granted.claims()));
    }
    if (result instanceof ClaimResult.AlreadyHeld already) {
      return new Answer.AlreadyHeld(held(already.claims()));
    }
    if (result instanceof ClaimResult.QuotaReached) {
      return new Answer.QuotaReached();
    }
    return result instanceof ClaimResult.ValueTaken
        ? new Answer.ValueTaken()
        : new Answer.Exhausted();
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
    return database
        .query(
            CENSUS,
            row ->
                new PoolCounts(
                    row.getLong("capacity"),
                    row.getLong("free"),
                    row.getLong("never_issued"),
                    row.getLong("held"),
                    row.getLong("quarantined"),
                    row.getLong("draining"),
                    row.getLong("twofold")),
            bind("name", pool.name()))
        .get(0);
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
