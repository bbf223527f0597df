package dev.mintmark.app.database;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * One connection to the database, for a command: whoever asks gets it after the one before has
 * closed it, and it stays open if it is to be kept. A connection that is broken, or does not answer
 * after a pause, is replaced. Safe for use by several threads.
 *
 * <p>A connection pool does the same and more, and takes a tenth of a second to start.
 */
final class OneConnection extends WrappedConnections implements AutoCloseable {
  /** A connection that was used a moment ago is not tested again. */
  private static final Duration FRESH = Duration.ofMillis(500);

  private static final int TEST_SECONDS = 5;

  private final DataSource driver;
  private final Duration patience;
  private final Semaphore free = new Semaphore(1);
  private volatile @Nullable Connection connection;
  private volatile boolean kept;
  private volatile boolean closed;
  private long usedNanos;

  /**
   * @param driver opens connections
   * @param patience how long a caller waits for the one before
   */
  OneConnection(DataSource driver, Duration patience) {
    super(driver);
    this.driver = driver;
    this.patience = patience;
  }

  /** From now on the connection stays open; before, it is closed when it is given back. */
  void keep() {
    kept = true;
  }

  @Override
  public Connection getConnection() throws SQLException {
    checkOpen();
    try {
      if (!free.tryAcquire(patience.toMillis(), TimeUnit.MILLISECONDS)) {
        throw new SQLTransientConnectionException("the only connection is in use");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new SQLException("interrupted", e);
    }
    boolean lent = false;
    try {
      Connection lending = working();
      Connection answer =
          (Connection)
              Proxy.newProxyInstance(
                  OneConnection.class.getClassLoader(),
                  new Class<?>[] {Connection.class},
                  new Loan(lending));
      lent = true;
      return answer;
    } finally {
      if (!lent) {
        free.release();
      }
    }
  }

  private void checkOpen() throws SQLException {
    if (closed) {
      throw new SQLException("closed");
    }
  }

  private Connection working() throws SQLException {
    checkOpen();
    Connection known = connection;
    if (known != null && !known.isClosed()) {
      if (System.nanoTime() - usedNanos < FRESH.toNanos() || known.isValid(TEST_SECONDS)) {
        return known;
      }
      known.abort(Runnable::run);
    }
    Connection opened = driver.getConnection();
    connection = opened;
    if (closed) {
      opened.close();
      throw new SQLException("closed");
    }
    return opened;
  }

  /** Gives a connection back as it was lent; one that cannot be reset is not used again. */
  private void takeBack(Connection lent) throws SQLException {
    try {
      if (!kept) {
        lent.close();
      } else if (!lent.isClosed()) {
        if (!lent.getAutoCommit()) {
          lent.rollback();
          lent.setAutoCommit(true);
        }
        if (lent.isReadOnly()) {
          lent.setReadOnly(false);
        }
      }
    } catch (SQLException e) {
      lent.abort(Runnable::run);
    } finally {
      usedNanos = System.nanoTime();
      free.release();
    }
  }

  /** Closes the connection, also while it is in use. */
  @Override
  public void close() {
    closed = true;
    Connection known = connection;
    if (known == null) {
      return;
    }
    try {
      if (free.tryAcquire()) {
        free.release();
        known.close();
      } else {
        known.abort(Runnable::run);
      }
    } catch (SQLException e) {
      // It is closed, or about to be: the process ends.
    }
  }

  /** The connection while one caller has it. */
  private final class Loan implements InvocationHandler {
    private final Connection lent;
    private boolean ended;

    Loan(Connection lent) {
      this.lent = lent;
    }

    @Override
    public @Nullable Object invoke(Object proxy, Method method, Object @Nullable [] arguments)
        throws Throwable {
      switch (method.getName()) {
        case "close" -> {
          if (!ended) {
            ended = true;
            takeBack(lent);
          }
          return null;
        }
        case "isClosed" -> {
          return ended || lent.isClosed();
        }
        case "equals" -> {
          return proxy == Objects.requireNonNull(arguments)[0];
        }
        case "hashCode" -> {
          return System.identityHashCode(proxy);
        }
        case "toString" -> {
          return "loan of " + lent;
        }
        default -> {
          if (ended) {
            throw new SQLException("the connection was given back");
          }
          try {
            return method.invoke(lent, arguments);
          } catch (InvocationTargetException e) {
            throw e.getCause();
          }
        }
      }
    }
  }

  @Override
  public Connection getConnection(String user, String password) throws SQLException {
    throw new SQLException("the login is that of the address");
  }
}
