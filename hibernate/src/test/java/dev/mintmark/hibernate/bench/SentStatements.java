package dev.mintmark.hibernate.bench;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.PreparedStatement;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** Counts batches, and prepared statements that are executed singly, at the driver. */
final class SentStatements {
  private int batches;
  private int others;

  int batches() {
    return batches;
  }

  int others() {
    return others;
  }

  void reset() {
    batches = 0;
    others = 0;
  }

  SentStatements copy() {
    SentStatements copy = new SentStatements();
    copy.batches = batches;
    copy.others = others;
    return copy;
  }

  DataSource around(DataSource dataSource) {
    return proxy(
        DataSource.class,
        (proxy, method, arguments) ->
            call(dataSource, method, arguments) instanceof Connection connection
                ? around(connection)
                : null);
  }

  private Connection around(Connection connection) {
    return proxy(
        Connection.class,
        (proxy, method, arguments) -> {
          Object result = call(connection, method, arguments);
          return result instanceof PreparedStatement statement ? around(statement) : result;
        });
  }

  private PreparedStatement around(PreparedStatement statement) {
    return proxy(
        PreparedStatement.class,
        (proxy, method, arguments) -> {
          if (method.getName().equals("executeBatch")) {
            batches++;
          } else if (method.getName().startsWith("execute")) {
            others++;
          }
          return call(statement, method, arguments);
        });
  }

  private static @Nullable Object call(Object target, Method method, Object @Nullable [] arguments)
      throws Throwable {
    try {
      return method.invoke(target, arguments);
    } catch (InvocationTargetException e) {
      throw e.getCause();
    }
  }

  private static <T> T proxy(Class<T> type, InvocationHandler handler) {
    return type.cast(
        Proxy.newProxyInstance(
            SentStatements.class.getClassLoader(), new Class<?>[] {type}, handler));
  }
}
