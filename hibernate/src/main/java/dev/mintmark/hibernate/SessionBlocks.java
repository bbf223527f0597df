package dev.mintmark.hibernate;

import dev.mintmark.postgres.jdbc.ServerMint;
import java.util.ArrayDeque;
import java.util.Collections;
import java.util.Map;
import java.util.Queue;
import java.util.WeakHashMap;
import org.hibernate.HibernateException;
import org.hibernate.engine.spi.SharedSessionContractImplementor;
import org.hibernate.resource.transaction.spi.TransactionCoordinator;
import org.hibernate.resource.transaction.spi.TransactionObserver;

/**
 * Ids that the server mints in blocks, for each session those of its current transaction. What is
 * left over is dropped when the transaction ends: in the next one it would be older than the
 * transaction.
 *
 * <p>Safe in any number of threads. A session is used by one thread at a time.
 */
final class SessionBlocks<T> {
  private final String attribute;
  private final ServerMint<T> mint;
  private final int size;
  private final Map<SharedSessionContractImplementor, Queue<T>> left =
      Collections.synchronizedMap(new WeakHashMap<>());

  /**
   * @throws IllegalArgumentException if the size of a block is out of range
   */
  SessionBlocks(String attribute, ServerMint<T> mint, int size) {
    if (size < 1 || size > ServerMint.COUNT_MAX) {
      throw new IllegalArgumentException(
          "block = %s: expected 1 to %s".formatted(size, ServerMint.COUNT_MAX));
    }
    this.attribute = attribute;
    this.mint = mint;
    this.size = size;
  }

  /**
   * Returns the next id of the session's transaction.
   *
   * @throws HibernateException if the session is in no transaction
   */
  T next(SharedSessionContractImplementor session) {
    if (!session.isTransactionInProgress()) {
      throw new HibernateException(
          "%s: persist outside a transaction: @Minted(by = SERVER) requires one, because the id would be older than the transaction that inserts it"
              .formatted(attribute));
    }
    Queue<T> ids = left.get(session);
    if (ids == null) {
      ids = new ArrayDeque<>();
      left.put(session, ids);
      dropAtEnd(session);
    }
    if (ids.isEmpty()) {
      ids.addAll(session.doReturningWork(connection -> mint.take(connection, size)));
    }
    return ids.remove();
  }

  /** By an observer: no synchronization can be registered while those before commit are called. */
  private void dropAtEnd(SharedSessionContractImplementor session) {
    TransactionCoordinator coordinator = session.getTransactionCoordinator();
    coordinator.addObserver(
        new TransactionObserver() {
          @Override
          public void afterBegin() {}

          @Override
          public void beforeCompletion() {}

          @Override
          public void afterCompletion(boolean successful, boolean delayed) {
            left.remove(session);
            coordinator.removeObserver(this);
          }
        });
  }
}
