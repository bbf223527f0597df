package dev.mintmark.app.database;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.concurrent.Callable;
import org.postgresql.ds.PGSimpleDataSource;

/** Connections that a test hands out or refuses. */
final class StubConnections extends WrappedConnections {
  private final Callable<Connection> connections;

  /**
   * @param connections what is done for each connection
   */
  StubConnections(Callable<Connection> connections) {
    super(new PGSimpleDataSource());
    this.connections = connections;
  }

  /** Refuses each connection with an SQLSTATE. */
  static StubConnections refusing(String state) {
    return new StubConnections(
        () -> {
          throw new SQLException("refused", state);
        });
  }

  /** A connection that can only be closed, and says that it was. */
  static Connection connection(Runnable closed) {
    return (Connection)
        Proxy.newProxyInstance(
            StubConnections.class.getClassLoader(),
            new Class<?>[] {Connection.class},
            (proxy, method, arguments) -> {
              assertThat(method.getName()).isEqualTo("close");
              closed.run();
              return null;
            });
  }

  @Override
  public Connection getConnection() throws SQLException {
    try {
      return connections.call();
    } catch (SQLException e) {
      throw e;
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }
}
