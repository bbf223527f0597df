package dev.mintmark.postgres.pool;

import dev.mintmark.fixtures.Patience;
import dev.mintmark.fixtures.TestDatabase;
import dev.mintmark.postgres.internal.SqlFile;
import dev.mintmark.postgres.internal.Transactions;
import dev.mintmark.postgres.pool.ClaimResult.Contended;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/**
 * A session that leaves its transaction open between statements, so that a test decides in which
 * order they happen among those of others.
 */
final class Session implements AutoCloseable {

  private final Connection connection;

  Session(TestDatabase database) {
    try {
      connection = database.dataSource().getConnection();
      connection.setAutoCommit(false);
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  Session run(String sql) {
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
      return this;
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  /** The first column of the first row. */
  String value(String sql) {
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(sql)) {
      row.next();
      return row.getString(1);
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  /** One of the statements of pools; the first column of each row. */
  List<String> run(String name, Map<String, ?> binds) {
    try {
      return SqlFile.load(Pool.class, name).query(connection, binds, row -> row.getString(1));
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Begins a transaction as the pools do. */
  void begin() {
    try (var statement = SqlFile.load(Transactions.class, "begin").prepare(connection, Map.of())) {
      statement.executeUpdate();
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  void commit() {
    try {
      connection.commit();
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  void rollback() {
    try {
      connection.rollback();
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Rolls back what is not committed. */
  @Override
  public void close() {
    try {
      connection.close();
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Waits until so many sessions of the database wait for a lock. */
  static void awaitWaiting(TestDatabase database, int sessions) {
    awaitWaiting(database, sessions, new CompletableFuture<>());
  }

  /** The same, or until something is done that waits for no longer. */
  static void awaitWaiting(TestDatabase database, int sessions, CompletableFuture<?> orDone) {
    await(
        sessions + " sessions wait for a lock",
        () ->
            orDone.isDone()
                || database.number(
                        "select count(*) from pg_stat_activity"
                            + " where datname = current_database() and wait_event_type = 'Lock'")
                    >= sessions);
  }

  static void await(String what, BooleanSupplier condition) {
    Patience.await(what, condition);
  }

  /**
   * Repeats a request while its answer is that a lock, a connection or the move of a pool takes
   * longer than pools wait for it.
   */
  static <T> T repeated(Supplier<T> request) {
    return Patience.awaitValue(
        "an answer",
        () -> {
          try {
            return Optional.of(request.get()).filter(answer -> !(answer instanceof Contended));
          } catch (PoolUnavailableException e) {
            return Optional.empty();
          }
        });
  }

  /** What comes of something that waits for others, awaited with patience. */
  static <T> T join(CompletableFuture<T> result) {
    return result.orTimeout(Patience.MAX.toSeconds(), TimeUnit.SECONDS).join();
  }
}
