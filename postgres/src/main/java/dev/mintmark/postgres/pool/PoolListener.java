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
 * Receives notifications of other instances that a pool has free values again, on one connection
 * that stays open for as long as the pools are open.
 *
 * <p>Only speed depends on it: an instance remembers an empty pool for {@link Pool#REMEMBERED_FOR}
 * at most, with or without notifications. A connection that breaks is opened again. A connection
 * through a pooler in transaction mode receives nothing; only {@link #isHearing} shows that.
 */
final class PoolListener implements AutoCloseable {
  static final String CHANNEL = "mintmark_pool";

  /**
   * The beginning of the notification that this instance sends to itself; a unique text follows.
   */
  private static final String SELF = "self ";

  private static final Pattern POOL_ID = Pattern.compile("[0-9]{1,9}");

  /** How long it waits for a notification before it checks that the connection is alive. */
  private static final int WAIT_MILLIS = 5_000;

  private static final int ALIVE_TIMEOUT_SECONDS = 5;

  /** How long {@link #close} waits for the thread to give the connection back. */
  private static final int END_MILLIS = 5_000;

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
   * @param heard receives the id of each pool that has free values again
   * @param send sends a notification through another connection
   */
  PoolListener(DataSource dataSource, IntConsumer heard, Consumer<String> send) {
    this.dataSource = dataSource;
    this.heard = heard;
    this.send = send;
    thread.setDaemon(true);
    thread.start();
  }

  /** Whether it has received its own notification on the present connection. */
  boolean isHearing() {
    return hearing;
  }

  private void run() {
    while (!closed) {
      try (Connection connection = dataSource.getConnection()) {
        current = connection;
        listen(connection);
      } catch (SQLException | RuntimeException e) {
        // No connection, or a broken one: connect again after a pause, without a limit.
        hearing = false;
        if (!closed) {
          LockSupport.parkNanos(RECONNECT_NANOS);
        }
      } finally {
        hearing = false;
        current = null;
      }
    }
  }

  private void listen(Connection connection) throws SQLException {
    connection.setAutoCommit(true);
    execute(connection, "listen " + CHANNEL);
    // Through another connection: a pooler might return to this one what it has sent itself.
    send.accept(self);
    if (hearsUntilClosed(connection)) {
      // Its pool may give the connection to callers who would never read what they are sent.
      execute(connection, "unlisten " + CHANNEL);
    }
  }

  /** Returns false if the server does not answer any more. */
  private boolean hearsUntilClosed(Connection connection) throws SQLException {
    PGConnection listening = connection.unwrap(PGConnection.class);
    while (!closed) {
      PGNotification[] notifications = listening.getNotifications(WAIT_MILLIS);
      if (notifications == null || notifications.length == 0) {
        if (!connection.isValid(ALIVE_TIMEOUT_SECONDS)) {
          return false;
        }
        if (!hearing) {
          // The one before is lost if no other connection could be opened then.
          send.accept(self);
        }
        continue;
      }
      for (PGNotification notification : notifications) {
        hear(notification);
      }
    }
    return true;
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

  /** The pool of a notification, or empty: any session may send one with any text. */
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
    LockSupport.unpark(thread);
    if (hearing) {
      endByNotification();
    }
    Connection connection = current;
    if (connection != null) {
      try {
        connection.abort(Runnable::run);
      } catch (SQLException e) {
        // It is closed already.
      }
    }
  }

  /**
   * Sends the thread a notification, so that it gives its connection back unharmed. A pool of
   * connections would report one that was aborted as broken.
   */
  private void endByNotification() {
    Thread sender = new Thread(this::sendToItself, "mintmark-pool-listener-end");
    sender.setDaemon(true);
    sender.start();
    try {
      thread.join(END_MILLIS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /**
   * Whatever fails is of no interest: if this takes longer than it is waited for, the connections
   * are closed meanwhile, at which those of a pool fail in many ways.
   */
  private void sendToItself() {
    try {
      send.accept(self);
    } catch (RuntimeException e) {
      // The thread is ended in another way.
    }
  }
}
