package dev.mintmark.postgres.pool;

import dev.mintmark.Block;
import dev.mintmark.Entropy;
import dev.mintmark.PoolSpec;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.function.UnaryOperator;

/**
 * A set of scarce values in a database, as one instance of a program sees it.
 *
 * <pre>
 *            claim              release, end of lease             sweep
 *   free  ----------->  held  ------------------------>  quarantined  ------->  free
 *                      renew
 * </pre>
 *
 * <p>A value is held by at most one client, however many instances claim at the same time. A client
 * holds at most as many values as the pool allows, and gets the same values each time it claims.
 * Claims that arrive together share a statement. If a pool is known to be exhausted, claims are
 * rejected without a call to the database for up to {@link #REMEMBERED_FOR}. A client that holds a
 * value is not rejected in that time, unless another instance granted the value within it.
 *
 * <p>Another instance may change the settings of a pool. This instance applies the change within
 * {@link #SETTINGS_KNOWN_FOR}.
 *
 * <p>Every method uses a transaction of its own, except {@link #claim(Connection, ClaimRequest)}.
 * Safe for use by many threads.
 *
 * <pre>{@code
 * try (Pools pools = Pools.over(dataSource)) {
 *   ClaimResult result = pools.open("public-ipv4").claim(ClaimRequest.of("vm-43943"));
 * }
 * }</pre>
 */
public final class Pool {
  /** How long an instance remembers that no value is free. */
  public static final Duration REMEMBERED_FOR = Duration.ofMillis(750);

  /** How long an instance uses a pool's settings before it reads them again. */
  public static final Duration SETTINGS_KNOWN_FOR = Duration.ofSeconds(10);

  /** The most claims in one page of a list or a history. */
  public static final int PAGE_MAX = 1_000;

  /** The most values that one call of {@link #refill} draws. */
  public static final int REFILL_MAX = 1_000_000;

  /** The most values in one map. */
  public static final int MAP_MAX = 4_096;

  private final DatabasePools pools;
  private final PoolContext context;
  private final Exhaustion exhaustion;
  private final Claimer claimer;
  private final PoolProbe probe;
  private final ClaimQueue queue;
  private final BlockDraw blockDraw;
  private final PoolHistory history;
  private final PoolMapReader maps;
  private final PoolQuarantine quarantine;
  private final CallerClaims callerClaims;
  private final FreeValueReader freeValues;
  private final ClaimGate gate;
  private final ClaimNotes notes;
  private final HeldClaims held;
  private final ManyClaims many;
  private final ClaimThreads threads;

  Pool(DatabasePools pools, PoolContext context, ClaimThreads threads) {
    this.pools = pools;
    this.context = context;
    this.exhaustion = new Exhaustion(context.name());
    this.blockDraw = new BlockDraw(context, Entropy.strong());
    this.probe = new PoolProbe(context, exhaustion);
    OwnerQuotas quotas = new OwnerQuotas(context);
    this.claimer = new Claimer(context, blockDraw, probe, quotas);
    NamedClaims named = new NamedClaims(context, quotas);
    this.queue =
        new ClaimQueue(
            context.name(),
            exhaustion,
            new ClaimAnswers(claimer, named),
            threads,
            threads::isClosed);
    this.history = new PoolHistory(context);
    this.maps = new PoolMapReader(context);
    this.quarantine = new PoolQuarantine(context);
    this.callerClaims = new CallerClaims(context, blockDraw);
    this.freeValues = new FreeValueReader(context);
    this.gate = new ClaimGate(context, threads);
    this.notes = new ClaimNotes(context);
    Runnable wakeOthers = () -> pools.wakeOthers(context.id());
    this.held = new HeldClaims(context, exhaustion::forget, wakeOthers);
    this.many = new ManyClaims(context, history, exhaustion::forget, wakeOthers);
    this.threads = threads;
  }

  /** The name of the pool. */
  public String name() {
    return context.name();
  }

  DatabasePools pools() {
    return pools;
  }

  /** The settings and blocks of the pool, as last read from the database. */
  public PoolSpec spec() {
    return context.spec();
  }

  /**
   * Claims for a client, or returns what it holds. Waits for the answer.
   *
   * @throws IllegalArgumentException as {@link #claimAsync}
   * @throws PoolUnavailableException if the database failed, or too many claims wait already;
   *     claiming again is safe
   * @throws UnknownPoolException if the pool was deleted
   */
  public ClaimResult claim(ClaimRequest request) {
    return PendingClaim.join(claimAsync(request));
  }

