package dev.mintmark.postgres.pool;

import static dev.mintmark.postgres.internal.Transactions.Bind.bind;

import dev.mintmark.Ipv6Embedding;
import dev.mintmark.PoolSpec;
import dev.mintmark.Quoted;
import dev.mintmark.postgres.internal.SqlFile;
import dev.mintmark.postgres.internal.Transactions.Bind;
import dev.mintmark.postgres.internal.Transactions.Statements;
import dev.mintmark.postgres.pool.PoolLayout.Place;
import dev.mintmark.postgres.pool.PoolStore.StoredPool;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What the parts of a {@link Pool} share: its id, its name, its settings and blocks as last read,
 * and the database. Safe for use by many threads.
 */
final class PoolContext {
  private static final SqlFile FIND_CLAIM = SqlFile.load(PoolContext.class, "find_claim");
  private static final SqlFile KNOWS_POOL = SqlFile.load(PoolContext.class, "knows_pool");
  private static final SqlFile LOAD_VERSION = SqlFile.load(PoolContext.class, "load_version");

  private static final SqlFile RAISE_LONGEST_LEASE =
      SqlFile.load(PoolContext.class, "raise_longest_lease");

  /** When to claim again from an exhausted pool that may get another block from its source. */
  private static final Duration SUPPLIED_WITHIN = Duration.ofSeconds(2);

  private final int id;
  private final String name;
  private final PoolDatabase database;
  private final PoolDatabase prompt;
  private final PoolDatabase impatient;
  private final PoolDatabase patient;
  private final PoolDatabase patientAndPrompt;
  private final PoolSweep sweep;
  private final Fence fence;
  private final PoolSettlement settlement;
  private final Runnable deleted;
  private final Runnable lacking;

  private volatile StoredPool stored;
  private volatile long storedNanos;

  /**
   * @param database of this pool
   * @param sweep of this pool
   * @param settlement of this pool
   * @param deleted is run when the database no longer has the pool
   * @param lacking is run when the pool needs another block from its source
   */
  PoolContext(
      StoredPool stored,
      PoolDatabase database,
      PoolSweep sweep,
      Fence fence,
      PoolSettlement settlement,
      Runnable deleted,
      Runnable lacking) {
    this.id = stored.id();
    this.name = stored.spec().name();
    this.database = database;
    this.prompt = database.prompt();
    this.impatient = prompt.withLockLimit(Claimer.BATCH_PATIENCE);
    this.patient = database.withLockLimit(Claimer.PATIENCE);
    this.patientAndPrompt = prompt.withLockLimit(Claimer.PATIENCE);
    this.sweep = sweep;
    this.fence = fence;
    this.settlement = settlement;
    this.deleted = deleted;
    this.lacking = lacking;
    this.stored = stored;
    this.storedNanos = System.nanoTime();
  }

  int id() {
    return id;
  }

  String name() {
    return name;
  }

  PoolDatabase database() {
    return database;
  }

  /** The same database, for statements that must be answered soon. */
  PoolDatabase prompt() {
    return prompt;
  }

  /** As {@link #prompt}, for statements that wait for a lock for {@link Claimer#BATCH_PATIENCE}. */
  PoolDatabase impatient() {
    return impatient;
  }

  PoolSweep sweep() {
    return sweep;
  }

  /** What this instance knows of the history of the database. */
  Fence fence() {
    return fence;
  }

  /**
   * A claim met the fence: finds out why, and settles the pool, so that it can be sent again.
   *
   * @throws PoolUnavailableException if the pool is moved to another database at present
   */
  void passFence() {
    settle();
    if (stored.isMoving()) {
      PoolStandings.endDepartures(database, id);
      if (reload().isMoving()) {
        throw new PoolUnavailableException(
            "pool %s is moved to another database at present: try again in a second"
                .formatted(Quoted.of(name)));
      }
    }
  }

