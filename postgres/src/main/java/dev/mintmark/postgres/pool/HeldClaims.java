package dev.mintmark.postgres.pool;

import static dev.mintmark.postgres.internal.Transactions.Bind.bind;
import static dev.mintmark.postgres.internal.Transactions.Bind.bindTime;

import dev.mintmark.PoolSpec;
import dev.mintmark.Quoted;
import dev.mintmark.postgres.internal.SqlFile;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/** Renews and releases claims one by one, by their tokens. Safe for use by many threads. */
final class HeldClaims {
  private static final SqlFile RENEW = SqlFile.load(HeldClaims.class, "renew");
  private static final SqlFile RELEASE = SqlFile.load(HeldClaims.class, "release");

  private final PoolContext context;
  private final Runnable freed;
  private final Runnable woke;

  /**
   * @param freed called when this instance has released a value
   * @param woke called when it has released a value of a pool that had none to hand out
   */
  HeldClaims(PoolContext context, Runnable freed, Runnable woke) {
    this.context = context;
    this.freed = freed;
    this.woke = woke;
  }

  /** Renews a claim, as {@link Pool#renew} says. */
  RenewResult renew(String value, long token, Optional<Duration> lease) {
    lease.ifPresent(PoolSpec::checkLease);
    lease.ifPresent(context::announceLease);
    Optional<ClaimRow> renewed =
        context.ask(
            value,
            place ->
                context.changePromptly(
                    database ->
                        database.query(
                            RENEW,
                            ClaimRow::read,
                            context.poolId(),
                            bind("block_id", place.block()),
                            bind("place", place.place()),
                            bind("token", token),
                            bind("lease_millis", lease.map(Duration::toMillis).orElse(null)))));
    if (renewed.isPresent()) {
      context.fence().sawRenewed(token);
      return new RenewResult.Renewed(context.toClaim(renewed.get()));
    }
    if (wasRecorded(value, token)) {
      return renew(value, token, lease);
    }
    return context.find(value).isPresent()
        ? new Superseded(context.name(), value)
        : new NotHeld(context.name(), value);
  }

  /** Releases a value, as {@link Pool#release(String, long, Optional)} says. */
  ReleaseResult release(String value, long token, Optional<Instant> usedUntil) {
    Optional<Freed> ended =
        context.ask(
            value,
            place ->
                context.changePromptly(
                    database ->
                        database.queryWithoutRepeat(
                            RELEASE,
                            Freed::read,
                            context.poolId(),
                            bind("block_id", place.block()),
                            bind("place", place.place()),
                            bind("token", token),
                            bindTime("used_until", usedUntil))));
    if (ended.isPresent()) {
      freed.run();
      if (ended.get().woke) {
        woke.run();
      }
      return new ReleaseResult.Released(ended.get().at);
    }
    if (wasRecorded(value, token)) {
      return release(value, token, usedUntil);
    }
    return context.find(value).isPresent()
        ? new Superseded(context.name(), value)
        : new NotHeld(context.name(), value);
  }

  /**
   * Whether a claim was recorded since a statement did not find it: an instance has granted it from
   * its slice. Waits for the record.
   */
  private boolean wasRecorded(String value, long token) {
    Backoff backoff = new Backoff();
    while (true) {
      Optional<String> instance =
          context.placeOf(value).flatMap(place -> SliceStore.unrecorded(context, place, token));
      if (instance.isEmpty()) {
        return context.find(value).filter(claim -> claim.token() == token).isPresent();
      }
      if (backoff.elapsed().compareTo(Claimer.PATIENCE) >= 0) {
        throw new PoolUnavailableException(
            "pool %s: the claim of %s is not recorded yet by instance %s: try again"
                .formatted(Quoted.of(context.name()), Quoted.of(value), Quoted.of(instance.get())));
      }
      backoff.pause();
    }
  }

  private record Freed(Instant at, boolean woke) {
    static Freed read(ResultSet row) throws SQLException {
      return new Freed(ClaimRow.instant(row, "free_at").orElseThrow(), row.getBoolean("woke"));
    }
  }
}
