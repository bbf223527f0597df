package dev.mintmark.postgres.pool;

import static dev.mintmark.postgres.internal.Transactions.Bind.bind;

import dev.mintmark.PoolSpec;
import dev.mintmark.postgres.internal.SqlFile;
import dev.mintmark.postgres.pool.PoolLayout.Place;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/**
 * Renews and releases many claims at once: those of a client, of an owner, or with a label, or
 * those that their holder names. Claims are changed in batches, each in a transaction of its own. A
 * call that failed in between has changed the batches before; calling again is safe. Safe for use
 * by many threads.
 */
public final class ManyClaims {
  /** The most claims of one call. */
  public static final int CLAIMS_MAX = 10_000;

  /** The most claims of one transaction. */
  private static final int BATCH = Pool.PAGE_MAX;

  private static final SqlFile RENEW_MANY = SqlFile.load(ManyClaims.class, "renew_many");
  private static final SqlFile RELEASE_MANY = SqlFile.load(ManyClaims.class, "release_many");

  private final PoolContext context;
  private final PoolHistory history;
  private final Runnable freed;
  private final Runnable woke;

  /**
   * @param freed called when this instance has released values
   * @param woke called when it has released values of a pool that had none to hand out
   */
  ManyClaims(PoolContext context, PoolHistory history, Runnable freed, Runnable woke) {
    this.context = context;
    this.history = history;
    this.freed = freed;
    this.woke = woke;
  }

  /**
   * A claim that was released.
   *
   * @param claim the claim as it was
   * @param freeAt when its value becomes free, by the database's clock
   */
  public record Ended(Claim claim, Instant freeAt) {}

  /**
   * A claim as its holder names it.
   *
   * @param value the value
   * @param token the token of the claim
   */
  public record Named(String value, long token) {
    private static Named of(Claim claim) {
      return new Named(claim.value(), claim.token());
    }
  }

  /**
   * What became of claims that were to be renewed.
   *
   * @param renewed the claims that are held
   * @param lost the others: they have ended, or the value is held by another claim
   */
  public record Kept(List<Claim> renewed, List<Named> lost) {}

  /**
   * What a call has changed.
   *
   * @param changed the claims, in the order of their values; claims that ended otherwise meanwhile
   *     are left out
   * @param next {@link ClaimFilter#after} of the next call; empty if no further claim is held
   */
  public record Changed<T>(List<T> changed, Optional<String> next) {}

  /**
   * Releases claims.
   *
   * @param filter names a client, an owner or a label, each in full or by its beginning
   * @param limit the most claims to release, 1 to {@value #CLAIMS_MAX}
   * @throws IllegalArgumentException if the filter names none of them, or the limit is out of range
   * @throws PoolUnavailableException if the database failed: some claims may be released. Calling
   *     again is safe
   */
  public Changed<Ended> release(ClaimFilter filter, int limit) {
    return change(filter, limit, this::releaseBatch);
  }

  /**
   * Renews claims from now, as {@link Pool#renew} does.
   *
   * @param filter as for {@link #release}
   * @param lease the new lease; empty: that of each claim
   * @param limit the most claims to renew, 1 to {@value #CLAIMS_MAX}
   * @throws IllegalArgumentException as {@link #release}, or if the lease is out of range
   * @throws PoolUnavailableException if the database failed; calling again is safe
   */
  public Changed<Claim> renew(ClaimFilter filter, Optional<Duration> lease, int limit) {
    lease.ifPresent(PoolSpec::checkLease);
    lease.ifPresent(context::announceLease);
    return change(
        filter,
        limit,
        claims ->
            renewBatch(placed(claims.stream().map(Named::of).toList()), lease, Optional.empty())
                .renewed);
  }

  /**
   * Renews the claims of one holder from now, as {@link Pool#renew} does: one request keeps all of
   * them alive.
   *
   * @param claims 1 to {@value #CLAIMS_MAX}
   * @param lease the new lease; empty: that of each claim
   * @param owner only claims on behalf of this owner are renewed; empty: all
   * @throws IllegalArgumentException if there are too few or too many claims, or the lease is out
   *     of range
   * @throws PoolUnavailableException if the database failed; calling again is safe
   */
  public Kept renew(List<Named> claims, Optional<Duration> lease, Optional<String> owner) {
    if (claims.isEmpty() || claims.size() > CLAIMS_MAX) {
      throw new IllegalArgumentException(
          "%s claims: expected 1 to %s".formatted(claims.size(), CLAIMS_MAX));
    }
    lease.ifPresent(PoolSpec::checkLease);
    lease.ifPresent(context::announceLease);
    List<Placed> placed = placed(claims);
    List<Claim> renewed = new ArrayList<>();
    List<Named> lost = new ArrayList<>();
    for (int from = 0; from < placed.size(); from += BATCH) {
      List<Placed> batch = placed.subList(from, Math.min(placed.size(), from + BATCH));
      Kept kept = renewBatch(batch, lease, owner);
      renewed.addAll(kept.renewed);
      lost.addAll(kept.lost);
    }
    return new Kept(renewed, lost);
  }

