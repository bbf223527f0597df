package dev.mintmark.hibernate;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.Statement;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import javax.sql.DataSource;

/** Records the SQL of what is sent to the driver: each execution, and each batch once. */
final class RecordedStatements {
  private final List<String> sent = new CopyOnWriteArrayList<>();

  /** A data source whose statements are recorded. */
  DataSource around(DataSource dataSource) {
    return proxy(
        DataSource.class,
        (proxy, method, arguments) -> {
          Object result = call(dataSource, method, arguments);
          return result instanceof Connection connection ? around(connection) : result;
        });
  }

  private Connection around(Connection connection) {
    return proxy(
        Connection.class,
        (proxy, method, arguments) -> {
          Object result = call(connection, method, arguments);
          if (result instanceof PreparedStatement statement) {
            return around(statement, (String) arguments[0]);
          }
          return result instanceof Statement statement ? around(statement) : result;
        });
  }

  private Statement around(Statement statement) {
    return proxy(
        Statement.class,
        (proxy, method, arguments) -> {
          if (method.getName().startsWith("execute") && arguments != null) {
            sent.add((String) arguments[0]);
          }
          return call(statement, method, arguments);
        });
  }

  private PreparedStatement around(PreparedStatement statement, String sql) {
    return proxy(
        PreparedStatement.class,
        (proxy, method, arguments) -> {
          if (method.getName().startsWith("execute")) {
            sent.add(sql);
          }
          return call(statement, method, arguments);
        });
  }

  private static Object call(Object target, java.lang.reflect.Method method, Object[] arguments)
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
            RecordedStatements.class.getClassLoader(), new Class<?>[] {type}, handler));
  }

  /** Returns what was sent since the last call. */
  List<String> drain() {
    List<String> drained = List.copyOf(sent);
    sent.clear();
    return drained;
  }
}