  /**
   * Runs statements that change claims or notes, which are locked while the pool is moved. They
   * wait for {@link Claimer#PATIENCE}: sessions that wait longer could be all that the database
   * has.
   */
  <T> T change(Function<PoolDatabase, T> statements) {
    return unlessLocked(patient, statements);
  }

  /** As {@link #change}, for statements that must be answered soon. */
  <T> T changePromptly(Function<PoolDatabase, T> statements) {
    return unlessLocked(patientAndPrompt, statements);
  }

  private <T> T unlessLocked(PoolDatabase database, Function<PoolDatabase, T> statements) {
    return PoolDatabase.unlessLocked(() -> statements.apply(database))
        .orElseThrow(
            () ->
                new PoolUnavailableException(
                    "pool %s: another session has locked a claim, or the pool is moved to another database: try again in a second"
                        .formatted(Quoted.of(name))));
  }

  /** Settles the pool in the present epoch of the database. */
  void settle() {
    var unusedChange = fence.check();
    var unusedSettled = settlement.run();
    reload();
  }

  /**
   * Makes a lease known to all instances, before a claim has it, if it is the longest so far: a
   * pool that rests after a failover rests as long as any claim may last that was lost.
   */
  void announceLease(Duration lease) {
    if (!isAnnounced(lease)) {
      int unused = prompt.single(statements -> raiseLongestLease(lease, statements));
      reload();
    }
  }

  /**
   * As {@link #announceLease(Duration)}, but waits only so long for the row of the pool.
   *
   * @return whether the lease is known to all instances
   */
  boolean announceLease(Duration lease, Duration patience) {
    if (isAnnounced(lease)) {
      return true;
    }
    Optional<Integer> raised =
        prompt.transaction(
            patience, statements -> raiseLongestLease(lease, statements), done -> true);
    if (raised.isPresent()) {
      reload();
    }
    return raised.isPresent();
  }

  /** Whether a lease is known to all instances already, or need not be. */
  boolean isAnnounced(Duration lease) {
    StoredPool pool = stored;
    return pool.spec().lease().isEmpty()
        || pool.longestLease().filter(longest -> longest.compareTo(lease) >= 0).isPresent();
  }

  private int raiseLongestLease(Duration lease, Statements statements) throws SQLException {
    return statements.update(RAISE_LONGEST_LEASE, poolId(), bind("lease_millis", lease.toMillis()));
  }

  /** The parameter that names this pool in each statement. */
  Bind poolId() {
    return bind("pool_id", id);
  }

  /** The pool as last read. */
  StoredPool stored() {
    return stored;
  }

  /** The settings as last read. */
  PoolSpec spec() {
    return stored.spec();
  }

  /** The blocks as last read. */
  PoolLayout layout() {
    return stored.layout();
  }

  /** Whether the pool was read more than {@link Pool#SETTINGS_KNOWN_FOR} ago. */
  boolean isOld() {
    return System.nanoTime() - storedNanos > Pool.SETTINGS_KNOWN_FOR.toNanos();
  }

  /** The settings, read again if they were read more than {@link Pool#SETTINGS_KNOWN_FOR} ago. */
  PoolSpec freshSpec() {
    if (isOld()) {
      reload();
    }
    return stored.spec();
  }

  /**
   * Reads the pool again: a block may have been added, a setting changed.
   *
   * @throws UnknownPoolException if the pool was deleted
   */
  StoredPool reload() {
    long nanos = System.nanoTime();
    StoredPool fresh =
        PoolStore.load(database, name, Optional.of(stored.layout()))
            .filter(found -> found.id() == id)
            .orElseThrow(this::unknown);
    keep(fresh, nanos);
    return fresh;
  }

  /** What was read from an earlier time on does not take the place of what was read later. */
  private synchronized void keep(StoredPool fresh, long nanos) {
    if (nanos - storedNanos >= 0) {
      stored = fresh;
      storedNanos = nanos;
    }
  }

