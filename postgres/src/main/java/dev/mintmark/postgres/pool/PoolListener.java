package dev.mintmark.postgres.pool;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.OptionalInt;
import java.util.UUID;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.function.IntConsumer;
import java.util.regex.Pattern;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.postgresql.PGConnection;
import org.postgresql.PGNotification;

/**
 * Hears from other instances that a pool has something to hand out again: one connection that
 * listens, kept for as long as the pools are open.
 *
 * <p>Nothing depends on it but speed: what an instance remembers of an empty pool lasts for {@link
 * Pool#REMEMBERED_FOR}, heard or not. A connection that breaks is opened anew; one through a pooler
 * that hands it on after each transaction hears nothing, and nothing tells so but {@link
 * #isHearing}.
 */
final class PoolListener implements AutoCloseable {
  static final String CHANNEL = "mintmark_pool";

  /** What is sent to find out whether one is heard, before a text that nobody else sends. */
  private static final String SELF = "self ";

  private static final Pattern POOL_ID = Pattern.compile("[0-9]{1,9}");

  /** How long it waits for a notification before it asks whether the connection is alive. */
  private static final int WAIT_MILLIS = 5_000;

  private static final int ALIVE_TIMEOUT_SECONDS = 5;

  private static final long RECONNECT_NANOS = 1_000_000_000L;

  private final DataSource dataSource;
  private final IntConsumer heard;
  private final Consumer<String> send;
  private final String self = SELF + UUID.randomUUID();
  private final Thread thread = new Thread(this::run, "mintmark-pool-listener");

  private volatile boolean closed;
  private volatile boolean hearing;
  private volatile @Nullable Connection current;

  /**
   * @param heard is told the id of each pool that has something again
   * @param send sends a text to all who listen, through another connection
   */
  PoolListener(DataSource dataSource, IntConsumer heard, Consumer<String> send) {
    this.dataSource = dataSource;
    this.heard = heard;
    this.send = send;
    thread.setDaemon(true);
    thread.start();
  }

  /** Whether it has heard itself on the connection it listens on at present. */
  boolean isHearing() {
    return hearing;
  }

  private void run() {
    while (!closed) {
      try (Connection connection = dataSource.getConnection()) {
        current = connection;
        listen(connection);
      } catch (SQLException | RuntimeException e) {
        // Broken, or not to be had: try again in a while, for as long as it takes.
        LockSupport.parkNanos(RECONNECT_NANOS);
      } finally {
        hearing = false;
        current = null;
      }
    }
  }

  private void listen(Connection connection) throws SQLException {
    connection.setAutoCommit(true);
    execute(connection, "listen " + CHANNEL);
    // Through another connection: a pooler may bring back to this one what it has sent itself.
    send.accept(self);
    PGConnection listening = connection.unwrap(PGConnection.class);
    while (!closed) {
      PGNotification[] notifications = listening.getNotifications(WAIT_MILLIS);
      if (notifications == null || notifications.length == 0) {
        if (!connection.isValid(ALIVE_TIMEOUT_SECONDS)) {
          return;
        }
        continue;
      }
      for (PGNotification notification : notifications) {
        hear(notification);
      }
    }
  }

  private void hear(PGNotification notification) {
    if (!notification.getName().equals(CHANNEL)) {
      return;
    }
    if (notification.getParameter().equals(self)) {
      hearing = true;
    }
    poolId(notification.getParameter()).ifPresent(heard);
  }

  /** The pool of a notification; anybody may send one, so none where it is no number. */
  private static OptionalInt poolId(String payload) {
    return POOL_ID.matcher(payload).matches()
        ? OptionalInt.of(Integer.parseInt(payload))
        : OptionalInt.empty();
  }

  private static void execute(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  @Override
  public void close() {
    closed = true;
    Connection connection = current;
    if (connection != null) {
      try {
        connection.abort(Runnable::run);
      } catch (SQLException e) {
        // Gone already.
      }
    }
    LockSupport.unpark(thread);
  }
}