  /**
   * Claims for a client without waiting. The thread that talks to the database completes the
   * result, so actions that depend on it should be short. The result fails as {@link #claim}
   * throws.
   *
   * @throws IllegalArgumentException as {@link #check}
   */
  public CompletableFuture<ClaimResult> claimAsync(ClaimRequest request) {
    check(request);
    ClaimListener listener = pools.claimListener();
    CompletableFuture<ClaimResult> result =
        listener == null
            ? submit(request)
            : PendingClaim.reported(listener.began(context.name()), submit(request));
    // Not in the thread that completes the result: other claims wait for it.
    return request.note().isEmpty()
        ? result
        : result.thenApplyAsync(granted -> notes.attach(granted, request), threads);
  }

  /**
   * Refuses a claim for any value, as {@link #claimAsync} does at once, if this instance remembers
   * that the pool is exhausted, and reports it to the listener as a claim. Empty: only a claim
   * tells. Never asks the database.
   *
   * @throws IllegalArgumentException as {@link #claimAsync}
   */
  public Optional<ClaimResult.Exhausted> rejection(ClaimRequest request) {
    if (request.value().isPresent() || !context.stored().gate().isOpen()) {
      return Optional.empty();
    }
    check(request);
    Optional<ClaimResult.Exhausted> rejection = exhaustion.rejection(request.client());
    ClaimListener listener = pools.claimListener();
    if (rejection.isPresent() && listener != null) {
      listener.began(context.name()).ended(rejection.get());
    }
    return rejection;
  }

  /**
   * Claims for a client in the transaction of the caller: the claim and what else the transaction
   * writes are committed together, or not at all. The value of a transaction that is rolled back is
   * free at once. A refusal leaves the transaction as it was before.
   *
   * <p>The request cannot have a note: {@link #notes} writes it after the commit.
   *
   * <p>Until the transaction ends, claims of the same client, and of the same owner if the pool
   * limits owners, wait for it; so keep it short. The lease begins now, not at the commit. Claims
   * are not batched, and an exhausted pool is not remembered: each call takes four round trips.
   * Values are drawn on another connection, so the data source of the pools must give one
   * meanwhile.
   *
   * @param connection to the database of the pools, without autocommit, in the isolation level read
   *     committed; its role needs the rights on the tables of pools
   * @throws IllegalStateException if the connection commits each statement, or has another
   *     isolation level
   * @throws IllegalArgumentException as {@link #claimAsync}, or if the request has a note
   * @throws SQLException if the connection failed: the transaction is rolled back, or must be
   * @throws PoolUnavailableException if a connection of the pools failed
   * @throws UnknownPoolException if the pool was deleted
   */
  public ClaimResult claim(Connection connection, ClaimRequest request) throws SQLException {
    check(request);
    checkNoNote(request);
    Optional<ClaimResult> refusal = refusal(request);
    return refusal.isPresent() ? refusal.get() : callerClaims.claim(connection, request);
  }

  /**
   * Checks a request as {@link #claimAsync} does before it claims. Asks the database only about a
   * named value of a block that is not known here yet, and then may throw {@link
   * PoolUnavailableException}.
   *
   * @throws IllegalArgumentException if the pool does not have the value that the request names, if
   *     the pool limits owners and the request names no owner, or if the pool embeds clients in
   *     IPv6 addresses and this client cannot be embedded
   */
  public void check(ClaimRequest request) {
    context.check(request);
  }

  /** Rejects a note where only the claim is written. */
  void checkNoNote(ClaimRequest request) {
    if (!request.note().isEmpty()) {
      throw new IllegalArgumentException(
          "pool \"%s\": the request has a note: claim without it, then call notes().set"
              .formatted(context.name()));
    }
  }

  /** The answer of the gate to a claim that it does not let in. */
  Optional<ClaimResult> refusal(ClaimRequest request) {
    return gate.refusal(request);
  }

  private CompletableFuture<ClaimResult> submit(ClaimRequest request) {
    Optional<ClaimResult> refusal = refusal(request);
    return refusal.isPresent()
        ? CompletableFuture.completedFuture(refusal.get())
        : queue.submit(request);
  }

