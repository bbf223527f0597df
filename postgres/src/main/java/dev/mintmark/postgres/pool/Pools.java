package dev.mintmark.postgres.pool;

import dev.mintmark.Block;
import dev.mintmark.Catalog;
import dev.mintmark.Experimental;
import dev.mintmark.PoolSpec;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import javax.sql.DataSource;

/**
 * The pools of a database, or of several: created, declared, opened for claiming, swept.
 *
 * <p>The tables come from the migrations at {@link #MIGRATIONS}, run by the migration tool of the
 * program's choice, or by {@link #migrate}. The data source should time out if the database does
 * not answer (the driver's {@code socketTimeout}): claims wait for it. Safe for use by many
 * threads. After {@link #close}, claims in progress finish and new claims fail; the data source
 * stays open.
 *
 * <p>An instance that found a pool empty asks again after {@link Pool#REMEMBERED_FOR}. An instance
 * that {@linkplain #listenThrough listens} sees a release within milliseconds.
 *
 * <p><b>Several databases.</b> A pool is in one database with all its values ({@link
 * PoolSpec#database}), and a program finds it by its name. A database that is down takes its own
 * pools with it and no others:
 *
 * <pre>{@code
 * Pools home = Pools.over("global", global);
 * Pools eu = Pools.over("eu", europe);
 * try (Pools pools = Pools.across(List.of(home, eu))) {
 *   pools.create(PoolSpec.of("workers", blocks).withDatabase(Optional.of("eu")));
 *   ClaimResult result = pools.open("workers").claim(ClaimRequest.of("billing-7"));
 * }
 * }</pre>
 */
public abstract sealed class Pools implements AutoCloseable permits DatabasePools, ShardedPools {
  /** Where the migrations that create the tables of pools are, on the class path (for Flyway). */
  public static final String MIGRATIONS = "dev/mintmark/postgres/pool/schema";

  /** The most databases that {@link #across} takes. */
  public static final int DATABASES_MAX = Catalog.DATABASES_MAX;

