package dev.mintmark.postgres.pool;

import static dev.mintmark.postgres.internal.Transactions.Bind.bind;

import dev.mintmark.Block;
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

/**
 * The pools of a database: created, declared, opened for claiming, swept.
 *
 * <p>The tables come from the migrations at {@link #MIGRATIONS}, run by the migration tool of the
 * program's choice, or by {@link #migrate}. The data source should time out if the database does
 * not answer (the driver's {@code socketTimeout}): claims wait for it. Safe for use by many
 * threads. After {@link #close}, claims in progress finish and new claims fail; the data source
 * stays open.
 *
 * <p>An instance that found a pool empty asks again after {@link Pool#REMEMBERED_FOR}. An instance
 * that {@linkplain #listenThrough listens} sees a release within milliseconds.
 */
public final class Pools implements AutoCloseable {
  /** Where the migrations that create the tables of pools are, on the class path (for Flyway). */
  public static final String MIGRATIONS = "dev/mintmark/postgres/pool/schema";

  private static final SqlFile DELETE_POOL = SqlFile.load(Pools.class, "delete_pool");
  private static final SqlFile DELETE_VALUES = SqlFile.load(Pools.class, "delete_values");
  private static final SqlFile LIST_POOLS = SqlFile.load(Pools.class, "list_pools");
  private static final SqlFile TAKE_TURN = SqlFile.load(Pools.class, "take_turn");
  private static final SqlFile COUNT_HELD = SqlFile.load(Pools.class, "count_held");
  private static final SqlFile TAKE_UNHELD = SqlFile.load(Pools.class, "take_unheld");
  private static final SqlFile NOTIFY = SqlFile.load(Pools.class, "notify");

  /** How many values of a new pool are issued at once; the others are issued when needed. */
  private static final int ISSUED_AT_FIRST = BlockDraw.CHUNK;

  /** How long the deletion of a pool waits for a claim in progress. */
  private static final Duration DELETE_PATIENCE = Duration.ofSeconds(5);

  private final PoolDatabase database;
  private final PoolSweep sweepOfAll;
  private final PoolChanges changes;
  private final UsageLog usageLog;
  private final Fence fence;
  private final PoolSettlements settlements;
  private final ClaimThreads threads = new ClaimThreads();
  private final PoolNotices notices =
      new PoolNotices(poolId -> send(Integer.toString(poolId)), threads);
  private final Map<String, Pool> open = new ConcurrentHashMap<>();

  /** Whether the database supports notifications; some that speak the protocol do not. */
  private volatile boolean notifies = true;

  private volatile @Nullable PoolListener listener;

  private volatile Failover.@Nullable Listener failoverListener;
  private volatile @Nullable ClaimListener claimListener;

  private Pools(PoolDatabase database) {
    this.database = database;
    this.sweepOfAll = PoolSweep.ofAll(database, this::wakeOthers);
    this.changes = new PoolChanges(this, database);
    this.usageLog = new UsageLog(database);
    this.fence = new Fence(database, this::failedOver);
    this.settlements = new PoolSettlements(database, fence, this::wakeOthers, this::settled);
  }

  /**
   * The result of {@link #declare}.
   *
   * @param created whether the pool is new
   * @param added the blocks that were added to an existing pool; of a list, the added values
   * @param undeclared the blocks of the pool that are not declared; they stay
   * @param excluded the declared exclusions that the pool did not have: their values are not
   *     granted any more; {@link ClaimFilter#EXCLUDED} finds those that are held
   * @param undeclaredExclusions what the pool excludes although it is not declared; it stays
   *     excluded
   */
  public record Declared(
      boolean created,
      List<Block> added,
      List<Block> undeclared,
      List<Block> excluded,
      List<Block> undeclaredExclusions) {}

  /**
   * Creates or upgrades the tables of pools without a migration tool, in one transaction. Several
   * instances may do so at the same time. Tables that another tool created are left to it.
   *
   * @param dataSource of a role that owns the schema {@code mintmark}, or may create it
   * @return how many migrations were run; 0 if the tables are up to date
   * @throws IllegalStateException if another tool created the tables and has not upgraded them
   * @throws SQLException if the database failed; then nothing has changed
   */
  public static int migrate(DataSource dataSource) throws SQLException {
    return PoolSchema.migrate(dataSource);
  }

