package dev.mintmark.postgres.pool.numbers;

import dev.mintmark.Block;
import dev.mintmark.DurationText;
import dev.mintmark.MintException;
import dev.mintmark.NumberRange;
import dev.mintmark.PoolSpec;
import dev.mintmark.Quoted;
import dev.mintmark.SnowflakeLayout;
import dev.mintmark.postgres.internal.ClaimName;
import dev.mintmark.postgres.pool.Claim;
import dev.mintmark.postgres.pool.ClaimRequest;
import dev.mintmark.postgres.pool.ClaimResult;
import dev.mintmark.postgres.pool.ClaimResult.AlreadyHeld;
import dev.mintmark.postgres.pool.ClaimResult.Contended;
import dev.mintmark.postgres.pool.ClaimResult.CutOff;
import dev.mintmark.postgres.pool.ClaimResult.Granted;
import dev.mintmark.postgres.pool.ClaimResult.Stopped;
import dev.mintmark.postgres.pool.Pool;
import dev.mintmark.postgres.pool.PoolUnavailableException;
import dev.mintmark.postgres.pool.RenewResult;
import dev.mintmark.postgres.pool.RenewResult.Renewed;
import dev.mintmark.postgres.pool.numbers.WorkerTerm.Scale;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The node number of one instance: it is claimed, renewed, claimed again after a loss, and
 * released. Each step returns the {@link WorkerTerm} that follows. For one thread at a time.
 *
 * <p>Every claim has a client of its own, with a random part. So an instance never gets the number
 * of another instance with the same name, such as a restarted process while the previous one still
 * runs. Only a claim with an unknown outcome is repeated with the same client, and the number that
 * it then holds is its own.
 */
final class WorkerLease {
  /** How many characters of a client are random; they follow a slash. */
  private static final int NONCE_LENGTH = 36;

  private static final int NAME_LENGTH_MAX = ClaimRequest.NAME_LENGTH_MAX - 1 - NONCE_LENGTH;

  /** The shortest lease, in units of the layout, so that a renewal comes before the last unit. */
  private static final int UNITS_MIN = 3;

  /** The part of the lease by which our clock may be ahead of the server's without a correction. */
  private static final int AHEAD_PART = 8;

  private final Pool pool;
  private final SnowflakeLayout layout;
  private final Scale scale;
  private final String name;
  private final Duration length;
  private final MonotonicClock monotonic;

  /** The client of a claim with an unknown outcome. */
  private @Nullable String asked;

  private @Nullable Held held;
  private @Nullable ServerClock clock;

  /** How far our clock was ahead of the server's at its last answer. */
  private Duration ahead = Duration.ZERO;

  /**
   * A claim that was granted.
   *
   * @param length the extension of a renewal without a length; empty if it is not known
   */
  private record Held(Claim claim, Optional<Duration> length) {}

  /**
   * @throws IllegalArgumentException if the name is malformed or the pool does not fit the layout
   */
  WorkerLease(Pool pool, SnowflakeLayout layout, String name, MonotonicClock monotonic) {
    ClaimName.check("name", name);
    if (name.length() > NAME_LENGTH_MAX) {
      throw new IllegalArgumentException(
          "name %s: expected at most %s characters, got %s"
              .formatted(Quoted.of(name), NAME_LENGTH_MAX, name.length()));
    }
    checkBlocks(pool.spec(), layout);
    this.pool = pool;
    this.layout = layout;
    this.scale = Scale.of(layout);
    this.name = name;
    this.length = requireLease(pool.spec(), layout);
    this.monotonic = monotonic;
  }

  private static Duration requireLease(PoolSpec spec, SnowflakeLayout layout) {
    Duration lease =
        spec.lease().orElseThrow(() -> unfit(spec, "it has no lease: expected one, such as 30s"));
    Duration min = Duration.ofMillis((long) UNITS_MIN * layout.unitMillis());
    if (lease.compareTo(min) < 0) {
      throw unfit(
          spec,
          "its lease is %s: expected %s at least, %s of the layout's units of time"
              .formatted(DurationText.format(lease), DurationText.format(min), UNITS_MIN));
    }
    return lease;
  }

  private static void checkBlocks(PoolSpec spec, SnowflakeLayout layout) {
    for (Block block : spec.blocks()) {
      if (!(block instanceof NumberRange range) || range.last() > layout.nodeMax()) {
        throw unfit(
            spec,
            "it has the block %s: expected numbers from 0 to %s, for which the layout has %s bits"
                .formatted(block, layout.nodeMax(), layout.nodeBits()));
      }
    }
  }

  private static IllegalArgumentException unfit(PoolSpec spec, String why) {
    return new IllegalArgumentException(
        "pool " + Quoted.of(spec.name()) + " cannot number nodes: " + why);
  }

  /** The length of the lease. */
  Duration length() {
    return length;
  }

