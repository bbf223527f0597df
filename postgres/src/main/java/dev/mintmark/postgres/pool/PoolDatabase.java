package dev.mintmark.postgres.pool;

import dev.mintmark.postgres.RowReader;
import dev.mintmark.postgres.internal.Rollback;
import dev.mintmark.postgres.internal.SqlFile;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * Runs the statements of pools, each on a connection of its own and in a transaction of its own,
 * and counts them. Safe for use by many threads.
 */
final class PoolDatabase {
  /** Serialization failure and deadlock: the statement did nothing and may be run again. */
  private static final Set<String> CONFLICTS = Set.of("40001", "40P01");

  /** How often a statement is run at most when conflicts undo it. */
  private static final int TRIES_MAX = 8;

  private final DataSource dataSource;
  private final LongAdder statements = new LongAdder();

  PoolDatabase(DataSource dataSource) {
    this.dataSource = dataSource;
  }

  /** A parameter and its value. */
  record Bind(String name, @Nullable Object value) {
    static Bind bind(String name, @Nullable Object value) {
      return new Bind(name, value);
    }
  }

  /** Several statements in one transaction. */
  interface Work<T> {
    T run(Connection connection) throws SQLException;
  }

  /** How many statements were sent to the database so far. */
  long statements() {
    return statements.sum();
  }

  /**
   * Runs one statement, again where a conflict undid it, and once again where the connection broke:
   * only for what may happen twice.
   */
  <T> List<T> query(String pool, SqlFile statement, RowReader<T> reader, Bind... binds) {
    try {
      return queryOnce(statement, reader, binds);
    } catch (SQLException e) {
      if (!isConnectionFailure(e)) {
        throw new PoolUnavailableException(pool, e);
      }
    }
    return queryWithoutRepeat(pool, statement, reader, binds);
  }

  /** Runs one statement that must not happen twice. */
  <T> List<T> queryWithoutRepeat(
      String pool, SqlFile statement, RowReader<T> reader, Bind... binds) {
    try {
      return queryOnce(statement, reader, binds);
    } catch (SQLException e) {
      throw new PoolUnavailableException(pool, e);
    }
  }

  /** Runs several statements in one transaction, again where a conflict undid them. */
  <T> T transaction(Work<T> work) throws SQLException {
    return withoutConflict(
        connection -> {
          connection.setAutoCommit(false);
          try {
            T result = work.run(connection);
            connection.commit();
            return result;
          } catch (Throwable e) {
            Rollback.after(e, connection);
            throw e;
          } finally {
            connection.setAutoCommit(true);
          }
        });
  }

  /** Runs one statement on the connection of a transaction. */
  <T> List<T> query(Connection connection, SqlFile statement, RowReader<T> reader, Bind... binds)
      throws SQLException {
    statements.increment();
    return statement.query(connection, values(binds), reader);
  }

  /** Runs one statement that changes rows, and answers how many. */
  int update(Connection connection, SqlFile statement, Bind... binds) throws SQLException {
    statements.increment();
    try (PreparedStatement prepared = statement.prepare(connection, values(binds))) {
      return prepared.executeUpdate();
    }
  }

  private <T> List<T> queryOnce(SqlFile statement, RowReader<T> reader, Bind... binds)
      throws SQLException {
    return withoutConflict(connection -> query(connection, statement, reader, binds));
  }

  private <T> T withoutConflict(Work<T> work) throws SQLException {
    for (int tries = 1; ; tries++) {
      try (Connection connection = dataSource.getConnection()) {
        return work.run(connection);
      } catch (SQLException e) {
        if (tries == TRIES_MAX || !isConflict(e)) {
          throw e;
        }
      }
      // Not all at once again: those who met would meet once more.
      LockSupport.parkNanos(ThreadLocalRandom.current().nextLong(1_000_000L << tries));
    }
  }

  private static boolean isConflict(SQLException e) {
    return e.getSQLState() != null && CONFLICTS.contains(e.getSQLState());
  }

  /**
   * Whether a connection broke: SQLSTATE class 08 (connection exception), or 57P01 to 57P03, the
   * server goes or comes. Not where none was to be had in the first place: that took its time, and
   * would again.
   */
  private static boolean isConnectionFailure(SQLException e) {
    if (e instanceof SQLTransientConnectionException) {
      return false;
    }
    String state = e.getSQLState();
    return state != null && (state.startsWith("08") || state.startsWith("57P0"));
  }

  private static Map<String, @Nullable Object> values(Bind... binds) {
    Map<String, @Nullable Object> values = new HashMap<>();
    for (Bind bind : binds) {
      values.put(bind.name(), bind.value());
    }
    return values;
  }
}