  /**
   * Declares that the database was restored from a copy, before any instance uses it. What a pool
   * grants from now on has greater tokens than anything that was granted before. Without claims of
   * later than the copy, the pools go on. Otherwise the database went back: at the next {@link
   * #sweep} or claim each pool does what its {@link PoolSpec#afterFailover} says, and none trusts.
   *
   * @param complete whether nothing was claimed, renewed or released since the copy was made
   * @throws PoolUnavailableException if the database failed
   */
  public static void restored(DataSource dataSource, boolean complete) {
    Fence.restored(PoolDatabase.of(dataSource), complete);
  }

  /** The pools of the database of {@code dataSource}. */
  public static Pools over(DataSource dataSource) {
    return new Pools(PoolDatabase.of(dataSource));
  }

  /**
   * Listens ({@code LISTEN}) for notifications of other instances that a pool has free values
   * again. Keeps one connection open, which must go directly to the server: through a pooler in
   * transaction mode no notification arrives.
   *
   * @throws IllegalStateException if the pools listen already
   */
  public synchronized void listenThrough(DataSource dataSource) {
    if (listener != null) {
      throw new IllegalStateException("the pools listen already");
    }
    listener = new PoolListener(dataSource, this::wake, this::send);
  }

  /**
   * Reports failovers of the database, and what was done with each pool.
   *
   * @param listener takes the place of the listener before
   */
  public void reportFailovers(Failover.Listener listener) {
    failoverListener = listener;
  }

  /** Reports each claim to a listener, which takes the place of the one before. */
  public void reportClaims(ClaimListener listener) {
    claimListener = listener;
  }

  @Nullable ClaimListener claimListener() {
    return claimListener;
  }

  /**
   * Whether the database says on which timeline it is. If not, as with some relatives of PostgreSQL
   * and for roles without the right to ask, only fencing tokens show that the database went back:
   * not every failover is found.
   *
   * @throws PoolUnavailableException if the database failed
   */
  public boolean watchesTimeline() {
    var unused = fence.check();
    return fence.watchesTimeline();
  }

  /** Whether it listens, and has received a notification of its own on that connection. */
  public boolean isListening() {
    PoolListener listening = listener;
    return listening != null && listening.isHearing();
  }

  /**
   * Creates a pool. All its values are free. The time does not depend on their number.
   *
   * @return false if a pool of that name exists: it is not changed
   * @throws PoolUnavailableException if the database failed
   */
  public boolean create(PoolSpec spec) {
    checkHistory();
    boolean created = inTransaction(spec.name(), statements -> PoolStore.create(statements, spec));
    if (created) {
      issueFirst(spec.name());
    }
    return created;
  }

  /**
   * Makes a pool as declared, without removing anything: creates it, changes its settings, and adds
   * blocks, values of lists and exclusions. It never removes a block, and never ends an exclusion.
   * A value that is excluded now and held stays held until it is released.
   *
   * @throws IllegalArgumentException if the new and the existing blocks cannot be in one pool: they
   *     overlap, are of different families, or are too many; or if there are too many exclusions
   * @throws PoolUnavailableException if the database failed
   */
  public Declared declare(PoolSpec spec) {
    checkHistory();
    Declared declared =
        inTransaction(
            spec.name(),
            statements ->
                PoolStore.create(statements, spec)
                    ? new Declared(true, List.of(), List.of(), List.of(), List.of())
                    : PoolStore.converge(statements, spec));
    if (declared.created || !declared.added.isEmpty()) {
      issueFirst(spec.name());
    }
    if (!declared.created && !spec.exclude().isEmpty()) {
      changes.settleExclusions(open(spec.name()));
    }
    Optional.ofNullable(open.get(spec.name())).ifPresent(this::changed);
    return declared;
  }

  /**
   * Deletes a pool with its claims. Another instance that has it open notices at its next claim or
   * count.
   *
   * @return false if there is no such pool
   */
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

  /**
   * Deletes a pool of which no value is held. A claim that is granted meanwhile, by any instance,
   * either prevents it or fails: no claim that was acknowledged is deleted.
   *
   * @return how many values are held; 0 if the pool was deleted
   * @throws UnknownPoolException if the database has no such pool
   * @throws PoolUnavailableException if the database failed, or claims in progress did not end
   *     within seconds
   */
  public long deleteUnlessHeld(String name) {
    Pool pool = open(name);
    pool.context().sweep().run();
    AtomicLong held = new AtomicLong();
    Optional<Boolean> deleted =
        database
            .forPool(name)
            .transaction(
                DELETE_PATIENCE,
                statements -> {
                  held.set(takeUnheld(pool, statements));
                  return held.get() == 0
                      && statements.update(DELETE_POOL, pool.context().poolId()) == 1;
                },
                done -> done);
    if (deleted.isEmpty()) {
      throw new PoolUnavailableException(
          "pool %s: claims in progress did not end within %s"
              .formatted(Quoted.of(name), DurationText.format(DELETE_PATIENCE)));
    }
    if (deleted.get()) {
      deleteValues(name, pool.id());
      open.remove(name);
    }
    return held.get();
  }

