package dev.mintmark.postgres.pool.numbers;

import dev.mintmark.fixtures.TestDatabase;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.time.Duration;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;
import javax.sql.DataSource;

/**
 * A database whose clock a test moves: statements that are sent {@linkplain #through} it call
 * functions of ours instead of the server's clock.
 */
final class ShiftedClock {
  private static final Pattern SERVER_CLOCK =
      Pattern.compile("(?<![.\\w])(now|clock_timestamp)\\(\\)");

  private final TestDatabase database;

  private ShiftedClock(TestDatabase database) {
    this.database = database;
  }

  static ShiftedClock of(TestDatabase database) {
    database.execute(
        """
        drop schema if exists clock cascade;
        create schema clock;
        create table clock.shift (by interval not null);
        insert into clock.shift values ('0');
        create function clock.now() returns timestamptz language sql stable
          return pg_catalog.now() + (select by from clock.shift);
        create function clock.clock_timestamp() returns timestamptz language sql volatile
          return pg_catalog.clock_timestamp() + (select by from clock.shift);
        """);
    return new ShiftedClock(database);
  }

  /** The same connections, whose statements read this clock. */
  DataSource through(DataSource dataSource) {
    return intercepted(
        DataSource.class, dataSource, sql -> SERVER_CLOCK.matcher(sql).replaceAll("clock.$1()"));
  }

  private static <T> T intercepted(Class<T> type, T target, UnaryOperator<String> rewriting) {
    return type.cast(
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (proxy, method, arguments) -> {
              if (method.getName().equals("prepareStatement")) {
                arguments[0] = rewriting.apply((String) arguments[0]);
              }
              try {
                Object result = method.invoke(target, arguments);
                return result instanceof Connection connection
                    ? intercepted(Connection.class, connection, rewriting)
                    : result;
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            }));
  }

  /** Moves the clock forward, or back where it is negative. */
  void move(Duration by) {
    database.execute(
        "update clock.shift set by = by + interval '1 millisecond' * " + by.toMillis());
  }
}
