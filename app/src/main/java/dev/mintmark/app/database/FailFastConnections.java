package dev.mintmark.app.database;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * The connections of a server, which must not wait for a database that is down. Safe for use by
 * several threads.
 *
 * <pre>
 *   the database refuses connections   the caller fails as soon as the pool's timeout ends; for the
 *                                      next second others fail at once; then one caller tries again
 *   the database does not respond      a caller fails after 5 s; others as above
 *   16 callers are waiting, and no     further callers fail at once
 *   connection was free for a second
 * </pre>
 *
 * <p>So a server whose requests wait for the database has threads for the others.
 */
final class FailFastConnections extends WrappedConnections {
  private static final Duration WAIT_MAX = Duration.ofSeconds(5);
  private static final Duration REMEMBERED_FOR = Duration.ofSeconds(1);
  private static final Duration STALLED_AFTER = Duration.ofSeconds(1);
  private static final int WAITING_MAX = 16;

  /** "Unable to establish the connection" (SQL:2016, class 08). */
  static final String UNREACHABLE = "08001";

  private final DataSource pool;
  private final Attempts attempts;
  private final LongSupplier nanoTime;
  private final AtomicInteger waiting = new AtomicInteger();
  private final Semaphore trial = new Semaphore(1);
  private final AtomicLong lastFree;
  private volatile @Nullable Failure remembered;

  /** A failure and when it happened. */
  private record Failure(SQLException cause, long nanos) {}

  /**
   * @param pool waits for a connection at most a fraction of a second, and then throws {@link
   *     SQLTransientConnectionException}
   * @param attempts through which the pool opens its connections
   * @param nanoTime the clock
   */
  FailFastConnections(DataSource pool, Attempts attempts, LongSupplier nanoTime) {
    super(pool);
    this.pool = pool;
    this.attempts = attempts;
    this.nanoTime = nanoTime;
    this.lastFree = new AtomicLong(nanoTime.getAsLong());
  }

  @Override
  public Connection getConnection() throws SQLException {
    Failure failure = remembered;
    boolean tries = false;
    if (failure != null && !attempts.hasSucceededSince(failure.nanos)) {
      boolean isFresh = age(failure.nanos) < REMEMBERED_FOR.toNanos();
      tries = !isFresh && trial.tryAcquire();
      if (!tries) {
        throw again(failure.cause);
      }
    }
    waiting.incrementAndGet();
    try {
      return awaitConnection();
    } finally {
      waiting.decrementAndGet();
      if (tries) {
        trial.release();
      }
    }
  }

  private Connection awaitConnection() throws SQLException {
    long start = nanoTime.getAsLong();
    while (true) {
      try {
        Connection connection = pool.getConnection();
        lastFree.set(nanoTime.getAsLong());
        remembered = null;
        return connection;
      } catch (SQLTransientConnectionException e) {
        SQLException refusal = attempts.failureSince(start);
        if (refusal != null) {
          throw remember(refusal);
        }
        boolean stalled = age(lastFree.get()) > STALLED_AFTER.toNanos();
        if (stalled && waiting.get() > WAITING_MAX) {
          throw new SQLTransientConnectionException(
              "the database does not respond (waiting=%s)".formatted(waiting.get()),
              UNREACHABLE,
              e);
        }
        if (age(start) > WAIT_MAX.toNanos()) {
          SQLException late =
              new SQLTransientConnectionException(
                  "no connection was free for %s s".formatted(WAIT_MAX.toSeconds()),
                  UNREACHABLE,
                  e);
          throw age(lastFree.get()) > WAIT_MAX.toNanos() ? remember(late) : late;
        }
      }
    }
  }

  private SQLException remember(SQLException cause) {
    remembered = new Failure(cause, nanoTime.getAsLong());
    return again(cause);
  }

  private static SQLException again(SQLException cause) {
    return new SQLTransientConnectionException(cause.getMessage(), cause.getSQLState(), cause);
  }

  private long age(long nanos) {
    return nanoTime.getAsLong() - nanos;
  }

  /**
   * Opens connections for a pool, and knows when that failed last.
   *
   * <p>Once the pool is there, an attempt is repeated until it succeeds if the database is not
   * there. HikariCP would pause after each failure for twice as long as before, up to five seconds,
   * and would come that much too late when the database is back.
   */
  static final class Attempts extends WrappedConnections {
    private static final Duration PAUSE = Duration.ofMillis(250);

    private final DataSource connections;
    private final LongSupplier nanoTime;
    private volatile BooleanSupplier repeating = () -> false;
    private volatile @Nullable Failure last;
    private volatile @Nullable Long lastSuccess;

    Attempts(DataSource connections, LongSupplier nanoTime) {
      super(connections);
      this.connections = connections;
      this.nanoTime = nanoTime;
    }

    /** From now on a failed attempt is repeated while a condition holds. */
    void repeatWhile(BooleanSupplier condition) {
      repeating = condition;
    }

    @Override
    public Connection getConnection() throws SQLException {
      while (true) {
        try {
          Connection connection = connections.getConnection();
          lastSuccess = nanoTime.getAsLong();
          return connection;
        } catch (SQLException e) {
          last = new Failure(e, nanoTime.getAsLong());
          if (!Database.isAwaited(e) || !repeating.getAsBoolean() || !hasPaused()) {
            throw e;
          }
        }
      }
    }

    /** Returns whether nobody interrupted the pause. */
    private static boolean hasPaused() {
      try {
        Thread.sleep(PAUSE.toMillis());
        return true;
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        return false;
      }
    }

    /** Whether a connection was opened after a moment. */
    boolean hasSucceededSince(long nanos) {
      Long success = lastSuccess;
      return success != null && success - nanos > 0;
    }

    /** Returns the last failure if it happened after a moment. */
    @Nullable SQLException failureSince(long nanos) {
      Failure failure = last;
      return failure != null && failure.nanos - nanos >= 0 ? failure.cause : null;
    }

    /** Ignored: the pool would set its own short timeout, which an overloaded database misses. */
    @Override
    public void setLoginTimeout(int seconds) {}
  }
}
