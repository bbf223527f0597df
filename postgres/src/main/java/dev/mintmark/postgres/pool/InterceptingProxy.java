package dev.mintmark.postgres.pool;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import javax.sql.DataSource;

/** Puts something around every call of an object that is known by an interface. */
final class InterceptingProxy {
  private InterceptingProxy() {}

  /** The call as it would be without what is put around it. */
  interface Call {
    Object proceed() throws Throwable;
  }

  /** What is put around each call. */
  interface Around {
    Object call(Method method, Call call) throws Throwable;
  }

  /** Does what {@code target} does, with something around it. */
  static <T> T of(Class<T> type, T target, Around around) {
    return type.cast(
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (proxy, method, arguments) ->
                around.call(method, () -> invoke(target, method, arguments))));
  }

  /** The same connections, known to the database by a name. */
  static DataSource named(DataSource dataSource, String applicationName) {
    return of(
        DataSource.class,
        dataSource,
        (method, call) -> {
          Object result = call.proceed();
          if (result instanceof Connection connection) {
            name(connection, applicationName);
          }
          return result;
        });
  }

  private static void name(Connection connection, String applicationName) throws SQLException {
    try {
      connection.setClientInfo("ApplicationName", applicationName);
    } catch (SQLException e) {
      connection.close();
      throw e;
    }
  }

  private static Object invoke(Object target, Method method, Object[] arguments) throws Throwable {
    try {
      return method.invoke(target, arguments);
    } catch (InvocationTargetException e) {
      throw e.getCause();
    }
  }
}
