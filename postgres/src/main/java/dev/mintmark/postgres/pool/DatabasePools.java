package dev.mintmark.postgres.pool;

import static dev.mintmark.postgres.internal.Transactions.Bind.bind;

import dev.mintmark.DurationText;
import dev.mintmark.PoolSpec;
import dev.mintmark.Quoted;
import dev.mintmark.postgres.internal.SqlFile;
import dev.mintmark.postgres.internal.Transactions.Bind;
import dev.mintmark.postgres.internal.Transactions.Statements;
import dev.mintmark.postgres.internal.Transactions.Work;
import dev.mintmark.postgres.pool.PoolStore.StoredPool;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** The pools of one database. */
final class DatabasePools extends Pools {
  private static final SqlFile DELETE_POOL = SqlFile.load(DatabasePools.class, "delete_pool");
  private static final SqlFile DELETE_VALUES = SqlFile.load(DatabasePools.class, "delete_values");
  private static final SqlFile LIST_POOLS = SqlFile.load(DatabasePools.class, "list_pools");
  private static final SqlFile TAKE_TURN = SqlFile.load(DatabasePools.class, "take_turn");
  private static final SqlFile COUNT_HELD = SqlFile.load(DatabasePools.class, "count_held");
  private static final SqlFile TAKE_UNHELD = SqlFile.load(DatabasePools.class, "take_unheld");
  private static final SqlFile NOTIFY = SqlFile.load(DatabasePools.class, "notify");
  private static final SqlFile DELETE_ARRIVING =
      SqlFile.load(DatabasePools.class, "delete_arriving");
  private static final SqlFile DELETE_DEPARTURES =
      SqlFile.load(DatabasePools.class, "delete_departures");

  /** How many values of a new pool are issued at once; the others are issued when needed. */
  private static final int ISSUED_AT_FIRST = BlockIssue.CHUNK;

  /** How long the deletion of a pool waits for a claim in progress. */
  private static final Duration DELETE_PATIENCE = Duration.ofSeconds(5);

  private final PoolDatabase database;
  private final PoolSweep sweepOfAll;
  private final PoolChanges changes;
  private final PoolSupply supply;
  private final UsageLog usageLog;
  private final Fence fence;
  private final PoolSettlements settlements;
  private final ClaimThreads threads = new ClaimThreads();
  private final PoolNotices notices =
      new PoolNotices(poolId -> send(Integer.toString(poolId)), threads);
  private final Map<String, Pool> open = new ConcurrentHashMap<>();

  /** Where the sources of pools are: these pools, or those of several databases. */
  private volatile Pools all = this;

  /** Whether the database supports notifications; some that speak the protocol do not. */
  private volatile boolean notifies = true;

  private volatile @Nullable PoolListener listener;

  private volatile Failover.@Nullable Listener failoverListener;
  private volatile @Nullable ClaimListener claimListener;

  DatabasePools(PoolDatabase database) {
    this.database = database;
    this.sweepOfAll = PoolSweep.ofAll(database, this::wakeOthers);
    this.changes = new PoolChanges(this);
    this.supply = new PoolSupply(this);
    this.usageLog = new UsageLog(database);
    this.fence = new Fence(database, this::failedOver);
    this.settlements = new PoolSettlements(database, fence, this::wakeOthers, this::settled);
  }

  @Override
  public synchronized void listenThrough(DataSource dataSource) {
    if (listener != null) {
      throw new IllegalStateException("the pools listen already");
    }
    listener = new PoolListener(dataSource, this::wake, this::send);
  }

  @Override
  public void reportFailovers(Failover.Listener listener) {
    failoverListener = listener;
  }

  @Override
  public void reportClaims(ClaimListener listener) {
    claimListener = listener;
  }

  @Override
  public boolean reportsClaims() {
    return claimListener != null;
  }

  @Nullable ClaimListener claimListener() {
    return claimListener;
  }

  @Override
  public boolean watchesTimeline() {
    var unused = fence.check();
    return fence.watchesTimeline();
  }

  @Override
  public boolean isListening() {
    PoolListener listening = listener;
    return listening != null && listening.isHearing();
  }

  @Override
  public boolean create(PoolSpec spec) {
    return create(spec, () -> {});
  }

