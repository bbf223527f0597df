package dev.mintmark.postgres.migrate;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * Connections whose session the server ends before one of the statements that they send, counted
 * over all of them: what comes of it is what comes of a process that is killed there, since one
 * that begins anew remembers nothing.
 */
final class CutConnections implements AutoCloseable {
  private static final Set<String> SENDING =
      Set.of("execute", "executeQuery", "executeUpdate", "commit");

  private static final int NEVER = Integer.MAX_VALUE;

  private final DataSource dataSource;
  private final Connection killer;
  private int left = NEVER;

  CutConnections(DataSource dataSource) throws SQLException {
    this.dataSource = dataSource;
    this.killer = dataSource.getConnection();
  }

  /** So many statements work, then the session that sends the next one ends; all others work. */
  void cutAfter(int statements) {
    left = statements;
  }

  /** From now on nothing is cut; returns whether something was. */
  boolean mend() {
    boolean wasCut = left == NEVER;
    left = NEVER;
    return wasCut;
  }

  DataSource dataSource() {
    return proxy(
        DataSource.class,
        dataSource,
        (method, call) -> {
          Object result = call.proceed();
          return result instanceof Connection connection ? cut(connection) : result;
        });
  }

  private Connection cut(Connection connection) {
    return proxy(
        Connection.class,
        connection,
        (method, call) -> {
          cutWhereDue(connection, method);
          Object result = call.proceed();
          if (result instanceof PreparedStatement statement) {
            return cut(PreparedStatement.class, connection, statement);
          }
          return result instanceof Statement statement
              ? cut(Statement.class, connection, statement)
              : result;
        });
  }

  private <T extends Statement> T cut(Class<T> type, Connection connection, T statement) {
    return proxy(
        type,
        statement,
        (method, call) -> {
          cutWhereDue(connection, method);
          return call.proceed();
        });
  }

  private synchronized void cutWhereDue(Connection connection, Method method) throws SQLException {
    if (left == NEVER || !SENDING.contains(method.getName())) {
      return;
    }
    if (left > 0) {
      left--;
      return;
    }
    left = NEVER;
    int pid = connection.unwrap(org.postgresql.PGConnection.class).getBackendPID();
    ask("select pg_terminate_backend(" + pid + ")");
    while (ask("select exists (select from pg_stat_activity where pid = " + pid + ")")) {
      LockSupport.parkNanos(1_000_000);
    }
  }

  private boolean ask(String question) throws SQLException {
    try (Statement statement = killer.createStatement();
        ResultSet row = statement.executeQuery(question)) {
      row.next();
      return row.getBoolean(1);
    }
  }

  @Override
  public void close() throws SQLException {
    killer.close();
  }

  private interface Call {
    @Nullable Object proceed() throws Throwable;
  }

  private interface Around {
    @Nullable Object call(Method method, Call call) throws Throwable;
  }

  private static <T> T proxy(Class<T> type, T target, Around around) {
    return type.cast(
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (proxy, method, arguments) ->
                around.call(
                    method,
                    () -> {
                      try {
                        return method.invoke(target, arguments);
                      } catch (InvocationTargetException e) {
                        throw e.getCause() == null ? e : e.getCause();
                      }
                    })));
  }
}
