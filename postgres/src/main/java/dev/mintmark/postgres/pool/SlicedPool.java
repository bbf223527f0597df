package dev.mintmark.postgres.pool;

import dev.mintmark.Experimental;
import dev.mintmark.PoolSpec;
import dev.mintmark.Quoted;
import dev.mintmark.postgres.pool.ClaimResult.Granted;
import dev.mintmark.postgres.pool.ClaimResult.Quota;
import dev.mintmark.postgres.pool.ClaimResult.QuotaReached;
import dev.mintmark.postgres.pool.SliceState.Step;
import dev.mintmark.postgres.pool.SliceState.Waiting;
import dev.mintmark.postgres.pool.SliceTerm.Clocks;
import java.time.Duration;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * A pool of which this instance leases a slice: values that it grants from memory, without asking
 * the database. What is not granted flows back: to instances that lack values, at {@link #close},
 * or at the end of the lease if the instance is killed.
 *
 * <pre>{@code
 * try (Pools pools = Pools.over(dataSource);
 *     SlicedPool pool = SlicedPool.open(pools, "ports", SliceOptions.of("api-1:8080"))) {
 *   ClaimResult result = pool.claim(ClaimRequest.of("vm-43943"));
 * }
 * }</pre>
 *
 * <p><b>What is leased.</b> Values, and buckets of clients: each client is in one of 1,024 buckets,
 * by a hash of its name, and one instance has the bucket. A claim of a client whose bucket another
 * instance has is answered by {@link ClaimResult.Elsewhere} with the name of that instance; or by
 * {@link ClaimResult.AlreadyHeld}, if the client holds a value already. {@link Pool#claim} gives
 * the same answers while any instance has a slice of the pool.
 *
 * <pre>
 *   free  --take-->  in a slice  --grant-->  granted, not recorded  --record-->  held
 *    ^                   |                             |
 *    |---- give back ----|------ end of the lease -----|------>  quarantined
 * </pre>
 *
 * <p><b>Why no value is granted twice.</b>
 *
 * <ol>
 *   <li>A value in a slice has its row among the claims: no other statement gives it away before
 *       the slice has ended by the database's clock.
 *   <li>An instance grants a value only in its {@linkplain SliceTerm term}, which is over before
 *       the slice ends, and once: a value that is released goes back to the pool.
 *   <li>A claim that is granted from memory ends before its slice. A claim with a longer lease is
 *       answered after it was recorded, and is then like any other.
 *   <li>The token of a claim was drawn when its value was taken, so it is greater than that of
 *       every earlier claim of the value.
 * </ol>
 *
 * <p><b>Why a client does not hold two values in one slot.</b>
 *
 * <ol>
 *   <li>A bucket is in one slice. It leaves a slice when that has ended, or when it was given up
 *       after every grant to its clients was recorded.
 *   <li>When an instance takes a bucket, it reads which slots of its clients hold something. From
 *       the commit of the first slice on, other statements grant nothing ({@code pool_fence});
 *       those that began before are waited for. So a slot that was not read and was not granted
 *       here since holds nothing, and is granted from memory. For every other slot the database is
 *       asked.
 *   <li>A renewal whose answer arrives after the term before counts as lost: the pool may have been
 *       without a slice in between.
 * </ol>
 *
 * <p><b>What may be lost</b> if the instance is killed with {@link
 * SliceOptions.Journal#AFTER_ANSWER}: the records of its last grants. Their clients hold the values
 * until the end of their leases, which cannot be renewed, and the values rest until the slice has
 * ended. In the history the holder of such a value is the slice. With {@link
 * SliceOptions.Journal#BEFORE_ANSWER} nothing is lost that was answered.
 *
 * <p><b>After a failover</b> the slice is given up, and values rest for as long as a slice may have
 * lasted, as {@link PoolSpec#afterFailover} says for claims. Grants that are not recorded yet are
 * recorded afterwards if the pool trusts the failover, and otherwise {@linkplain Failover.Dropped
 * reported}.
 *
 * <p><b>Not supported:</b> pools without a lease, with a quota of owners, or with blocks from
 * another pool, and claims for a named value. The pool's {@code sticky} has no effect. After {@link
 * PoolSpec#perClient} was lowered, a client that holds values in greater slots can get one more in
 * a lower slot that is empty.
 *
 * <p>Safe for use by many threads. A thread of its own talks to the database.
 */
@Experimental
public final class SlicedPool implements AutoCloseable {
  /** How many buckets of clients a pool has. */
  public static final int BUCKETS = ClientBuckets.COUNT;

  private static final Duration RECORD_PATIENCE = Duration.ofSeconds(5);
  private static final Duration CLOSE_PATIENCE = Duration.ofSeconds(15);

  private final DatabasePools pools;
  private final Pool pool;
  private final PoolContext context;
  private final int valuesMax;
  private final Clocks clocks;
  private final SliceState state;
  private final Thread worker;

  private SlicedPool(Pool pool, SliceOptions options, Clocks clocks) {
    this.pools = pool.pools();
    this.pool = pool;
    this.context = pool.context();
    this.valuesMax = options.valuesMax();
    this.clocks = clocks;
    this.state =
        new SliceState(pool.name(), options.journal() == SliceOptions.Journal.BEFORE_ANSWER);
    this.worker =
        new Thread(new SliceWorker(pool, state, options, clocks), "mintmark-slice-" + pool.name());
    worker.setDaemon(true);
  }

  /**
   * What an instance has leased.
   *
   * @param unused values that can be granted from memory
   * @param buckets buckets of clients, of 1,024
   * @param unrecorded grants that are not recorded in the database yet
   * @param granted values that were granted since the pool was opened
   * @param inForce whether the slice may be used at present
   */
  public record Usage(int unused, int buckets, int unrecorded, long granted, boolean inForce) {}

  /**
   * Opens a pool to be granted from a slice. The slice is leased in the background; the first
   * claims wait for it.
   *
   * @throws IllegalArgumentException if the pool has no lease or a quota of owners, if its blocks
   *     come from another pool, or if the lease of slices is not longer than that of the pool
   * @throws UnknownPoolException if the database has no such pool
   * @throws PoolUnavailableException if the database failed
   */
  public static SlicedPool open(Pools pools, String pool, SliceOptions options) {
    return open(pools, pool, options, Clocks.SYSTEM);
  }

  static SlicedPool open(Pools pools, String name, SliceOptions options, Clocks clocks) {
    Pool pool = pools.open(name);
    Duration unused = options.leaseFor(requireLease(pool.spec()));
    SlicedPool sliced = new SlicedPool(pool, options, clocks);
    sliced.worker.start();
    return sliced;
  }

  /** Returns the lease of a pool that can be sliced. */
  static Duration requireLease(PoolSpec spec) {
    if (spec.perOwner().isPresent()) {
      throw unfit(
          spec, "it gives each owner a quota, which is counted in one place: expected none");
    }
    if (spec.source().isPresent()) {
      throw unfit(spec, "its blocks come from pool " + Quoted.of(spec.source().get().pool()));
    }
    return spec.lease()
        .orElseThrow(() -> unfit(spec, "it has no lease: expected one, such as 30s"));
  }

  private static IllegalArgumentException unfit(PoolSpec spec, String why) {
    return new IllegalArgumentException(
        "pool %s cannot be granted from slices: %s".formatted(Quoted.of(spec.name()), why));
  }

  static PoolUnavailableException closed(PoolContext context) {
    return new PoolUnavailableException(
        "pool %s: the slice of this instance is closed".formatted(Quoted.of(context.name())));
  }

  /** The pool, for everything but claims: its counts, its lists, its blocks. */
  public Pool pool() {
    return pool;
  }

  /**
   * Returns the bucket of a client, 0 to {@link #BUCKETS} - 1: the low 10 bits of the first two
   * bytes of the SHA-256 of its name, in UTF-8. Programs that route claims may use it; the function
   * does not change.
   */
  public static int bucketOf(String client) {
    return ClientBuckets.of(client);
  }

  /** The buckets of this instance at present: it grants to their clients. */
  public BitSet buckets() {
    return state.buckets();
  }

  /** What this instance has leased. */
  public Usage usage() {
    return state.usage(clocks.now());
  }

  /**
   * Claims for a client, or returns what it holds. Waits for the answer.
   *
   * @throws IllegalArgumentException as {@link #claimAsync}
   * @throws PoolUnavailableException if the database failed and the claim cannot be answered
   *     without it; claiming again is safe
   * @throws UnknownPoolException if the pool was deleted
   */
  public ClaimResult claim(ClaimRequest request) {
    return PendingClaim.join(claimAsync(request));
  }

  /**
   * Claims for a client without waiting. A claim of a client that holds nothing is answered at once
   * while values are in the slice. A claim that the database has to answer is completed by the
   * thread that talks to it, so actions that depend on it should be short. The result fails as
   * {@link #claim} throws.
   *
   * @throws IllegalArgumentException if the request names a value or asks for more values than a
   *     slice has ({@link SliceOptions#valuesMax}), or if the pool embeds clients in IPv6 addresses
   *     and this client cannot be embedded
   */
  public CompletableFuture<ClaimResult> claimAsync(ClaimRequest request) {
    PoolSpec spec = context.spec();
    if (request.value().isPresent()) {
      throw new IllegalArgumentException(
          "pool %s: value %s: an instance that has a slice of a pool grants any value, not a named one"
              .formatted(Quoted.of(pool.name()), Quoted.of(request.value().get())));
    }
    spec.ipv6().ifPresent(ipv6 -> ipv6.checkClient(request.client()));
    pool.checkNoNote(request);
    Duration lease = request.lease().orElseGet(() -> requireLease(spec));
    if (request.slot() + request.count() > spec.perClient()) {
      return CompletableFuture.completedFuture(
          new QuotaReached(pool.name(), Quota.CLIENT, request.client(), spec.perClient()));
    }
    if (request.count() > valuesMax) {
      throw new IllegalArgumentException(
          "pool %s: count is %s: expected at most %s, the valuesMax of this instance's slice"
              .formatted(Quoted.of(pool.name()), request.count(), valuesMax));
    }
    ClaimListener listener = pools.claimListener();
    return listener == null
        ? submit(request, lease)
        : PendingClaim.reported(listener.began(pool.name()), submit(request, lease));
  }

  private CompletableFuture<ClaimResult> submit(ClaimRequest request, Duration lease) {
    Optional<ClaimResult> refusal = pool.refusal(request);
    if (refusal.isPresent()) {
      return CompletableFuture.completedFuture(refusal.get());
    }
    SliceTerm.Now now = clocks.now();
    Waiting claim =
        new Waiting(
            request, lease, ClientBuckets.of(request.client()), now, new CompletableFuture<>());
    Step step = state.claim(claim, now);
    if (step instanceof Step.Answer answer) {
      List<Claim> claims = answer.entry().rows(Map.of()).stream().map(context::toClaim).toList();
      return CompletableFuture.completedFuture(new Granted(claims));
    }
    if (step instanceof Step.Reject reject) {
      return CompletableFuture.completedFuture(reject.exhausted());
    }
    return step instanceof Step.Closed
        ? CompletableFuture.failedFuture(closed(context))
        : claim.answer();
  }

  /**
   * Extends a claim as {@link Pool#renew}, after it was recorded. Any instance may renew a claim.
   *
   * @throws PoolUnavailableException if the database failed, or another instance has granted the
   *     value and not recorded the claim yet; renewing again is safe
   */
  public RenewResult renew(String value, long token, Optional<Duration> lease) {
    awaitRecord(token);
    return pool.renew(value, token, lease);
  }

  /**
   * Releases a value as {@link Pool#release(String, long)}, after its claim was recorded. Any
   * instance may release it.
   *
   * @throws PoolUnavailableException as {@link #renew}
   */
  public ReleaseResult release(String value, long token) {
    awaitRecord(token);
    ReleaseResult result = pool.release(value, token);
    state.forgetExhausted();
    return result;
  }

  private void awaitRecord(long token) {
    try {
      if (!state.awaitRecord(token, RECORD_PATIENCE)) {
        throw new PoolUnavailableException(
            "pool %s: the claim with token %s is not recorded yet: the database does not answer"
                .formatted(Quoted.of(pool.name()), token));
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new PoolUnavailableException("pool %s: interrupted".formatted(Quoted.of(pool.name())));
    }
  }

  /**
   * Records all grants, and gives values and buckets back. Claims fail from now on. Waits up to 15
   * s if the database does not answer; then what is left flows back when the slice ends.
   */
  @Override
  public void close() {
    state.close();
    try {
      worker.join(CLOSE_PATIENCE.toMillis());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
