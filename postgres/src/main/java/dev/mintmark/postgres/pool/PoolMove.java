package dev.mintmark.postgres.pool;

import static dev.mintmark.postgres.internal.Transactions.Bind.bind;

import dev.mintmark.DurationText;
import dev.mintmark.Experimental;
import dev.mintmark.Quoted;
import dev.mintmark.postgres.internal.LockTimeout;
import dev.mintmark.postgres.internal.SqlFile;
import dev.mintmark.postgres.internal.Transactions.Bind;
import dev.mintmark.postgres.internal.Transactions.Statements;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/**
 * Moves a pool to another database while clients use it, with its claims, their tokens, its
 * history, quarantine, notes and settings.
 *
 * <pre>
 *   database that it leaves                     database that it goes to
 *   1  nothing is granted any more
 *   2  its rows are locked  ----- copied ---->  3  a copy, which nobody uses
 *   4  one transaction: the pool is deleted,
 *      and where it went is written down
 *                                               5  the copy is the pool
 * </pre>
 *
 * <p>From 1 to 5 a claim fails with {@link PoolUnavailableException} and is to be repeated; over
 * HTTP that is 503 with {@code Retry-After}. A renewal or a release waits from 2 on, and then fails
 * in the same way. No claim is lost and no value is in two pools, whatever is killed: up to 4 the
 * pool is in the old database, and an instance that has both databases does 5 if nobody else has.
 * If a move was interrupted, moving again goes on with it.
 *
 * <p>No lease ends because of a move: one that ends during the move, or within the time that the
 * move took, has as much time left after the move as before it, but at most as long as the move
 * took. Later, leases end by the clock of the new server. Each instance must know both databases
 * ({@link Pools#across}). An object {@link Pool} that was opened before reports {@link
 * PoolMovedException}: open it again.
 *
 * <p>The roles of both data sources must own the tables of pools, or have all rights on them.
 */
@Experimental
public final class PoolMove {
  private static final SqlFile BEGIN_DEPARTURE = SqlFile.load(PoolMove.class, "begin_departure");
  private static final SqlFile READERS_OUTSIDE = SqlFile.load(PoolMove.class, "readers_outside");
  private static final SqlFile LOCK_DEPARTING = SqlFile.load(PoolMove.class, "lock_departing");
  private static final SqlFile LOCK_VALUES = SqlFile.load(PoolMove.class, "lock_values");
  private static final SqlFile LOCK_NOTES = SqlFile.load(PoolMove.class, "lock_notes");
  private static final SqlFile MOVE_SIZE = SqlFile.load(PoolMove.class, "move_size");
  private static final SqlFile DELETE_VALUES = SqlFile.load(PoolMove.class, "delete_values");
  private static final SqlFile DEPART = SqlFile.load(PoolMove.class, "depart");

  /** How long a move waits for each claim in progress, such as one in a transaction of a caller. */
  private static final Duration PATIENCE = Duration.ofSeconds(5);

  /** How often a move begins that somebody else has ended. */
  private static final int BEGINNINGS_MAX = 5;

  /** How often the rows are locked: each time those are seen that the time before waited for. */
  private static final int LOCKINGS_MAX = 50;

  private final DatabasePools from;
  private final DatabasePools to;
  private final String pool;
  private final Progress progress;

  private PoolMove(DatabasePools from, DatabasePools to, String pool, Progress progress) {
    this.from = from;
    this.to = to;
    this.pool = pool;
    this.progress = progress;
  }

  /**
   * What was moved.
   *
   * @param from the database that the pool was in
   * @param to the database that it is in
   * @param moved false if it was there already: nothing was done
   * @param values held, resting and free values that had a row
   * @param past claims of the history
   * @param still for how long nothing was granted
   */
  public record Result(
      String from, String to, boolean moved, long values, long past, Duration still) {}

  /** Is told how far the copy is, in the thread that moves. */
  public interface Progress {
    /**
     * Rows were copied.
     *
     * @param rows how many up to now
     * @param expected how many there are: values and claims of the history
     */
    void copied(long rows, long expected);
  }

  /**
   * Moves a pool, or goes on with a move that was interrupted.
   *
   * @param pools of several databases
   * @param database to move it to
   * @throws IllegalArgumentException if these are the pools of one database, or it is not among
   *     them
   * @throws IllegalStateException if the pool cannot be moved: instances grant its values from
   *     slices, its blocks come from another pool, or a view outside of {@code mintmark} reads it;
   *     nothing has changed
   * @throws UnknownPoolException if there is no such pool
   * @throws PoolUnavailableException if a database failed, or claims in progress did not end within
   *     seconds: move again
   */
  public static Result move(Pools pools, String pool, String database, Progress progress) {
    if (!(pools instanceof ShardedPools sharded)) {
      throw new IllegalArgumentException(
          "pool %s: these are the pools of one database: expected Pools.across"
              .formatted(Quoted.of(pool)));
    }
    DatabasePools to = sharded.part(database);
    DatabasePools from = sharded.require(pool);
    if (from == to) {
      return new Result(database, database, false, 0, 0, Duration.ZERO);
    }
    return new PoolMove(from, to, pool, progress).run();
  }

  private Result run() {
    PoolContext context = opened();
    checkBlocks(context);
    checkReaders();
    deleteCopy(context);
    long began = System.nanoTime();
    for (int i = 0; i < BEGINNINGS_MAX; i++) {
      begin(context);
      Optional<Result> result;
      try {
        result = copyAndDepart(context.id(), began);
      } catch (RuntimeException e) {
        giveUp(context.id(), e);
        throw e;
      }
      if (result.isPresent()) {
        from.departed(pool, context.id());
        return result.get();
      }
      context.settle();
    }
    throw new PoolUnavailableException(
        "pool %s: its move was ended by another program: move it again".formatted(Quoted.of(pool)));
  }

