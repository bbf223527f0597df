package dev.mintmark.postgres.pool.numbers;

import dev.mintmark.Mint;
import dev.mintmark.MintException;
import dev.mintmark.PoolSpec;
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
 * Mints Snowflakes with a node number that is leased from a pool. The number is claimed when the
 * mint is opened, renewed by a thread after a third of the lease, and released when the mint is
 * closed. If the lease is lost, another number is claimed. No node numbers are assigned by hand,
 * and two instances that run at the same time never have the same number.
 *
 * <pre>{@code
 * // mintmark.yaml: pools: { workers: { range: 0..1023, lease: 30s } }
 * try (LeasedSnowflakes mint =
 *     LeasedSnowflakes.open(pools.open("workers"), SnowflakeLayout.TWITTER, "billing")) {
 *   Snowflake id = mint.mint();
 * }
 * }</pre>
 *
 * <p><b>Uniqueness.</b> A Snowflake consists of its time, its node and its sequence. Two instances
 * with the same pool and layout never mint the same Snowflake, because:
 *
 * <ol>
 *   <li>Within an instance, times only increase, and each place in the sequence of a time is used
 *       once.
 *   <li>An instance uses a number only with times before the end of its lease, in whole units of
 *       the layout, as the database last reported that end. The end, the number and the clock are
 *       read together for each unit of time. The end in the database is the same or, if an answer
 *       was lost, later: a renewal never moves it to an earlier time.
 *   <li>The next holder of the number uses it only with times at or after that end, however the
 *       lease ended: {@link Claim#previousEnd}.
 * </ol>
 *
 * So two holders of one number never use the same time. This does not depend on any clock. A
 * process may be suspended at any point for any time, a virtual machine may be paused or moved, and
 * the clock of the server may step: an identifier that is minted late has a time before the end,
 * and its place in the sequence belongs to no other instance.
 *
 * <p><b>The time</b> of identifiers is that of the database: its last answer, and the monotonic
 * clock of the process from then on. The wall clock of the process is never read, so it may be
 * wrong by any amount. The lease counts from before the request was sent. Every renewal corrects
 * the time: forward at once, backward by 1 s in 2,000 s. After a failover to a server with a slower
 * clock, identifiers keep ascending, ahead of that clock.
 *
 * <p><b>Order.</b> Each identifier is greater than every earlier one of this instance, across
 * threads.
 *
 * <p><b>After the lease has ended</b> (the database cannot be reached, the process was suspended)
 * no identifier is minted. {@link #mint()} requests a renewal or another number at once, waits up
 * to {@link dev.mintmark.ClockPolicy#WAIT_MAX}, and then throws a {@link MintException} with the
 * reason. So minting continues for at least two thirds of the lease after the database has failed.
 *
 * <p><b>Release.</b> {@link #close} reports the last time used to the database, and the next holder
 * of the number starts after it, at once. The lease of a process that was killed ends by itself. A
 * number that an operator released may still be used until the end of its lease: its next holder
 * starts after that, and fails to mint before, unless it is less than {@link
 * dev.mintmark.ClockPolicy#WAIT_MAX} away.
 *
 * <p><b>Requirements.</b> The pool must not be deleted and created again while mints are open. If
 * the database loses commits:
 *
 * <ul>
 *   <li>A failover to a replica that lags is found, and the pool settles itself as {@link
 *       PoolSpec#afterFailover} says: by default, numbers that are not held are quarantined for the
 *       longest lease and the pool's quarantine. That quarantine must be longer than the time by
 *       which the clock of the new server is behind.
 *   <li>A restore while no instance runs is not found. Before the next claim, quarantine all
 *       numbers for longer than the lease, plus the time by which the server's clock is now behind:
 *       {@link Pool#quarantineAll}.
 * </ul>
 *
 * <p>Safe for use by many threads, including virtual threads. To mint an identifier, a thread reads
 * the monotonic clock, makes one atomic addition and waits for no lock.
 */
public final class LeasedSnowflakes implements Mint<Snowflake>, AutoCloseable {
  /** A lease is renewed when one of so many parts of it has passed. */
  private static final int PARTS = 3;

  /** The shortest pause between two requests to the database. */
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
   * @param pool numbers that fit the layout's node, with a lease of at least three of the layout's
   *     units of time; each renewal takes a connection for a moment
   * @param name the owner of the claim, for people who look at the pool: 1 to 218 characters, no
   *     control characters; several instances may have the same name
   * @throws IllegalArgumentException if the name is malformed or the pool does not fit the layout
   * @throws MintException if no number is free
   * @throws PoolUnavailableException if the database failed
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
   * @throws MintException if the lease has ended and could not be renewed, the mint is closed, or
   *     the thread was interrupted while it waited
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

  /** The present node number, or the last one. */
  public int node() {
    return mint.term().node();
  }

  /** When the lease ends unless it is renewed, by the database's clock. */
  public Instant leaseEnd() {
    return mint.term().end();
  }

  /**
   * Stops minting and releases the number, if the database can be reached; otherwise the lease ends
   * by itself. Waits for a renewal in progress.
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
      // The lease ends by itself, or the pool was deleted.
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

  /** A part of the time left in the lease, or in the times that it allows, if that is less. */
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
   * Waits for {@code pause}, or only for {@link #PAUSE_MIN} if a thread waits for a renewal in
   * order to mint.
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
      throw new IllegalStateException("this thread is never interrupted", e);
    } finally {
      lock.unlock();
    }
  }

  /** Requests a renewal and waits for its result. */
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