  /**
   * As {@link #create(PoolSpec)}.
   *
   * @param confirm is run after the pool was created, and before it gets values
   */
  boolean create(PoolSpec spec, Runnable confirm) {
    checkDatabase(spec);
    supply.check(spec, Optional.empty());
    checkHistory();
    boolean created = inTransaction(spec.name(), statements -> PoolStore.create(statements, spec));
    if (created) {
      confirm.run();
      issueFirst(spec.name());
    }
    return created;
  }

  @Override
  public Declared declare(PoolSpec spec) {
    checkDatabase(spec);
    return declareHere(spec, () -> {});
  }

  /**
   * As {@link #declare}, whichever database the pool names: it may have been moved.
   *
   * @param confirm as for {@link #create(PoolSpec, Runnable)}
   */
  Declared declareHere(PoolSpec spec, Runnable confirm) {
    return declare(
        spec,
        confirm,
        statements ->
            PoolStore.create(statements, spec)
                ? Optional.of(new Declared(true, List.of(), List.of(), List.of(), List.of()))
                : PoolStore.converge(statements, spec));
  }

  /**
   * Makes a pool as declared that this database has.
   *
   * @throws PoolMovedException if it was moved meanwhile
   * @throws UnknownPoolException if it was deleted
   */
  Declared converge(PoolSpec spec) {
    return declare(spec, () -> {}, statements -> PoolStore.converge(statements, spec));
  }

  private Declared declare(PoolSpec spec, Runnable confirm, Work<Optional<Declared>> declaration) {
    supply.checkDeclared(spec);
    checkHistory();
    Declared declared =
        inTransaction(spec.name(), declaration).orElseThrow(() -> missing(spec.name()));
    if (declared.created()) {
      confirm.run();
    }
    if (declared.created() || !declared.added().isEmpty()) {
      issueFirst(spec.name());
    }
    if (!declared.created() && !spec.exclude().isEmpty()) {
      changes.settleExclusions(open(spec.name()));
    }
    Optional.ofNullable(open.get(spec.name())).ifPresent(this::changed);
    return declared;
  }

  @Override
  public boolean delete(String name) {
    Optional<Integer> deleted =
        inTransaction(
            name,
            statements -> {
              Optional<Integer> id = PoolStore.lock(statements, name);
              if (id.isPresent()) {
                statements.update(DELETE_POOL, bind("pool_id", id.get()));
              }
              return id;
            });
    deleted.ifPresent(id -> deleteValues(name, id));
    open.remove(name);
    return deleted.isPresent();
  }

  @Override
  public long deleteUnlessHeld(String name) {
    Pool pool = open(name);
    pool.context().sweep().run();
    List<ManyClaims.Named> used = PoolSupply.used(pool);
    AtomicLong held = new AtomicLong();
    Optional<Boolean> deleted =
        pool.context()
            .ifKnown(
                () ->
                    database
                        .forPool(name)
                        .transaction(
                            DELETE_PATIENCE,
                            statements -> {
                              held.set(takeUnheld(pool, statements));
                              return held.get() == 0
                                  && statements.update(DELETE_POOL, pool.context().poolId()) == 1;
                            },
                            done -> done));
    if (deleted.isEmpty()) {
      throw new PoolUnavailableException(
          "pool %s: claims in progress did not end within %s"
              .formatted(Quoted.of(name), DurationText.format(DELETE_PATIENCE)));
    }
    if (deleted.get()) {
      deleteValues(name, pool.id());
      open.remove(name);
      supply.release(pool, used);
    }
    return held.get();
  }

  /** Returns how many values are held; if none, no claim is granted in this transaction's time. */
  private static long takeUnheld(Pool pool, Statements statements) throws SQLException {
    pool.context().lock(statements);
    Bind id = pool.context().poolId();
    long held = statements.query(COUNT_HELD, row -> row.getLong("held"), id).get(0);
    if (held > 0) {
      return held;
    }
    PoolStore.lockBlocks(statements, pool.id());
    while (true) {
      Unheld run =
          statements
              .query(TAKE_UNHELD, row -> new Unheld(row.getLong("seen"), row.getLong("held")), id)
              .get(0);
      if (run.held > 0 || run.seen == 0) {
        return run.held;
      }
    }
  }

  private record Unheld(long seen, long held) {}

  private void deleteValues(String name, int id) {
    PoolDatabase.untilNothingIsFound(
        () ->
            database
                .forPool(name)
                .query(DELETE_VALUES, row -> row.getLong("deleted"), bind("pool_id", id))
                .get(0));
  }

  @Override
  public List<String> names() {
    return names(false);
  }

