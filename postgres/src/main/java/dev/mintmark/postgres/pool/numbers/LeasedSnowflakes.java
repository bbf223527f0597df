package dev.mintmark.postgres.pool.numbers;

import dev.mintmark.Mint;
import dev.mintmark.MintException;
import dev.mintmark.Quoted;
import dev.mintmark.Snowflake;
import dev.mintmark.SnowflakeLayout;
import dev.mintmark.postgres.pool.Claim;
import dev.mintmark.postgres.pool.Pool;
import dev.mintmark.postgres.pool.PoolUnavailableException;
import dev.mintmark.postgres.pool.UnknownPoolException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Makes Snowflakes with a node number that is leased from a pool: claimed when it is opened,
 * renewed by a thread of its own after a third of the lease, given back when it is closed. Where a
 * lease is lost, another number is claimed. No node numbers are assigned by hand, and no two
 * instances that run at a time have the same.
 *
 * <pre>{@code
 * // mintmark.yaml: pools: { workers: { range: 0..1023, lease: 30s } }
 * try (LeasedSnowflakes mint =
 *     LeasedSnowflakes.open(pools.open("workers"), SnowflakeLayout.TWITTER, "billing")) {
 *   Snowflake id = mint.mint();
 * }
 * }</pre>
 *
 * <p><b>Uniqueness.</b> A Snowflake is its time, its node and its sequence; no two of the instances
 * that use one pool and one layout make the same, because:
 *
 * <ol>
 *   <li>Within an instance, times only go up, and each place in the sequence of one time is taken
 *       once.
 *   <li>An instance stamps a number with times that lie before the end of its lease as the database
 *       last told it, as a whole unit of the layout. The end, the number and the clock are read
 *       together for each unit of time. The database knows that end or, where an answer was lost, a
 *       later one: a renewal never brings it nearer.
 *   <li>Whoever is given the number next stamps it with times that lie at or past that end, however
 *       the lease ended: {@link Claim#previousEnd}.
 * </ol>
 *
 * So the times of two holders of one number never meet. No clock has a part in this. A process may
 * be suspended at any point and for any time, a virtual machine be paused, moved or copied in
 * flight of a request, the clock of the server step: what is then made late carries a time of
 * before the end, and nobody else had that place in it.
 *
 * <p><b>The time</b> that identifiers carry is the database's: what it said in its last answer, and
 * the process's monotonic clock from then on. The wall clock of the process is never read, so that
 * it may be wrong by any amount. The lease is counted from before the request was sent, and with
 * every renewal the time is put right: forward at once, backward by 1 s in 2,000 s. After a
 * fail-over to a server whose clock is behind, identifiers keep ascending, ahead of that clock.
 *
 * <p><b>Order.</b> Each is greater than every one before from this instance, across threads.
 *
 * <p><b>When the lease has ended</b> (the database cannot be reached, the process was suspended)
 * nothing is made: {@link #mint()} asks for a renewal or another number at once, waits for {@link
 * dev.mintmark.ClockPolicy#WAIT_MAX} at most and then throws a {@link MintException} that says why.
 * So identifiers can be made for two thirds of the lease at least after the database has gone.
 *
 * <p><b>Giving back.</b> Closing tells the database the last time that was stamped, and whoever
 * claims the number next begins behind it, at once. The lease of a process that was killed ends by
 * itself. A number that an operator released may still be stamped until the end of its lease: its
 * next holder begins behind that, and fails to mint before, unless that is less than {@link
 * dev.mintmark.ClockPolicy#WAIT_MAX} away.
 *
 * <p><b>What it rests on:</b> the pool's database forgets nothing that it has committed, and nobody
 * deletes the pool and creates it anew meanwhile. After a fail-over to a replica that lags, or a
 * restore, let all numbers rest for longer than the lease, and than the server's clock is behind
 * the one before: {@link Pool#quarantineAll}.
 *
 * <p>Safe in any number of threads, virtual ones among them. On its way to an identifier a thread
 * reads the monotonic clock and makes one atomic addition, and waits for no lock.
 */
public final class LeasedSnowflakes implements Mint<Snowflake>, AutoCloseable {
  /** A lease is renewed when it has had one of so many parts. */
  private static final int PARTS = 3;

  /** For how long the database is left alone at least between two requests. */
  private static final Duration PAUSE_MIN = Duration.ofMillis(50);

  /** The longest pause after a failure, in parts of the lease. */
  private static final int PAUSE_PARTS = 30;

  private final String pool;
  private final WorkerLease lease;
  private final MonotonicClock monotonic;
  private final WorkerMint mint;
  private final Thread keeper;

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();

  // Guarded by the lock.
  private boolean closed;
  private boolean wanted;
  private Optional<RuntimeException> failure = Optional.empty();

  private LeasedSnowflakes(
      Pool pool, WorkerLease lease, SnowflakeLayout layout, MonotonicClock monotonic) {
    this.pool = pool.name();
    this.lease = lease;
    this.monotonic = monotonic;
    this.mint = new WorkerMint(layout, lease.claim(), monotonic, this::awaitTermAfter);
    this.keeper = new Thread(this::keep, "mintmark-worker-" + pool.name());
    keeper.setDaemon(true);
  }

  /**
   * Claims a node number and returns a mint that holds it until it is closed.
   *
   * @param pool numbers that fit the layout's node, with a lease of three of its units of time at
   *     least; its database needs a connection for a moment at each renewal
   * @param name who holds it, for people who look at the pool: 1 to 218 characters, none of them a
   *     control character. The owner of the claim; several instances may have the same
   * @throws IllegalArgumentException if the name is malformed or the pool does not fit the layout
   * @throws MintException if no number is free
   * @throws PoolUnavailableException if the database did not answer
   * @throws UnknownPoolException if the pool was deleted
   */
  public static LeasedSnowflakes open(Pool pool, SnowflakeLayout layout, String name) {
    return open(pool, layout, name, System::nanoTime);
  }

  static LeasedSnowflakes open(
      Pool pool, SnowflakeLayout layout, String name, MonotonicClock monotonic) {
    WorkerLease lease = new WorkerLease(pool, layout, name, monotonic);
    LeasedSnowflakes leased = new LeasedSnowflakes(pool, lease, layout, monotonic);
    leased.keeper.start();
    return leased;
  }

  /**
   * {@inheritDoc}
   *
   * @throws MintException if the lease has ended and was not to be had again, or the mint is
   *     closed, or the thread was interrupted while it waited
   */
  @Override
  public Snowflake mint() {
    return mint.mint();
  }

  @Override
  public List<Snowflake> mint(int count) {
    return mint.mint(count);
  }

  @Override
  public Duration drift() {
    return mint.drift();
  }

  /** The node number that it has, or had last. */
  public int node() {
    return mint.term().node();
  }

  /** When its lease ends unless it is renewed before, by the database's clock. */
  public Instant leaseEnd() {
    return mint.term().end();
  }

  /**
   * Makes no more identifiers and gives the number back, if the database can be reached; otherwise
   * the lease ends by itself. Waits for a renewal that is under way.
   */
  @Override
  public void close() {
    long lastTick;
    lock.lock();
    try {
      if (closed) {
        return;
      }
      closed = true;
      lastTick = mint.close();
      changed.signalAll();
    } finally {
      lock.unlock();
    }
    joinKeeper();
    try {
      lease.release(lastTick);
    } catch (PoolUnavailableException | UnknownPoolException e) {
      // It ends by itself, or has gone with its pool.
    }
  }

  private void joinKeeper() {
    boolean interrupted = false;
    while (keeper.isAlive()) {
      try {
        keeper.join();
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  /** Renews until it is closed. */
  private void keep() {
    Duration pause = untilRenewal();
    while (awaitTurn(pause)) {
      try {
        WorkerTerm term = lease.renew();
        pause = begin(term);
      } catch (RuntimeException e) {
        pause = failed(e);
      }
    }
  }

  private Duration begin(WorkerTerm term) {
    lock.lock();
    try {
      mint.begin(term);
      failure = Optional.empty();
      wanted = false;
      changed.signalAll();
    } finally {
      lock.unlock();
    }
    return untilRenewal();
  }

  private Duration failed(RuntimeException reason) {
    lock.lock();
    try {
      failure = Optional.of(reason);
    } finally {
      lock.unlock();
    }
    long most = Math.max(PAUSE_MIN.toMillis() + 1, lease.length().toMillis() / PAUSE_PARTS);
    return Duration.ofMillis(ThreadLocalRandom.current().nextLong(PAUSE_MIN.toMillis(), most + 1));
  }

  /** A part of what is left of the lease; of what is left of its times, if that is less. */
  private Duration untilRenewal() {
    WorkerTerm term = mint.term();
    long now = monotonic.nanos();
    long left =
        Math.min(
            term.untilNanos() - now, term.clock().nanosAt(ServerClock.micros(term.end())) - now);
    Duration pause = Duration.ofNanos(Math.min(left, lease.length().toNanos()) / PARTS);
    return pause.compareTo(PAUSE_MIN) > 0 ? pause : PAUSE_MIN;
  }

  /**
   * Waits for {@code pause}, but for {@link #PAUSE_MIN} only once a mint stands still for want of a
   * renewal.
   *
   * @return false if it was closed
   */
  private boolean awaitTurn(Duration pause) {
    long start = System.nanoTime();
    lock.lock();
    try {
      while (!closed) {
        long full = wanted ? Math.min(pause.toNanos(), PAUSE_MIN.toNanos()) : pause.toNanos();
        long left = full - (System.nanoTime() - start);
        if (left <= 0) {
          return true;
        }
        changed.awaitNanos(left);
      }
      return false;
    } catch (InterruptedException e) {
      throw new IllegalStateException("nobody interrupts this thread", e);
    } finally {
      lock.unlock();
    }
  }

  /** Has the lease renewed now and waits for what comes of it. */
  private void awaitTermAfter(WorkerTerm ended, long nanos) {
    long left = nanos;
    lock.lock();
    try {
      while (mint.term().equals(ended) && !closed) {
        if (left <= 0) {
          throw new MintException(endedMessage(ended));
        }
        wanted = true;
        changed.signalAll();
        left = changed.awaitNanos(left);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new MintException("the mint was interrupted while it waited: " + endedMessage(ended));
    } finally {
      lock.unlock();
    }
  }

  private String endedMessage(WorkerTerm ended) {
    return "pool "
        + Quoted.of(pool)
        + ": the lease of node "
        + ended.node()
        + " has ended (at "
        + ended.end()
        + ") and is not renewed yet"
        + failure.map(reason -> ": " + reason.getMessage()).orElse("");
  }

  @Override
  public String toString() {
    WorkerTerm term = mint.term();
    return "node " + term.node() + " of pool " + Quoted.of(pool) + " until " + term.end();
  }
}