  /**
   * Claims a number.
   *
   * @throws MintException if no number is free, or the free number does not fit the layout
   * @throws PoolUnavailableException if the database failed
   */
  WorkerTerm claim() {
    String client = asked != null ? asked : name + "/" + UUID.randomUUID();
    asked = client;
    long sentNanos = monotonic.nanos();
    ClaimResult result = pool.claim(ClaimRequest.of(client).withOwner(name).withLease(length));
    long receivedNanos = monotonic.nanos();
    if (result instanceof Contended) {
      throw new PoolUnavailableException(
          "pool " + Quoted.of(pool.name()) + ": other claims were in progress: " + result);
    }
    if (result instanceof Stopped) {
      throw new PoolUnavailableException(
          "pool %s: stopped after a failover, until it is resumed or quarantined: no node number is granted"
              .formatted(Quoted.of(pool.name())));
    }
    if (result instanceof CutOff cutOff) {
      throw new PoolUnavailableException(
          "pool %s: its blocks come from pool %s, which does not answer: no node number is granted"
              .formatted(Quoted.of(pool.name()), Quoted.of(cutOff.source())));
    }
    asked = null;
    if (result instanceof Granted granted) {
      Claim claim = granted.claim();
      held = new Held(claim, Optional.of(length));
      read(claim.claimedAt(), sentNanos, receivedNanos);
      return term(claim, sentNanos, length);
    }
    if (result instanceof AlreadyHeld before) {
      // Granted to an earlier request without an answer. A renewal returns the time of the server.
      held = new Held(before.claim(), Optional.of(length));
      return renew();
    }
    throw new MintException(
        "pool " + Quoted.of(pool.name()) + ": no node number is free: " + result);
  }

  /**
   * Renews the lease; if it was lost, claims a number, usually another one.
   *
   * @throws MintException as {@link #claim}
   * @throws PoolUnavailableException as {@link #claim}
   */
  WorkerTerm renew() {
    Held mine = held;
    if (mine == null) {
      return claim();
    }
    Duration wanted = wantedLength();
    Optional<Duration> named =
        mine.length.filter(wanted::equals).isPresent() ? Optional.empty() : Optional.of(wanted);
    held = named.isPresent() ? new Held(mine.claim, Optional.empty()) : mine;
    long sentNanos = monotonic.nanos();
    RenewResult result = pool.renew(mine.claim.value(), mine.claim.token(), named);
    long receivedNanos = monotonic.nanos();
    if (result instanceof Renewed renewed) {
      Claim claim = renewed.claim();
      held = new Held(claim, Optional.of(wanted));
      if (end(claim).isAfter(end(mine.claim))) {
        read(end(claim).minus(wanted), sentNanos, receivedNanos);
      } else if (isShort(end(claim), receivedNanos)) {
        // The end stayed: the server's clock stepped back, and it does not say how far.
        ahead = ahead.compareTo(length) < 0 ? length : min(ahead.multipliedBy(2));
      }
      return term(claim, sentNanos, wanted);
    }
    held = null;
    return claim();
  }

  /**
   * Releases the number, if it is held: its next holder starts after the last identifier.
   *
   * @param lastTick the last unit of time that was used, or {@link Long#MIN_VALUE} if none was
   * @throws PoolUnavailableException if the database failed; the lease then ends by itself
   */
  void release(long lastTick) {
    Held mine = held;
    held = null;
    if (mine != null) {
      Claim claim = mine.claim;
      Instant usedUntil = lastTick == Long.MIN_VALUE ? claim.claimedAt() : scale.time(lastTick + 1);
      pool.release(claim.value(), claim.token(), Optional.of(usedUntil));
    }
  }

  /**
   * The lease to ask for. If our clock is ahead of the server's by more than the delay of answers,
   * the lease is longer by that, so that there are times left before its end.
   */
  private Duration wantedLength() {
    if (ahead.multipliedBy(AHEAD_PART).compareTo(length) <= 0) {
      return length;
    }
    return min(length.plus(ahead.truncatedTo(ChronoUnit.MILLIS)).plusMillis(1));
  }

  /** Whether less time is left until an end than a renewal should give. */
  private boolean isShort(Instant end, long nanos) {
    ServerClock present = clock;
    long leftMicros = present == null ? 0 : ServerClock.micros(end) - present.microsAt(nanos);
    return leftMicros
        < TimeUnit.NANOSECONDS.toMicros(length.toNanos()) * (AHEAD_PART - 1) / AHEAD_PART;
  }

  private static Duration min(Duration wanted) {
    return wanted.compareTo(PoolSpec.DURATION_MAX) < 0 ? wanted : PoolSpec.DURATION_MAX;
  }

  /** Corrects our clock by a time that the server read between request and answer. */
  private void read(Instant serverTime, long sentNanos, long receivedNanos) {
    if (clock == null) {
      clock = ServerClock.at(serverTime, sentNanos);
    } else {
      ServerClock.Reading reading = clock.read(serverTime, sentNanos, receivedNanos);
      clock = reading.clock();
      ahead = reading.ahead();
    }
  }

  private WorkerTerm term(Claim claim, long sentNanos, Duration leased) {
    ServerClock present = clock;
    if (present == null) {
      throw new IllegalStateException("no answer with a time yet");
    }
    Instant end = end(claim);
    return new WorkerTerm(
        requireNode(claim),
        present,
        claim.previousEnd().map(scale::tickAt).orElse(Long.MIN_VALUE),
        scale.tickAt(end),
        end,
        sentNanos + leased.toNanos());
  }

  private static Instant end(Claim claim) {
    return claim
        .expiresAt()
        .orElseThrow(() -> new IllegalStateException("claim without an end: " + claim));
  }

  /** A block may have been added since the pool was checked. */
  private int requireNode(Claim claim) {
    long number = NumberRange.parse(claim.value()).first();
    if (number > layout.nodeMax()) {
      held = null;
      pool.release(claim.value(), claim.token());
      throw new MintException(
          "pool %s: it gave number %s: expected 0 to %s, for which the layout has %s bits"
              .formatted(Quoted.of(pool.name()), number, layout.nodeMax(), layout.nodeBits()));
    }
    return (int) number;
  }
}