  /** The pool as the database has it now: this program may know it from before an earlier move. */
  private PoolContext opened() {
    try {
      return settled();
    } catch (PoolMovedException e) {
      return settled();
    }
  }

  private PoolContext settled() {
    PoolContext context = from.open(pool).context();
    context.settle();
    return context;
  }

  private void checkBlocks(PoolContext context) {
    context
        .spec()
        .source()
        .ifPresent(
            source -> {
              throw new IllegalStateException(
                  "pool %s gets its blocks from pool %s, and stays in its database: create another one that does"
                      .formatted(Quoted.of(pool), Quoted.of(source.pool())));
            });
  }

  private void checkReaders() {
    List<String> readers =
        from.database().query(READERS_OUTSIDE, row -> row.getString("reader"), bind("name", pool));
    if (!readers.isEmpty()) {
      throw new IllegalStateException(
          "pool %s: %s reads it, and would be empty in the database that it leaves: drop it first"
              .formatted(Quoted.of(pool), String.join(", ", readers)));
    }
  }

  /**
   * Deletes what an interrupted move has left in the other database, which must answer: both before
   * claims have to wait.
   */
  private void deleteCopy(PoolContext context) {
    PoolStandings.copy(to.database(), pool)
        .ifPresent(copy -> from.deleteCopy(pool, context.id(), to, copy.moveId()));
  }

  private void begin(PoolContext context) {
    int begun =
        from.database()
            .forPool(pool)
            .single(statements -> statements.update(BEGIN_DEPARTURE, context.poolId()));
    if (begun == 0) {
      throw context.unknown();
    }
  }

  /**
   * Lets the pool grant again, unless it is not known whether it has departed: then a sweep does.
   */
  private void giveUp(int poolId, RuntimeException e) {
    from.forget(pool, poolId);
    try {
      PoolStandings.endDeparture(from.database().forPool(pool), poolId);
    } catch (RuntimeException failed) {
      e.addSuppressed(failed);
    }
  }

  /** Empty if the departure was ended meanwhile. */
  private Optional<Result> copyAndDepart(int poolId, long began) {
    String moveId = UUID.randomUUID().toString();
    Optional<Copied> copy =
        PoolDatabase.unlessLocked(
                () ->
                    from.database()
                        .forPool(pool)
                        .transactionWithoutRepeat(
                            source ->
                                LockTimeout.within(
                                    PATIENCE, source, locking -> depart(poolId, moveId, locking)),
                            copied -> copied.isPresent()))
            .orElseThrow(
                () ->
                    new PoolUnavailableException(
                        "pool %s: claims in progress did not end within %s: move it again"
                            .formatted(Quoted.of(pool), DurationText.format(PATIENCE))));
    return copy.map(
        done -> {
          PoolStandings.arrive(to.database().forPool(pool), done.poolId, moveId);
          Duration still = Duration.ofNanos(System.nanoTime() - began);
          return new Result(name(from), name(to), true, done.values, done.past, still);
        });
  }

  /**
   * What has arrived in the other database.
   *
   * @param poolId of the pool there
   */
  private record Copied(int poolId, long values, long past) {}

  private record Size(long past, long slices) {}

  private record Locked(long rows, long issued) {}

  private Optional<Copied> depart(int poolId, String moveId, Statements source)
      throws SQLException {
    Bind id = bind("pool_id", poolId);
    if (source.query(LOCK_DEPARTING, row -> row.getInt("pool_id"), id).isEmpty()) {
      return Optional.empty();
    }
    PoolStore.lockBlocks(source, poolId);
    Size size =
        source
            .query(MOVE_SIZE, row -> new Size(row.getLong("past"), row.getLong("slices")), id)
            .get(0);
    if (size.slices > 0) {
      throw new IllegalStateException(
          "pool %s: instances grant its values from slices: close them first"
              .formatted(Quoted.of(pool)));
    }
    source.query(LOCK_NOTES, row -> "", id);
    long values = lockValues(source, id);
    int arrived =
        to.database()
            .forPool(pool)
            .transactionWithoutRepeat(
                target ->
                    new PoolCopy(poolId, source, target, progress, values + size.past)
                        .make(pool, name(from), moveId),
                done -> true);
    source.update(
        DEPART, id, bind("name", pool), bind("move_id", moveId), bind("database", name(to)));
    PoolDatabase.untilNothingIsFound(
        () -> source.query(DELETE_VALUES, row -> row.getLong("deleted"), id).get(0));
    return Optional.of(new Copied(arrived, values, size.past));
  }

  private static String name(DatabasePools part) {
    return part.databases().get(0);
  }

  /** Returns how many values have a row; all of them are locked. */
  private long lockValues(Statements source, Bind id) throws SQLException {
    for (int i = 0; i < LOCKINGS_MAX; i++) {
      Locked locked =
          source
              .query(
                  LOCK_VALUES, row -> new Locked(row.getLong("locked"), row.getLong("issued")), id)
              .get(0);
      if (locked.rows == locked.issued) {
        return locked.rows;
      }
    }
    throw new PoolUnavailableException(
        "pool %s: claims in progress did not end: move it again".formatted(Quoted.of(pool)));
  }
}
