package dev.mintmark.app.database;

import dev.mintmark.embedded.StartupException;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.time.Duration;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * One connection to a database that a command may not need, or that may not answer: the database is
 * opened when somebody asks for it. Safe for use by several threads.
 */
public final class ConnectionOnDemand extends WrappedConnections implements CloseAtExit.Resource {
  /** A command asks several times in a row: a database that does not answer is waited for once. */
  private static final Duration REMEMBERED_FOR = Duration.ofSeconds(1);

  private final DatabaseAddress address;
  private @Nullable Database database;
  private @Nullable DataSource opened;
  private @Nullable StartupException failure;
  private long failedNanos;

  public ConnectionOnDemand(DatabaseAddress address) {
    super(new DriverConnections(address, "mintmark", Duration.ZERO));
    this.address = address;
  }

  @Override
  public Connection getConnection() throws SQLException {
    return opened().getConnection();
  }

  private synchronized DataSource opened() throws SQLException {
    DataSource known = opened;
    if (known != null) {
      return known;
    }
    StartupException remembered = failure;
    if (remembered != null && System.nanoTime() - failedNanos < REMEMBERED_FOR.toNanos()) {
      throw failed(remembered);
    }
    try {
      Database connected = Database.connectToUse(address);
      database = connected;
      DataSource connection = connected.connection();
      opened = connection;
      return connection;
    } catch (StartupException e) {
      failure = e;
      failedNanos = System.nanoTime();
      throw failed(e);
    }
  }

  private static SQLException failed(StartupException e) {
    return new SQLTransientConnectionException(e.getMessage(), FailFastConnections.UNREACHABLE, e);
  }

  @Override
  public synchronized void close() {
    Database connected = database;
    if (connected != null) {
      connected.close();
    }
  }
}
