package dev.mintmark.operations.migrate;

import static java.util.concurrent.TimeUnit.SECONDS;

import dev.mintmark.fixtures.Patience;
import dev.mintmark.postgres.RowReader;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.postgresql.PGConnection;

/**
 * Connections whose session the server ends before or within one of the statements that they send:
 * what comes of it is what comes of a process that is killed there, since one that begins anew
 * remembers nothing.
 */
final class CutConnections implements AutoCloseable {
  private static final Set<String> SENDING =
      Set.of("execute", "executeQuery", "executeUpdate", "commit");

  private static final Chooser NEVER = sql -> Cut.NOT;

  private static final String IS_INDEX_HALF_MADE =
      "select exists (select from pg_index where not indisvalid and indisready)";

  private final DataSource dataSource;
  private final Connection killer;
  private volatile Chooser chooser = NEVER;
  private @Nullable FutureTask<Boolean> cutting;

  CutConnections(DataSource dataSource) throws SQLException {
    this.dataSource = dataSource;
    this.killer = dataSource.getConnection();
  }

  /** Where a session ends. */
  enum Cut {
    NOT,
    BEFORE,
    /**
     * While it runs: only of one that makes an index concurrently, whose index is half made then.
     */
    WITHIN
  }

  /** Says of each statement that is about to be sent whether its session ends. */
  interface Chooser {
    Cut at(String sql) throws SQLException;
  }

  /** So many statements work, then the session that sends the next one ends; all others work. */
  void cutAfter(int statements) {
    AtomicInteger left = new AtomicInteger(statements);
    cutWhere(sql -> left.getAndDecrement() > 0 ? Cut.NOT : Cut.BEFORE);
  }

  /** The session of the first statement of which that is said ends; all others work. */
  void cutWhere(Chooser where) {
    cutting = null;
    chooser = where;
  }

  /** From now on nothing is cut; returns whether something was, which is gone then. */
  boolean mend() {
    boolean wasCut = chooser == NEVER;
    chooser = NEVER;
    if (cutting != null) {
      try {
        cutting.get(Patience.MAX.toSeconds(), SECONDS);
      } catch (InterruptedException | ExecutionException | TimeoutException e) {
        throw new IllegalStateException(e);
      }
    }
    return wasCut;
  }

  DataSource dataSource() {
    return proxy(
        DataSource.class,
        dataSource,
        (method, arguments, call) -> {
          Object result = call.proceed();
          return result instanceof Connection connection ? cut(connection) : result;
        });
  }

  private Connection cut(Connection connection) {
    return proxy(
        Connection.class,
        connection,
        (method, arguments, call) -> {
          cutWhereDue(connection, method, method.getName());
          Object result = call.proceed();
          if (result instanceof PreparedStatement statement) {
            return cut(PreparedStatement.class, connection, statement, text(arguments));
          }
          return result instanceof Statement statement
              ? cut(Statement.class, connection, statement, "")
              : result;
        });
  }

  private <T extends Statement> T cut(
      Class<T> type, Connection connection, T statement, String prepared) {
    return proxy(
        type,
        statement,
        (method, arguments, call) -> {
          cutWhereDue(connection, method, arguments == null ? prepared : text(arguments));
          return call.proceed();
        });
  }

  private static String text(Object @Nullable [] arguments) {
    return arguments == null ? "" : String.valueOf(arguments[0]);
  }

  private synchronized void cutWhereDue(Connection connection, Method method, String sql)
      throws SQLException {
    if (!SENDING.contains(method.getName())) {
      return;
    }
    Cut cut = chooser.at(sql);
    if (cut == Cut.NOT) {
      return;
    }
    chooser = NEVER;
    int pid = connection.unwrap(PGConnection.class).getBackendPID();
    if (cut == Cut.BEFORE) {
      end(pid);
    } else {
      endWithin(pid);
    }
  }

  private void end(int pid) throws SQLException {
    ask("select pg_terminate_backend(" + pid + ")");
    awaitThat("select not exists (select from pg_stat_activity where pid = " + pid + ")");
  }

  /** An index is not valid as long as somebody has a snapshot from before. */
  private void endWithin(int pid) throws SQLException {
    Connection holder = dataSource.getConnection();
    holder.setAutoCommit(false);
    holder.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
    try (Statement snapshot = holder.createStatement()) {
      snapshot.execute("select 1");
    }
    FutureTask<Boolean> task =
        new FutureTask<>(
            () -> {
              try (holder) {
                awaitThat(IS_INDEX_HALF_MADE);
                end(pid);
                return true;
              }
            });
    cutting = task;
    new Thread(task, "cut").start();
  }

  private void awaitThat(String question) throws SQLException {
    while (!ask(question)) {
      LockSupport.parkNanos(1_000_000);
    }
  }

  private boolean ask(String question) throws SQLException {
    return ask(question, row -> row.getBoolean(1));
  }

  /** The first row of an answer, through a connection that is never cut. */
  <T> T ask(String question, RowReader<T> reader) throws SQLException {
    // Asked before every statement: the server keeps its plan.
    try (PreparedStatement statement = killer.prepareStatement(question);
        ResultSet row = statement.executeQuery()) {
      row.next();
      return reader.read(row);
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
    @Nullable Object call(Method method, Object @Nullable [] arguments, Call call) throws Throwable;
  }

  private static <T> T proxy(Class<T> type, T target, Around around) {
    return type.cast(
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (proxy, method, arguments) ->
                around.call(
                    method,
                    arguments,
                    () -> {
                      try {
                        return method.invoke(target, arguments);
                      } catch (InvocationTargetException e) {
                        throw e.getCause() == null ? e : e.getCause();
                      }
                    })));
  }
}