  /** Copies that have not arrived, as far as this database knows. */
  List<String> arriving() {
    return names(true);
  }

  private List<String> names(boolean arriving) {
    return database.query(LIST_POOLS, row -> row.getString("name"), bind("arriving", arriving));
  }

  @Override
  public List<String> databases() {
    return database.name().map(List::of).orElse(List.of());
  }

  @Override
  public List<String> unreachable() {
    try {
      List<String> unused = names();
      return List.of();
    } catch (PoolUnavailableException e) {
      return databases();
    }
  }

  @Override
  public Pool open(String name) {
    Pool known = open.get(name);
    if (known != null) {
      return known;
    }
    PoolDatabase ofPool = database.forPool(name);
    StoredPool stored =
        PoolStore.load(ofPool, name, Optional.empty()).orElseThrow(() -> missing(name));
    PoolSweep sweep = PoolSweep.ofOne(ofPool, stored.id(), this::wakeOthers);
    PoolContext context =
        new PoolContext(
            stored,
            ofPool,
            sweep,
            fence,
            new PoolSettlement(name, ofPool, stored.id(), sweep, this::settled),
            () -> forget(name, stored.id()),
            supply::expect);
    Pool opened = new Pool(this, context, threads);
    opened.warmUp();
    Pool other = open.putIfAbsent(name, opened);
    return other == null ? opened : other;
  }

  private RuntimeException missing(String name) {
    Optional<String> moved = PoolStandings.movedSince(database, name);
    if (moved.isPresent() && moved.equals(database.name())) {
      return new PoolUnavailableException(
          "pool %s arrives from another database at present: try again in a second"
              .formatted(Quoted.of(name)));
    }
    return moved.isPresent()
        ? new PoolMovedException(name, moved.get())
        : new UnknownPoolException(name, names());
  }

  /** Forgets where a pool was moved to from here. Returns false if it was not moved. */
  boolean forgetDepartures(String name) {
    return database.single(statements -> statements.update(DELETE_DEPARTURES, bind("name", name)))
        > 0;
  }

  /**
   * Deletes the copy of a pool of this database that a move has left in another one, which has read
   * of it before: while the row of the pool is locked here, no program moves the pool, so that move
   * is over, and the pool has not departed with it. A program that is stopped meanwhile, and loses
   * the lock, deletes this copy and none of a later move.
   *
   * @throws PoolUnavailableException if a database failed, or the pool is moved at present
   */
  void deleteCopy(String name, int poolId, DatabasePools to, String moveId) {
    List<Integer> deleted =
        PoolDatabase.unlessLocked(
                () ->
                    database
                        .forPool(name)
                        .withLockLimit(Claimer.PATIENCE)
                        .transactionWithoutRepeat(
                            source ->
                                PoolStore.lock(source, name).filter(id -> id == poolId).isPresent()
                                    ? to.deleteCopy(moveId)
                                    : List.<Integer>of(),
                            done -> true))
            .orElseThrow(
                () ->
                    new PoolUnavailableException(
                        "pool %s is moved to another database at present: try again in a second"
                            .formatted(Quoted.of(name))));
    to.deleteValues(name, deleted);
  }

  /** Deletes the copy that a move has left here, unless it has arrived. Its values are left. */
  List<Integer> deleteCopy(String moveId) {
    return database.query(DELETE_ARRIVING, row -> row.getInt("pool_id"), bind("move_id", moveId));
  }

  /** Deletes the values of pools that were deleted. */
  void deleteValues(String name, List<Integer> ids) {
    ids.forEach(id -> deleteValues(name, id));
  }

  /** The pool has left this database: who waits for its values asks again. */
  void departed(String name, int poolId) {
    forget(name, poolId);
    wakeOthers(poolId);
  }

  /** A pool that was opened here; null if it was not, or has gone since. */
  @Nullable Pool opened(String name) {
    return open.get(name);
  }

  @Override
  public Optional<Pool> exhausted(String name) {
    return Optional.ofNullable(open.get(name)).filter(Pool::isKnownToBeEmpty);
  }

  @Override
  public long sweep() {
    settlements.run();
    PoolStandings.endDepartures(database, null);
    long freed = sweepOfAll.run();
    sweepOfAll.withdraw();
    sweepOfAll.pruneIfDue();
    usageLog.recordIfDue();
    return freed;
  }