  Pools() {}

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
   * later than the copy, the pools go on; those that were not settled for an earlier failover are
   * settled for that. Otherwise the database went back: at the next {@link #sweep} or claim each
   * pool does what its {@link PoolSpec#afterFailover} says, and none trusts.
   *
   * @param complete whether nothing was claimed, renewed or released since the copy was made
   * @throws PoolUnavailableException if the database failed
   */
  public static void restored(DataSource dataSource, boolean complete) {
    Fence.restored(PoolDatabase.of(dataSource), complete);
  }

  /** The pools of the database of {@code dataSource}. */
  public static Pools over(DataSource dataSource) {
    return new DatabasePools(PoolDatabase.of(dataSource));
  }

  /**
   * The pools of one of several databases, for {@link #across}.
   *
   * @param database its name, as in {@link PoolSpec#database}, the same in all instances
   * @throws IllegalArgumentException if the name is malformed
   */
  @Experimental
  public static Pools over(String database, DataSource dataSource) {
    return new DatabasePools(PoolDatabase.named(database, dataSource));
  }

  /**
   * The pools of several databases as one set. No two of them may have a pool of the same name.
   *
   * <p>Pools are created in the first unless they {@linkplain PoolSpec#database name} another. The
   * first database has the directory of names, which prevents that two instances create a pool of
   * one name in two databases: while it does not answer, no pool is created or deleted, and all
   * others go on.
   *
   * @param databases each made by {@link #over(String, DataSource)}, 1 to {@value #DATABASES_MAX};
   *     they are closed with this. Each listens by itself, {@linkplain #listenThrough through a
   *     data source of its own}
   * @throws IllegalArgumentException if one has no name, two have the same name, or there are none
   *     or too many
   */
  @Experimental
  public static Pools across(List<Pools> databases) {
    return ShardedPools.of(databases);
  }

  /**
   * Listens ({@code LISTEN}) for notifications of other instances that a pool has free values
   * again. Keeps one connection open, which must go directly to the server: through a pooler in
   * transaction mode no notification arrives.
   *
   * @throws IllegalStateException if the pools listen already, or are those of several databases,
   *     each of which listens by itself
   */
  public abstract void listenThrough(DataSource dataSource);

  /**
   * Reports failovers of the database, and what was done with each pool.
   *
   * @param listener takes the place of the listener before
   */
  public abstract void reportFailovers(Failover.Listener listener);

  /** Reports each claim to a listener, which takes the place of the one before. */
  public abstract void reportClaims(ClaimListener listener);

  /** Whether claims are {@linkplain #reportClaims reported}; of several databases, of any. */
  public abstract boolean reportsClaims();

  /**
   * Whether the database says on which timeline it is, and each of several does. If not, as with
   * some relatives of PostgreSQL and for roles without the right to ask, only fencing tokens show
   * that the database went back: not every failover is found.
   *
   * @throws PoolUnavailableException if the database failed
   */
  public abstract boolean watchesTimeline();

  /**
   * Whether it listens, and has received a notification of its own on that connection; of several
   * databases, whether each does.
   */
  public abstract boolean isListening();

  /**
   * Creates a pool. All its values are free. The time does not depend on their number.
   *
   * @return false if a pool of that name exists, in whichever database: it is not changed
   * @throws IllegalArgumentException if it names a database that is not among these, or a
   *     {@linkplain PoolSpec#source source} that cannot supply it: one that is not among these, or
   *     grants single values, or whose lease is at most twice that of the pool, or whose quarantine
   *     is shorter than the lease and the quarantine of the pool
   * @throws PoolUnavailableException if the database failed, or a pool of that name was moved to a
   *     database that does not have it
   */
  public abstract boolean create(PoolSpec spec);

  /**
   * Makes a pool as declared, without removing anything: creates it, changes its settings, and adds
   * blocks, values of lists and exclusions. It never removes a block, and never ends an exclusion.
   * A value that is excluded now and held stays held until it is released. A pool that was moved
   * stays in its database, whichever is declared.
   *
   * @throws IllegalArgumentException if the new and the existing blocks cannot be in one pool: they
   *     overlap, are of different families, or are too many; if there are too many exclusions; if
   *     it names a database that is not among these; or if its source is another than before, or
   *     cannot supply it, as in {@link #create}
   * @throws PoolUnavailableException as {@link #create}
   */
  public abstract Declared declare(PoolSpec spec);

  /**
   * Deletes a pool with its claims. Another instance that has it open notices at its next claim or
   * count. If the pool was moved to a database that does not have it, one of its name can be
   * created afterwards. Blocks that it has from another pool stay claimed there, on behalf of the
   * owner with its name, until their lease ends; without a lease, release them there.
   *
   * @return false if there is no such pool
   */
  public abstract boolean delete(String name);

  /**
   * Deletes a pool of which no value is held, and releases the blocks that it has from another
   * pool. A claim that is granted meanwhile, by any instance, either prevents it or fails: no claim
   * that was acknowledged is deleted.
   *
   * @return how many values are held; 0 if the pool was deleted
   * @throws UnknownPoolException if the database has no such pool
   * @throws PoolUnavailableException if the database failed, or claims in progress did not end
   *     within seconds
   */
  public abstract long deleteUnlessHeld(String name);

  /**
   * The names of all pools, in ascending order; of several databases, of those that answer. {@link
   * #unreachable} names the others.
   *
   * @throws PoolUnavailableException if no database answers
   */
  public abstract List<String> names();

  /** The names of the databases, the first one first; empty for one without a name. */
  public abstract List<String> databases();

  /** The databases that do not answer now. */
  public abstract List<String> unreachable();

  /**
   * Opens a pool. Returns the same object for the same name, until the pool was moved to another
   * database: a program that uses several opens a pool each time that it uses it, which takes
   * nanoseconds.
   *
   * @throws UnknownPoolException if there is no pool of that name
   * @throws PoolUnavailableException if the database failed; if none has the pool and one of them
   *     does not answer; or if two of them have a pool of that name
   */
  public abstract Pool open(String name);

  /**
   * Returns a pool that was opened here and is remembered as exhausted: {@link Pool#rejection} may
   * refuse claims from it. Empty for any other.
   */
  public abstract Optional<Pool> exhausted(String name);

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
   * @throws PoolUnavailableException if the database failed; of several, the others were swept
   */
  public abstract long sweep();

  /**
   * Exchanges blocks between each pool that has a {@linkplain PoolSpec#source source} and that
   * source: prolongs those that it has, claims others if it has few free values, and gives back
   * those of which no value is used. Any number of instances may do so; {@link PoolSweeper} does,
   * in turns. A pool whose source is in none of these databases is left to others.
   *
   * @throws PoolUnavailableException if a database failed, or a source gives a pool no block for
   *     another reason than that none is free; the others were supplied
   */
  @Experimental
  public abstract void supply();

  /**
   * Deletes the claims of a pool that ended before a time from its history.
   *
   * @return how many were deleted
   * @throws UnknownPoolException if the database has no such pool
   */
  public abstract long prune(String name, Instant before);

  /** How many statements this instance has sent to the databases so far. */
  public abstract long statements();

  /** Rejects new claims and stops listening. Claims in progress finish. */
  @Override
  public abstract void close();

  /** The parts, each of one database. */
  abstract List<DatabasePools> parts();
}
