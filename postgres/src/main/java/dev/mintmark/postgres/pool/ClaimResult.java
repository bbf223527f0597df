package dev.mintmark.postgres.pool;

import dev.mintmark.Experimental;
import dev.mintmark.PoolSpec;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** The result of a {@link ClaimRequest}. */
public sealed interface ClaimResult {
  /** The name of the result in meters and logs, such as {@code already-held}. It never changes. */
  String outcome();

  /**
   * The client got a value, or some of the {@code claims} while it held the others already.
   *
   * @param claims one for each requested slot, in the order of the slots
   */
  record Granted(List<Claim> claims) implements ClaimResult {
    public Granted {
      claims = List.copyOf(claims);
    }

    /** The first of the claims, and in most cases the only one. */
    public Claim claim() {
      return claims.get(0);
    }

    @Override
    public String outcome() {
      return "granted";
    }
  }

  /**
   * The client holds what it asked for already: it claimed before, here or through another
   * instance.
   *
   * @param claims one for each requested slot, in the order of the slots
   */
  record AlreadyHeld(List<Claim> claims) implements ClaimResult {
    public AlreadyHeld {
      claims = List.copyOf(claims);
    }

    /** The first of the claims, and in most cases the only one. */
    public Claim claim() {
      return claims.get(0);
    }

    @Override
    public String outcome() {
      return "already-held";
    }
  }

  /**
   * No value of the pool was free, or fewer than were requested.
   *
   * @param pool the pool's name
   * @param at the time of that state, by the database's clock; up to {@link Pool#REMEMBERED_FOR}
   *     ago
   * @param retryAfter when to claim again: when the next value becomes free, if that is known
   */
  record Exhausted(String pool, Instant at, Duration retryAfter) implements ClaimResult {
    @Override
    public String outcome() {
      return "exhausted";
    }
  }

  /**
   * Values are free, but other sessions have locked what the claim needs: the row of its owner,
   * whose values are being counted, or the free values. It is not known whether the claim can be
   * granted; claim again. Claiming again is safe.
   *
   * @param pool the pool's name
   * @param owner the owner whose row is locked; empty if the pool does not limit owners: the values
   *     are locked
   * @param waited how long the claim waited at least
   * @param retryAfter when to claim again
   */
  record Contended(String pool, Optional<String> owner, Duration waited, Duration retryAfter)
      implements ClaimResult {
    static final Duration RETRY_AFTER = Duration.ofSeconds(1);

    @Override
    public String outcome() {
      return "contended";
    }
  }

  /**
   * The client, or its owner, would hold more values than the pool allows.
   *
   * @param pool the pool's name
   * @param quota whether the client's or the owner's
   * @param holder the name of the client or the owner
   * @param limit the most values that it may hold
   */
  record QuotaReached(String pool, Quota quota, String holder, int limit) implements ClaimResult {
    @Override
    public String outcome() {
      return "quota-reached";
    }
  }

  /**
   * The named value is not free: another client holds it, it is quarantined, or its block is
   * drained.
   *
   * @param pool the pool's name
   * @param value the value
   */
  record ValueTaken(String pool, String value) implements ClaimResult {
    @Override
    public String outcome() {
      return "value-taken";
    }
  }

  /**
   * The database may have lost claims in a failover, and the pool grants nothing until a person has
   * decided: {@link Pool#quarantineAll} if claims may be lost, {@link Pool#resume} if none is.
   * Clients that hold a value still get it, and can renew and release it.
   *
   * @param pool the pool's name
   */
  record Stopped(String pool) implements ClaimResult {
    @Override
    public String outcome() {
      return "stopped";
    }
  }

  /**
   * The blocks of the pool come from another pool ({@link PoolSpec#source}), which could not be
   * asked for so long that they end. Clients that hold a value still get it, and can release it,
   * and renew it until its block ends. Claims go on when the source answers.
   *
   * @param pool the pool's name
   * @param source the name of the pool that its blocks come from
   * @param askedAt when that pool answered last, by the database's clock, as far as is known here;
   *     empty: never
   * @param retryAfter when to claim again
   */
  @Experimental
  record CutOff(String pool, String source, Optional<Instant> askedAt, Duration retryAfter)
      implements ClaimResult {
    static final Duration RETRY_AFTER = Duration.ofSeconds(5);

    @Override
    public String outcome() {
      return "cut-off";
    }
  }

  /**
   * The {@linkplain PoolGate gate} of the pool does not let the owner in. The client may hold
   * values nevertheless, and can renew and release them.
   *
   * @param pool the pool's name
   * @param owner the owner of the claim; its client if it has none
   */
  record NotOpen(String pool, String owner) implements ClaimResult {
    @Override
    public String outcome() {
      return "not-open";
    }
  }

  /**
   * The owner claims faster than the {@linkplain PoolGate gate} of the pool allows.
   *
   * @param pool the pool's name
   * @param owner the owner of the claim; its client if it has none
   * @param retryAfter when to claim again
   */
  record TooManyClaims(String pool, String owner, Duration retryAfter) implements ClaimResult {
    @Override
    public String outcome() {
      return "rate-limited";
    }
  }

  /**
   * Instances grant the values of the pool from slices ({@link SlicedPool}), and another one grants
   * to this client. The client holds no value; claim there.
   *
   * @param pool the pool's name
   * @param instance the name of that instance ({@link SliceOptions#instance})
   */
  record Elsewhere(String pool, String instance) implements ClaimResult {
    @Override
    public String outcome() {
      return "elsewhere";
    }
  }

  /** Whose values the pool limits. */
  enum Quota {
    CLIENT,
    OWNER
  }
}