  /**
   * Reads the blocks of the pool, removed ones too: there may be any number of those, so they are
   * read only when the history names their values.
   *
   * @throws UnknownPoolException if the pool was deleted
   */
  PoolLayout layoutWithRemoved() {
    return PoolStore.loadWithRemoved(database, name, stored.layout())
        .filter(found -> found.id() == id)
        .orElseThrow(this::unknown)
        .layout();
  }

  /**
   * Checks that the database has the pool. For answers that are also those of a pool that is gone,
   * after they were read.
   *
   * @throws PoolMovedException if it was moved to another database
   * @throws UnknownPoolException if it was deleted
   */
  void checkKnown() {
    if (prompt.query(KNOWS_POOL, row -> "", poolId()).isEmpty()) {
      throw unknown();
    }
  }

  /** Reports that the pool was deleted or moved, and returns the exception to throw. */
  RuntimeException unknown() {
    deleted.run();
    return PoolStandings.movedSince(database, name)
        .<RuntimeException>map(to -> new PoolMovedException(name, to))
        .orElseGet(() -> new UnknownPoolException(name));
  }

  /**
   * Locks the row of the pool until the transaction ends, which {@link #ifKnown} runs.
   *
   * @throws UnknownPoolException if the database does not have it
   */
  void lock(Statements statements) throws SQLException {
    if (PoolStore.lock(statements, name).filter(found -> found == id).isEmpty()) {
      throw new UnknownPoolException(name);
    }
  }

  /**
   * Runs a transaction that {@linkplain #lock locks the row of the pool}. If there is none, that is
   * reported after the transaction, because it needs a connection.
   *
   * @throws PoolMovedException if it was moved to another database
   * @throws UnknownPoolException if it was deleted
   */
  <T> T ifKnown(Supplier<T> transaction) {
    try {
      return transaction.get();
    } catch (UnknownPoolException e) {
      throw unknown();
    }
  }

  /** Returns the place of a value, as far as is known: its block may have been removed since. */
  Optional<Place> placeOf(String value) {
    Optional<Place> place = stored.layout().placeOf(value);
    return place.isPresent() ? place : reload().layout().placeOf(value);
  }

  /**
   * Checks that a request can be one for this pool.
   *
   * @throws IllegalArgumentException as {@link Pool#check}
   */
  void check(ClaimRequest request) {
    PoolSpec spec = spec();
    if (spec.perOwner().isPresent() && request.owner().isEmpty()) {
      throw new IllegalArgumentException(
          "pool \"%s\" gives an owner %s values: the claim must name its owner"
              .formatted(name(), spec.perOwner().get()));
    }
    spec.ipv6().ifPresent(ipv6 -> ipv6.checkClient(request.client()));
    request.value().ifPresent(this::requirePlace);
  }

  /**
   * Returns the place of a value.
   *
   * @throws IllegalArgumentException if the pool has no such value
   */
  Place requirePlace(String value) {
    return placeOf(value).orElseThrow(() -> noValue(value));
  }

  /**
   * Returns where a value is and was.
   *
   * @param layout with the blocks that were removed
   * @throws IllegalArgumentException if the pool never had such a value
   */
  List<Place> requireEveryPlace(PoolLayout layout, String value) {
    List<Place> places = layout.everyPlaceOf(value);
    if (places.isEmpty()) {
      throw noValue(value);
    }
    return places;
  }

  /** Returns the value at a place that the database has named. */
  String valueAt(Place place) {
    return stored
        .layout()
        .valueAt(place)
        .or(() -> reload().layout().valueAt(place))
        .or(() -> layoutWithRemoved().valueAt(place))
        .orElseThrow(
            () -> new IllegalStateException("pool " + Quoted.of(name) + " has no " + place));
  }

  private IllegalArgumentException noValue(String value) {
    return new IllegalArgumentException(
        "pool " + Quoted.of(name) + " has no value " + Quoted.of(value));
  }