  /**
   * Extends a claim from now, by {@code lease} or by the lease it was claimed with. A claim without
   * a lease stays held until it is released. The end of a claim never moves to an earlier time.
   *
   * @param token the claim's fencing token; an older token than that of the value's present claim
   *     changes nothing
   * @throws PoolUnavailableException if the database failed; renewing again is safe
   */
  public RenewResult renew(String value, long token, Optional<Duration> lease) {
    return held.renew(value, token, lease);
  }

  /**
   * Releases a value.
   *
   * @param token the claim's fencing token; an older token than that of the value's present claim
   *     changes nothing
   * @throws PoolUnavailableException if the database failed: it is then not known whether the value
   *     was released. Releasing again is safe; the result is {@link NotHeld} if it was
   */
  public ReleaseResult release(String value, long token) {
    return release(value, token, Optional.empty());
  }

  /**
   * Releases a value that was used only until {@code usedUntil}. The next claim of the value then
   * has this time as {@link Claim#previousEnd}, instead of the end of the lease.
   *
   * @param usedUntil by the database's clock; a time after the end of the lease counts as that end
   * @throws PoolUnavailableException as {@link #release(String, long)}
   */
  public ReleaseResult release(String value, long token, Optional<Instant> usedUntil) {
    return held.release(value, token, usedUntil);
  }

  /**
   * Draws values ahead, in short transactions, so that claims in the transactions of callers need
   * not draw. Settles the pool first if the database went back.
   *
   * @param values how many values should become free, 1 to {@value #REFILL_MAX}, if so many were
   *     never drawn
   * @return false if none is left to draw, or a claim in a transaction that is still open has
   *     locked the blocks
   * @throws IllegalArgumentException if the number is out of range
   * @throws PoolUnavailableException if the database failed
   */
  public boolean refill(long values) {
    if (values < 1 || values > REFILL_MAX) {
      throw new IllegalArgumentException("values is " + values + ": expected 1 to " + REFILL_MAX);
    }
    context.passFence();
    return blockDraw.draw(values);
  }

  /** Returns the claim of a value, if the value is held. */
  public Optional<Claim> find(String value) {
    return context.find(value);
  }

  /**
   * Lists the claims that are held: the blocks in the order in which they were added, and in each
   * block the values in ascending order.
   *
   * @param filter which claims
   * @param limit the most claims to return, 1 to {@value #PAGE_MAX}
   * @throws IllegalArgumentException if the limit is out of range, or the pool does not have the
   *     value that the filter names
   */
  public List<Claim> claims(ClaimFilter filter, int limit) {
    return history.claims(filter, limit);
  }

  /**
   * Lists claims, the latest first: those that are held, and those that have ended for as long as
   * the pool keeps its history.
   *
   * @param filter which claims
   * @param before only claims with a smaller token, if given: the last token of the page before
   * @param limit the most claims to return, 1 to {@value #PAGE_MAX}
   * @throws IllegalArgumentException if the limit is out of range, or the pool never had the value
   *     that the filter names
   */
  public List<PastClaim> history(PastClaim.Filter filter, OptionalLong before, int limit) {
    return history.history(filter, before, limit);
  }

  /** Counts the values by block and state. Takes time in proportion to the values issued so far. */
  public PoolStats stats() {
    return maps.stats();
  }

  /**
   * Returns the greatest {@linkplain Claim#token token} among the claims that are held, quarantined
   * or in the history; 0 if there is none. A value that was released and another that was claimed
   * leave the counts as they were, but not this. Takes no longer if there are more claims.
   *
   * @throws PoolUnavailableException if the database failed
   */
  public long newestToken() {
    return maps.newestToken();
  }

  /**
   * Returns the state of each value in a range of positions. The range ends at the end of the pool.
   *
   * @param from the first position, from 0
   * @param limit the most positions to return, 1 to {@value #MAP_MAX}
   * @throws IllegalArgumentException if either is out of range
   */
  public PoolMap map(long from, int limit) {
    return maps.map(from, limit);
  }

