package dev.mintmark.operations.doctor;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;

/** Connections of another source, whose statements are counted. */
final class CountingDataSource {
  private static final Set<String> STATEMENTS = Set.of("createStatement", "prepareStatement");

  private final DataSource source;
  private final AtomicInteger statements = new AtomicInteger();

  CountingDataSource(DataSource source) {
    this.source = source;
  }

  DataSource connections() {
    return proxy(DataSource.class, source);
  }

  /** How many have been made so far. */
  int statements() {
    return statements.get();
  }

  private <T> T proxy(Class<T> type, T target) {
    return type.cast(
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (self, method, arguments) -> {
              if (STATEMENTS.contains(method.getName())) {
                statements.incrementAndGet();
              }
              try {
                Object result = method.invoke(target, arguments);
                return result instanceof Connection connection
                    ? proxy(Connection.class, connection)
                    : result;
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            }));
  }
}
