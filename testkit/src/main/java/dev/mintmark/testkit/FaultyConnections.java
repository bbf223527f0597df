package dev.mintmark.testkit;

import java.lang.reflect.Method;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.SQLNonTransientConnectionException;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import javax.sql.DataSource;

/**
 * Connections that break in the middle of work: before a statement is sent, while it runs, or after
 * it has run and before its answer is read. So the caller does not know whether it has run. Safe
 * for use by many threads.
 *
 * <pre>{@code
 * FaultyConnections faulty = new FaultyConnections(dataSource, 17);
 * faulty.cutOneOf(20);
 * Pools pools = Pools.over(faulty.dataSource());
 * }</pre>
 */
public final class FaultyConnections {
  /** Where the connection breaks. */
  private enum Cut {
    BEFORE,
    ON_ITS_WAY,
    AFTER
  }

  private static final Set<String> SENDING =
      Set.of("execute", "executeQuery", "executeUpdate", "executeLargeUpdate", "commit");

  private static final int ON_ITS_WAY_MICROS_MAX = 1_500;

  private final DataSource dataSource;
  private final Random random;
  private final AtomicLong cuts = new AtomicLong();
  private volatile int cutOneOf;

  /**
   * @param seed decides which statements fail and how
   */
  public FaultyConnections(DataSource dataSource, long seed) {
    this.dataSource = dataSource;
    this.random = new Random(seed);
  }

  /**
   * Breaks the connection of about one in {@code statements} statements from now on.
   *
   * @param statements at least 1, or 0 to break none
   */
  public void cutOneOf(int statements) {
    cutOneOf = statements;
  }

  /** How many connections were broken so far. */
  public long cuts() {
    return cuts.get();
  }

  /** The connections that break. */
  public DataSource dataSource() {
    return InterceptingProxy.of(
        DataSource.class,
        dataSource,
        (method, call) -> {
          Object result = call.proceed();
          return result instanceof Connection connection ? faulty(connection) : result;
        });
  }

  private Connection faulty(Connection connection) {
    return InterceptingProxy.of(
        Connection.class,
        connection,
        (method, call) -> {
          Object result = proceedOrCut(connection, method, call);
          return result instanceof PreparedStatement statement
              ? faulty(connection, statement)
              : result;
        });
  }

  private PreparedStatement faulty(Connection connection, PreparedStatement statement) {
    return InterceptingProxy.of(
        PreparedStatement.class,
        statement,
        (method, call) -> proceedOrCut(connection, method, call));
  }

  private Object proceedOrCut(Connection connection, Method method, InterceptingProxy.Call call)
      throws Throwable {
    if (!SENDING.contains(method.getName()) || !isDue()) {
      return call.proceed();
    }
    cuts.incrementAndGet();
    Cut cut = Cut.values()[next(Cut.values().length)];
    if (cut == Cut.ON_ITS_WAY) {
      Executor soon =
          CompletableFuture.delayedExecutor(next(ON_ITS_WAY_MICROS_MAX), TimeUnit.MICROSECONDS);
      soon.execute(() -> abort(connection));
      return call.proceed();
    }
    if (cut == Cut.AFTER) {
      call.proceed();
    }
    abort(connection);
    throw new SQLNonTransientConnectionException("cut off by the check", "08006");
  }

  private static void abort(Connection connection) {
    try {
      connection.abort(Runnable::run);
    } catch (SQLException e) {
      // It is broken already.
    }
  }

  private boolean isDue() {
    int oneOf = cutOneOf;
    return oneOf > 0 && next(oneOf) == 0;
  }

  private synchronized int next(int bound) {
    return random.nextInt(bound);
  }
}