  /**
   * Lists values that are free, in the order of their positions: those that came back and those
   * that were never granted. The list is a snapshot, and each page is another one.
   *
   * <p>A page looks at 16,384 positions at most, so it takes bounded time however full the pool is;
   * it may then have fewer values than {@code limit} and a next page. Positions from 2^63 on, which
   * only the greatest IPv6 blocks have, are not listed.
   *
   * @param after the {@link FreePage#next} of the page before; empty for the first page
   * @param limit the most values to return, 1 to {@value #PAGE_MAX}
   * @throws IllegalArgumentException if the limit is out of range, or the pool does not have the
   *     value {@code after}
   */
  public FreePage freeValues(Optional<String> after, int limit) {
    return freeValues.read(after, limit);
  }

  /**
   * Who may claim, as read from the database at most {@link #SETTINGS_KNOWN_FOR} ago: {@link
   * PoolGate#OPEN} unless one was set.
   *
   * @throws PoolUnavailableException if the database failed
   */
  public PoolGate gate() {
    var unused = context.freshSpec();
    return context.stored().gate();
  }

  /**
   * Sets who may claim, in place of the gate before. Claims are refused without a statement: {@link
   * ClaimResult.NotOpen}, {@link ClaimResult.TooManyClaims}; also those of clients that hold a
   * value already. Renewals and releases are never refused. Rates are those of one instance. Others
   * apply the gate within {@link #SETTINGS_KNOWN_FOR}; an instance that listens applies the change
   * of a gate at once.
   *
   * @param gate {@link PoolGate#OPEN} lets everybody in
   * @throws PoolUnavailableException if the database failed; setting it again is safe
   * @throws UnknownPoolException if the pool was deleted
   */
  public void setGate(PoolGate gate) {
    this.gate.set(gate);
    pools.wakeOthers(id());
  }

  /**
   * Changes settings of the pool for claims, renewals and releases from now on: everything but its
   * name, its blocks and its exclusions, which {@link #addBlock} and {@link #exclude} change. A
   * claim that is held keeps its end, and a client that holds more than a new quota keeps what it
   * holds. Others apply the change within {@link #SETTINGS_KNOWN_FOR}.
   *
   * @param change returns the pool as it shall be, from the pool as it is. Runs while the pool's
   *     row is locked, so that no other change is lost
   * @return the pool as it is now
   * @throws IllegalArgumentException if {@code change} fails with it, or changes name, blocks or
   *     exclusions: nothing has changed
   * @throws PoolUnavailableException if the database failed
   * @throws UnknownPoolException if the pool was deleted
   */
  public PoolSpec change(UnaryOperator<PoolSpec> change) {
    return pools.changes().change(this, change);
  }

  /**
   * Returns the position of a value in the pool's {@linkplain #map maps}, whether it is excluded or
   * not. Empty if no block has the value, or its position is greater than {@link Long#MAX_VALUE}.
   */
  public OptionalLong positionOf(String value) {
    return maps.positionOf(value);
  }

  /**
   * Adds a block. Its values can be claimed at once, however many there are.
   *
   * @param exclude values of the block that are not handed out, beside what the pool excludes
   * @throws IllegalArgumentException if the block overlaps another block of the pool, or is of
   *     another family
   */
  public void addBlock(Block block, List<Block> exclude) {
    pools.changes().addBlock(this, block, exclude);
  }

  /**
   * Drains a block, or ends that. No value of a drained block is handed out; values that are held
   * stay held until they are released.
   *
   * @param block the block as it was declared
   * @return false if the block is in that state already
   * @throws IllegalArgumentException if the pool has no such block
   */
  public boolean drain(String block, boolean draining) {
    return pools.changes().drain(this, block, draining);
  }

  /**
   * Excludes values from being granted. When this returns, no instance grants one of them any more.
   * A value that is held stays held until it is released or its lease ends, and is not granted
   * again; {@link ClaimFilter#EXCLUDED} finds those. Calling it again is safe.
   *
   * @param values blocks with a value of the pool each; of {@link dev.mintmark.NumberRuns}, a run
   *     is excluded if any of its numbers is
   * @return false if all of them were excluded already
   * @throws IllegalArgumentException if one of them has no value of the pool, if the pool would
   *     have more than {@link PoolSpec#BLOCKS_MAX} exclusions, or if its blocks are lists
   * @throws PoolUnavailableException if the database failed: it is then not known whether the
   *     values are excluded
   */
  public boolean exclude(List<Block> values) {
    return pools.changes().exclude(this, values);
  }

