package dev.mintmark.app.database;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.time.Duration;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * Connections to a database that may not have been there yet. They fail at once until it was
 * opened. Safe for use by many threads.
 */
public final class LateConnections extends WrappedConnections {
  private final String name;
  private volatile @Nullable DataSource opened;

  /** The database was not opened yet. */
  public static final class NotOpenedException extends SQLTransientConnectionException {
    private static final long serialVersionUID = 1L;

    private NotOpenedException(String name) {
      super("the database " + name + " has not answered yet", FailFastConnections.UNREACHABLE);
    }
  }

  /**
   * @param name the name of the database among those of pools
   * @param address its address
   */
  public LateConnections(String name, DatabaseAddress address) {
    super(new DriverConnections(address, "mintmark", Duration.ZERO));
    this.name = name;
  }

  /** From now on connections come from {@code connections}. */
  public void open(DataSource connections) {
    opened = connections;
  }

  @Override
  public Connection getConnection() throws SQLException {
    DataSource connections = opened;
    if (connections == null) {
      throw new NotOpenedException(name);
    }
    return connections.getConnection();
  }

  /** Whether a failure is that of a database that was not opened yet. */
  public static boolean isNotOpened(Throwable failure) {
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      if (cause instanceof NotOpenedException) {
        return true;
      }
    }
    return false;
  }
}
