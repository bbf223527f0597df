package dev.mintmark.testkit;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import javax.sql.DataSource;

/** Intercepts every call of an object through an interface. */
final class InterceptingProxy {
  private InterceptingProxy() {}

  /** The intercepted call. */
  interface Call {
    Object proceed() throws Throwable;
  }

  /** Replaces each call. */
  interface Around {
    Object call(Method method, Call call) throws Throwable;
  }

  /** Returns a proxy of {@code target} whose calls are intercepted. */
  static <T> T of(Class<T> type, T target, Around around) {
    return type.cast(
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (proxy, method, arguments) ->
                around.call(method, () -> invoke(target, method, arguments))));
  }

  /** The same connections with an application name. */
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