  /**
   * Ends the exclusion of values: they can be granted again at once. A part of an excluded block
   * may be named; the rest of it stays excluded. Calling it again is safe.
   *
   * @param values blocks with a value of the pool each, excluded or not
   * @return false if none of them was excluded
   * @throws IllegalArgumentException as {@link #exclude}, or if a value was excluded when its block
   *     was added, by a version that could not change exclusions
   * @throws PoolUnavailableException if the database failed: it is then not known whether the
   *     values are excluded
   */
  public boolean include(List<Block> values) {
    return pools.changes().include(this, values);
  }

  /**
   * Removes a block that is drained and has no value that is held or quarantined.
   *
   * @param block the block as it was declared
   * @return false if the block is not drained, or has values that are held or quarantined: nothing
   *     is changed
   * @throws IllegalArgumentException if the pool has no such block, or no other
   */
  public boolean removeBlock(String block) {
    return pools.changes().removeBlock(this, block);
  }

  /**
   * Quarantines a value that is not held: no client can claim it for a time. A value already in
   * quarantine keeps the later end.
   *
   * @param length more than 0, up to {@link PoolSpec#DURATION_MAX}
   * @return the end of the quarantine, or empty if the value is held: nothing is changed
   * @throws IllegalArgumentException if the pool has no such value, or the length is out of range
   */
  public Optional<Instant> quarantine(String value, Duration length) {
    return quarantine.quarantine(value, length);
  }

  /**
   * Quarantines every value that is not held. A value already in quarantine keeps the later end,
   * and its last client does not get it before that. A value that is held is quarantined after its
   * release, at least until the same end. Later claims have tokens that are greater by far than any
   * token drawn before.
   *
   * <p>Use this after the database was restored to an earlier state: a value that looks free, or
   * held by one client, may have been given to another client since. A pool that a failover has
   * {@linkplain ClaimResult.Stopped stopped} grants values again when this returns.
   *
   * @param length longer than any claim is held, up to {@link PoolSpec#DURATION_MAX}
   * @throws IllegalArgumentException if the length is out of range
   */
  public void quarantineAll(Duration length) {
    quarantine.quarantineAll(length);
  }

  /**
   * Lets a pool that a failover has {@linkplain ClaimResult.Stopped stopped} grant values again at
   * once, because no claim is lost: replication was synchronous, or every server of the application
   * was stopped. If claims may be lost, use {@link #quarantineAll}, which ends the stop as well.
   *
   * @return false if the pool is not stopped
   * @throws PoolUnavailableException if the database failed; resuming again is safe
   */
  public boolean resume() {
    boolean resumed = quarantine.resume();
    context.reload();
    return resumed;
  }

  /** Where in this pool values are used. */
  public PoolSurvey survey() {
    return new PoolSurvey(context);
  }

  /** Renews and releases many claims of this pool at once. */
  public ManyClaims many() {
    return many;
  }

  /** What people have written about the claims of this pool. */
  public ClaimNotes notes() {
    return notes;
  }

  /** Since when a failover has stopped the pool, as last read; empty if it is not stopped. */
  public Optional<Instant> stoppedAt() {
    return context.stored().stoppedAt();
  }

  PoolContext context() {
    return context;
  }

  int id() {
    return context.id();
  }

  /** Runs the statements of a claim once, since their first run on a connection is slow. */
  void warmUp() {
    try {
      claimer.warmUp();
      probe.warmUp();
    } catch (PoolUnavailableException e) {
      // The first claim reports it.
    }
  }

  /** As {@link PoolProbe#findExhausted}. */
  Optional<ClaimResult.Exhausted> findExhausted(int missing) {
    return probe.findExhausted(missing);
  }

  /** Issues values. False if none is left to issue. */
  boolean draw(long wanted) {
    return blockDraw.draw(wanted);
  }

  /** Forgets that the pool was empty: another instance reports a free value, or another gate. */
  void wake() {
    exhaustion.forget();
    gate.refreshIfSet();
  }

  /** Forgets what was known of an empty pool: the database has begun another history. */
  void forgetHolders() {
    exhaustion.forgetHolders();
  }

  /** Counts what ended a memory of the empty pool before its time: releases here and elsewhere. */
  long releasesSeen() {
    return exhaustion.epoch();
  }

  boolean isKnownToBeEmpty() {
    return exhaustion.rejection().isPresent();
  }

  @Override
  public String toString() {
    return context.toString();
  }
}