  /** Returns how many values are held; if none, no claim is granted in this transaction's time. */
  private static long takeUnheld(Pool pool, Statements statements) throws SQLException {
    if (PoolStore.lock(statements, pool.name()).filter(id -> id == pool.id()).isEmpty()) {
      throw pool.context().unknown();
    }
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

  /** The names of all pools of the database, in ascending order. */
  public List<String> names() {
    return database.query(LIST_POOLS, row -> row.getString("name"));
  }

  /**
   * Opens a pool. Returns the same object for the same name.
   *
   * @throws UnknownPoolException if the database has no pool of that name
   * @throws PoolUnavailableException if the database failed
   */
  public Pool open(String name) {
    Pool known = open.get(name);
    if (known != null) {
      return known;
    }
    PoolDatabase ofPool = database.forPool(name);
    StoredPool stored =
        PoolStore.load(ofPool, name, Optional.empty())
            .orElseThrow(() -> new UnknownPoolException(name, names()));
    PoolSweep sweep = PoolSweep.ofOne(ofPool, stored.id(), this::wakeOthers);
    PoolContext context =
        new PoolContext(
            stored,
            ofPool,
            sweep,
            fence,
            new PoolSettlement(name, ofPool, stored.id(), sweep, this::settled),
            () -> forget(name, stored.id()));
    Pool opened = new Pool(this, context, threads);
    opened.warmUp();
    Pool other = open.putIfAbsent(name, opened);
    return other == null ? opened : other;
  }

  /**
   * Returns a pool that was opened here and is remembered as exhausted: {@link Pool#rejection} may
   * refuse claims from it. Empty for any other.
   */
  public Optional<Pool> exhausted(String name) {
    return Optional.ofNullable(open.get(name)).filter(Pool::isKnownToBeEmpty);
  }

  /**
   * Sweeps all pools: ends claims whose lease has ended, frees values whose quarantine has ended,
   * and withdraws free values of drained blocks and excluded ones. Once a minute it deletes claims
   * that are older than the history of their pool, and records how full each pool is ({@link
   * PoolSurvey#usage}). Any number of instances may sweep. A claim on a pool without free values
   * sweeps that pool; a sweep once a second ({@link PoolSweeper}) keeps counts and lists up to
   * date. A sweep also finds a failover of the database, and settles each pool as its {@link
   * PoolSpec#afterFailover} says, so that pools rest although nobody claims.
   *
   * @return how many values became free
   */
  public long sweep() {
    settlements.run();
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
      return OptionalLong.of(sweep());
    }
    settlements.run();
    return OptionalLong.empty();
  }

  /**
   * Deletes the claims of a pool that ended before a time from its history.
   *
   * @return how many were deleted
   * @throws UnknownPoolException if the database has no such pool
   */
  public long prune(String name, Instant before) {
    PoolSweep sweep = open(name).context().sweep();
    long pruned = sweep.prune(before);
    sweep.pruneNotes();
    return pruned;
  }

  /** How many statements this instance has sent to the database so far. */
  public long statements() {
    return database.statements();
  }

  /** Rejects new claims and stops listening. Claims in progress finish. */
  @Override
  public void close() {
    PoolListener listening = listener;
    if (listening != null) {
      listening.close();
    }
    notices.flush();
    threads.close();
  }

  /** Changes of one pool. */
  PoolChanges changes() {
    return changes;
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

  /** A pool that is created now belongs to the present history, not to the one before. */
  private void checkHistory() {
    var unused = fence.check();
  }

  private void failedOver(Failover failover) {
    settlements.expect();
    open.values().forEach(Pool::forgetHolders);
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

  /** Forgets a pool that was deleted: it is read again when it is opened next. */
  private void forget(String name, int id) {
    open.computeIfPresent(name, (same, pool) -> pool.id() == id ? null : pool);
  }

  private <T> T inTransaction(String pool, Work<T> work) {
    return database.forPool(pool).transactionWithoutRepeat(work, result -> true);
  }
}