  /** A claim and the place of its value; empty if the pool has no such value. */
  private record Placed(Named claim, Optional<Place> place) {
    static List<Placed> in(PoolLayout layout, List<Named> claims) {
      return claims.stream().map(claim -> new Placed(claim, layout.placeOf(claim.value))).toList();
    }
  }

  private List<Placed> placed(List<Named> claims) {
    List<Placed> known = Placed.in(context.layout(), claims);
    boolean isEach = known.stream().allMatch(claim -> claim.place.isPresent());
    return isEach ? known : Placed.in(context.reload().layout(), claims);
  }

  private <T> Changed<T> change(
      ClaimFilter filter, int limit, Function<List<Claim>, List<T>> change) {
    if (filter.client().isEmpty() && filter.owner().isEmpty() && filter.label().isEmpty()) {
      throw new IllegalArgumentException(
          "expected a client, an owner or a label: all claims of a pool are not changed at once");
    }
    if (limit < 1 || limit > CLAIMS_MAX) {
      throw new IllegalArgumentException("limit is " + limit + ": expected 1 to " + CLAIMS_MAX);
    }
    List<T> changed = new ArrayList<>();
    Optional<String> next = filter.after();
    for (int left = limit; left > 0; ) {
      int size = Math.min(left, BATCH);
      List<Claim> claims = history.claims(filter.withAfter(next), size);
      if (!claims.isEmpty()) {
        changed.addAll(change.apply(claims));
      }
      if (claims.size() < size) {
        return new Changed<>(changed, Optional.empty());
      }
      next = Optional.of(claims.get(claims.size() - 1).value());
      left -= size;
    }
    return new Changed<>(changed, next);
  }

  private List<Ended> releaseBatch(List<Claim> claims) {
    List<Freed> freedClaims =
        context.change(
            database ->
                database.queryWithoutRepeat(
                    RELEASE_MANY, Freed::read, context.poolId(), bind("tokens", tokens(claims))));
    if (freedClaims.size() < claims.size()) {
      context.checkKnown();
    }
    Map<Long, Instant> freeAt = new HashMap<>();
    freedClaims.forEach(one -> freeAt.put(one.token, one.at));
    if (!freedClaims.isEmpty()) {
      freed.run();
    }
    if (freedClaims.stream().anyMatch(Freed::woke)) {
      woke.run();
    }
    return claims.stream()
        .flatMap(
            claim ->
                Optional.ofNullable(freeAt.get(claim.token())).stream()
                    .map(at -> new Ended(claim, at)))
        .toList();
  }

  private Kept renewBatch(List<Placed> claims, Optional<Duration> lease, Optional<String> owner) {
    List<Integer> blocks = new ArrayList<>();
    List<Long> places = new ArrayList<>();
    List<Long> tokens = new ArrayList<>();
    for (Placed claim : claims) {
      claim.place.ifPresent(
          place -> {
            blocks.add(place.block());
            places.add(place.place());
            tokens.add(claim.claim.token);
          });
    }
    Map<Long, ClaimRow> held = new HashMap<>();
    var unused =
        context.change(
            database ->
                database.query(
                    RENEW_MANY,
                    row -> held.put(row.getLong("token"), ClaimRow.read(row)),
                    context.poolId(),
                    bind("block_ids", blocks.toArray(Integer[]::new)),
                    bind("places", places.toArray(Long[]::new)),
                    bind("tokens", tokens.toArray(Long[]::new)),
                    bind("owner", owner.orElse(null)),
                    bind("lease_millis", lease.map(Duration::toMillis).orElse(null))));
    List<Claim> renewed = new ArrayList<>();
    List<Named> lost = new ArrayList<>();
    for (Placed claim : claims) {
      ClaimRow row = held.get(claim.claim.token);
      if (row != null && claim.place.filter(row.place()::equals).isPresent()) {
        context.fence().sawRenewed(row.token());
        renewed.add(context.toClaim(row));
      } else {
        lost.add(claim.claim);
      }
    }
    if (!lost.isEmpty()) {
      context.checkKnown();
    }
    return new Kept(renewed, lost);
  }

  private static Long[] tokens(List<Claim> claims) {
    return claims.stream().map(Claim::token).toArray(Long[]::new);
  }

  private record Freed(long token, Instant at, boolean woke) {
    static Freed read(ResultSet row) throws SQLException {
      return new Freed(
          row.getLong("token"),
          ClaimRow.instant(row, "free_at").orElseThrow(),
          row.getBoolean("woke"));
    }
  }
}
