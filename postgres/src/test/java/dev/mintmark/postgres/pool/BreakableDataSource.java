package dev.mintmark.postgres.pool;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * Connections to a database that goes away and comes back as a test wants, at any step: before a
 * connection is had, before a statement, behind one whose answer is then lost, before a commit, and
 * behind one.
 */
final class BreakableDataSource {
  private static final int NEVER = Integer.MAX_VALUE;

  private final DataSource dataSource;
  private final AtomicInteger stepsLeft = new AtomicInteger(NEVER);
  private volatile boolean once;

  BreakableDataSource(DataSource dataSource) {
    this.dataSource = dataSource;
  }

  /** From now on nothing works. */
  void cut() {
    cutAfter(0);
  }

  /** So many steps work, then nothing does. */
  void cutAfter(int steps) {
    once = false;
    stepsLeft.set(steps);
  }

  /** So many steps work, then one fails, and all behind it work again. */
  void cutOnceAfter(int steps) {
    once = true;
    stepsLeft.set(steps);
  }

  void mend() {
    stepsLeft.set(NEVER);
  }

  DataSource dataSource() {
    return proxy(
        DataSource.class,
        dataSource,
        method -> {},
        (method, result) ->
            result instanceof Connection connection ? breakable(connection) : result);
  }

  private Connection breakable(Connection connection) {
    return proxy(
        Connection.class,
        connection,
        method -> {
          if (method.equals("prepareStatement")
              || method.equals("createStatement")
              || method.equals("commit")) {
            step(connection);
          }
        },
        (method, result) -> {
          if (method.equals("commit")) {
            step(connection);
          }
          if (result instanceof PreparedStatement statement) {
            return breakable(PreparedStatement.class, statement, connection);
          }
          return result instanceof Statement statement
              ? breakable(Statement.class, statement, connection)
              : result;
        });
  }

  private <T extends Statement> T breakable(Class<T> type, T statement, Connection connection) {
    return proxy(
        type,
        statement,
        method -> {},
        (method, result) -> {
          if (method.startsWith("execute")) {
            step(connection);
          }
          return result;
        });
  }

  private interface Before {
    void run(String method) throws SQLException;
  }

  private interface After {
    @Nullable Object run(String method, @Nullable Object result) throws SQLException;
  }

  private <T> T proxy(Class<T> type, T target, Before before, After after) {
    return type.cast(
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (proxy, method, arguments) -> {
              if (method.getName().equals("getConnection")) {
                step(null);
              }
              before.run(method.getName());
              return after.run(method.getName(), invoke(target, method, arguments));
            }));
  }

  private static @Nullable Object invoke(
      Object target, Method method, @Nullable Object @Nullable [] arguments) throws Throwable {
    try {
      return method.invoke(target, arguments);
    } catch (InvocationTargetException e) {
      throw e.getCause() == null ? e : e.getCause();
    }
  }

  private void step(@Nullable Connection connection) throws SQLException {
    if (stepsLeft.get() == NEVER || stepsLeft.getAndDecrement() > 0) {
      return;
    }
    stepsLeft.set(once ? NEVER : 0);
    if (connection != null) {
      // As of a process that is killed: the server undoes what was not committed.
      connection.close();
    }
    throw new SQLException("cut", "08006");
  }
}
