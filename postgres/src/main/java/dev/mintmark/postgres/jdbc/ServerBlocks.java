package dev.mintmark.postgres.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * Identifiers of one transaction, which the server mints in blocks. {@link ServerMint#blocks}
 * creates them.
 *
 * <p>Close them before the transaction ends: an id that was left over would be older than the next
 * transaction. Closing drops what is left over. It sends no statement and does not close the
 * connection.
 *
 * <p>For one thread, like the connection.
 *
 * @param <T> the identifiers
 */
public final class ServerBlocks<T> implements AutoCloseable {
  private final ServerMint<T> mint;
  private final Connection connection;
  private final int size;
  private final Deque<T> left = new ArrayDeque<>();
  private boolean closed;

  ServerBlocks(ServerMint<T> mint, Connection connection, int size) {
    this.mint = mint;
    this.connection = connection;
    this.size = size;
  }

  /**
   * Returns the next id. Each block costs one statement.
   *
   * @throws IllegalStateException after {@link #close}, or if the connection is in auto-commit mode
   * @throws SQLException as {@link ServerMint#take} throws it
   */
  public T take() throws SQLException {
    if (closed) {
      throw new IllegalStateException(
          "%s: closed: take the blocks of the current transaction".formatted(mint));
    }
    if (left.isEmpty()) {
      left.addAll(mint.take(connection, size));
    }
    return left.remove();
  }

  /** Drops the ids that are left over. */
  @Override
  public void close() {
    closed = true;
    left.clear();
  }
}