  /**
   * Asks about a value at its place, and again at its present place if the block was removed, and
   * perhaps added again, since the pool was read. Empty if there is no row.
   */
  <T> Optional<T> ask(String value, Function<Place, List<T>> question) {
    Optional<Place> place = placeOf(value);
    if (place.isEmpty()) {
      return Optional.empty();
    }
    List<T> rows = question.apply(place.get());
    if (rows.isEmpty() && versionOf(place.get()).isEmpty()) {
      rows = reload().layout().placeOf(value).map(question).orElse(List.of());
    }
    return rows.stream().findFirst();
  }

  /** Returns the version of a value's block, or empty if the block was removed. */
  Optional<Long> versionOf(Place place) {
    return prompt
        .query(LOAD_VERSION, row -> row.getLong("version"), bind("block_id", place.block()))
        .stream()
        .findFirst();
  }

  /** Returns the claim of a value, if the value is held. */
  Optional<Claim> find(String value) {
    return ask(
            value,
            place ->
                prompt.query(
                    FIND_CLAIM,
                    ClaimRow::read,
                    poolId(),
                    bind("block_id", place.block()),
                    bind("place", place.place())))
        .map(this::toClaim);
  }

  /** The result of a claim that the gate as last read does not let in. */
  Optional<ClaimResult> notOpen(ClaimRequest request) {
    PoolGate gate = stored.gate();
    String owner = request.owner().orElseGet(request::client);
    return gate.admits(name, owner)
        ? Optional.empty()
        : Optional.of(new ClaimResult.NotOpen(name, owner));
  }

  /** The result of a claim with which its client would hold more values than the pool allows. */
  ClaimResult.QuotaReached full(String client) {
    return new ClaimResult.QuotaReached(name, ClaimResult.Quota.CLIENT, client, spec().perClient());
  }

  /** The result of a claim while the source of the pool does not answer and its blocks end. */
  ClaimResult.CutOff cutOff() {
    lacking.run();
    var unused = freshSpec();
    StoredPool pool = stored;
    return new ClaimResult.CutOff(
        name,
        pool.spec().source().map(PoolSpec.Source::pool).orElse(""),
        pool.askedAt(),
        ClaimResult.CutOff.RETRY_AFTER);
  }

  /** No value is free: a pool with a source may get another block. */
  void lacksValues() {
    if (mayBeSupplied()) {
      lacking.run();
    }
  }

  private boolean mayBeSupplied() {
    return spec().source().filter(source -> source.keepFree() > 0).isPresent();
  }

  /**
   * When the next value may become free.
   *
   * @param due when one of the pool's own does; null: it is not known
   */
  @Nullable Instant dueOrSupplied(@Nullable Instant due, Instant at) {
    Instant supplied = at.plus(SUPPLIED_WITHIN);
    return mayBeSupplied() && (due == null || due.isAfter(supplied)) ? supplied : due;
  }

  /** The result of a claim that waited in vain for rows that other sessions have locked. */
  ClaimResult.Contended contended(ClaimRequest request) {
    return new ClaimResult.Contended(
        name,
        spec().perOwner().isPresent() ? request.owner() : Optional.empty(),
        Claimer.PATIENCE,
        ClaimResult.Contended.RETRY_AFTER);
  }

  /** Adds the value to a row. May read the pool again, so it must not run in a transaction. */
  Claim toClaim(ClaimRow row) {
    String value = valueAt(row.place());
    return new Claim(
        name,
        value,
        row.client(),
        row.slot(),
        row.owner(),
        row.token(),
        row.claimedAt(),
        row.expiresAt(),
        row.previousEnd(),
        ipv6For(row.client(), value));
  }

  /** Empty too if the client cannot be embedded: it claimed before the pool embedded clients. */
  private Optional<String> ipv6For(String client, String value) {
    Optional<Ipv6Embedding> embedding = stored.spec().ipv6();
    try {
      return embedding.map(ipv6 -> ipv6.addressFor(client, value));
    } catch (IllegalArgumentException e) {
      return Optional.empty();
    }
  }

  @Override
  public String toString() {
    return "pool " + Quoted.of(name);
  }
}