  /**
   * As {@link #sweep}, unless another instance has swept within a time: so a database with many
   * instances is swept as often as one with a few. A failover of the database is found in any case.
   *
   * @return how many values became free; empty if it was not the turn of this instance
   */
  OptionalLong sweepInTurn(Duration within) {
    boolean isTurn =
        database.single(
                statements -> statements.update(TAKE_TURN, bind("millis", within.toMillis())))
            > 0;
    if (isTurn) {
      supply.expect();
      return OptionalLong.of(sweep());
    }
    settlements.run();
    return OptionalLong.empty();
  }

  @Override
  public void supply() {
    supply.run();
  }

  /**
   * As {@link #supply()}, if it is the turn of this instance, or a pool lacks values here.
   *
   * @return whether it was
   */
  boolean supplyInTurn() {
    return supply.runIfExpected();
  }

  /** The pools of several databases, which these are a part of; otherwise these. */
  Pools all() {
    return all;
  }

  /** These are a part of the pools of several databases. */
  void becomePartOf(Pools all) {
    this.all = all;
  }

  @Override
  public long prune(String name, Instant before) {
    PoolSweep sweep = open(name).context().sweep();
    long pruned = sweep.prune(before);
    sweep.pruneNotes();
    return pruned;
  }

  @Override
  public long statements() {
    return database.statements();
  }

  @Override
  public void close() {
    PoolListener listening = listener;
    if (listening != null) {
      listening.close();
    }
    notices.flush();
    threads.close();
  }

  @Override
  List<DatabasePools> parts() {
    return List.of(this);
  }

  /** The database, for the statements of all pools. */
  PoolDatabase database() {
    return database;
  }

  /** Changes of one pool. */
  PoolChanges changes() {
    return changes;
  }

  /** What pools get from their sources. */
  PoolSupply supplies() {
    return supply;
  }

  /** This instance has changed the values that a pool hands out. */
  void changed(Pool pool) {
    pool.context().reload();
    pool.wake();
    wakeOthers(pool.id());
  }

  /** Issues some values of a pool, so that the first claims do not have to. */
  void issueFirst(String name) {
    boolean unused = open(name).draw(ISSUED_AT_FIRST);
  }

  /** Notifies other instances that a pool has free values again. */
  void wakeOthers(int poolId) {
    notices.send(poolId);
  }

  private void send(String payload) {
    if (notifies) {
      try {
        List<String> unused = database.query(NOTIFY, row -> "", bind("payload", payload));
      } catch (PoolUnavailableException e) {
        // Other instances ask again after REMEMBERED_FOR.
        notifies = !PoolDatabase.isUnsupported(e);
      }
    }
  }

  private void wake(int poolId) {
    open.values().stream().filter(pool -> pool.id() == poolId).forEach(Pool::wake);
  }

  private void checkDatabase(PoolSpec spec) {
    Optional<String> other = spec.database().filter(named -> !databases().contains(named));
    if (other.isPresent()) {
      throw new IllegalArgumentException(
          "pool %s is declared in the database %s, and these are the pools of %s"
              .formatted(
                  Quoted.of(spec.name()),
                  Quoted.of(other.get()),
                  database.name().map(Quoted::of).orElse("a database without a name")));
    }
  }

  /** A pool that is created now belongs to the present history, not to the one before. */
  private void checkHistory() {
    var unused = fence.check();
  }

  private void failedOver(Failover failover) {
    settlements.expect();
    open.values().forEach(Pool::forgetHolders);
    if (database.name().isPresent()) {
      // A pool that was moved away may be here again: who opens one asks the other databases too.
      open.clear();
    }
    Failover.Listener told = failoverListener;
    if (told != null) {
      told.failedOver(failover);
    }
  }

  private void settled(Failover.Settled settled) {
    Optional.ofNullable(open.get(settled.pool())).ifPresent(pool -> pool.context().reload());
    Failover.Listener told = failoverListener;
    if (told != null) {
      told.settled(settled);
    }
  }

  /** Grants of a slice of this instance were answered and are not recorded. */
  void dropped(String pool, long grants) {
    Failover.Listener told = failoverListener;
    if (told != null) {
      told.dropped(new Failover.Dropped(pool, grants));
    }
  }

  /** Forgets a pool that is gone, or may be: it is read again when it is opened next. */
  void forget(String name, int id) {
    open.computeIfPresent(name, (same, pool) -> pool.id() == id ? null : pool);
  }

  private <T> T inTransaction(String pool, Work<T> work) {
    return database.forPool(pool).transactionWithoutRepeat(work, result -> true);
  }
}
