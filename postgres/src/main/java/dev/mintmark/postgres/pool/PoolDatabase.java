package dev.mintmark.postgres.pool;

import dev.mintmark.postgres.RowReader;
import dev.mintmark.postgres.internal.Rollback;
import dev.mintmark.postgres.internal.SqlFile;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * Runs the statements of pools, each on a connection of its own and in a transaction of its own,
 * and counts them. Safe for use by many threads.
 */
final class PoolDatabase {
  private static final SqlFile BEGIN = SqlFile.load(PoolDatabase.class, "begin");

  private static final String UNIQUE_VIOLATION = "23505";

  /** Feature not supported, undefined function. */
  private static final List<String> UNSUPPORTED = List.of("0A000", "42883");

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

  /** Where statements go: each for itself, or all of them into one transaction. */
  interface Statements {
    <T> List<T> query(SqlFile statement, RowReader<T> reader, Bind... binds) throws SQLException;

    /** The same for one that names what cannot be bound, through {@code SqlName}. */
    <T> List<T> query(String sql, RowReader<T> reader) throws SQLException;

    /** Runs one that answers how many rows it changed. */
    int update(SqlFile statement, Bind... binds) throws SQLException;

    /** Runs one that names what cannot be bound, through {@code SqlName}. */
    void execute(String sql) throws SQLException;
  }

  /** Several statements that go together. */
  interface Together<T> {
    T run(Statements statements) throws SQLException;
  }

  /**
   * Runs statements that change whatever rows they find, and answer how many, until two runs in a
   * row find nothing: what one waited for, only the next one sees.
   */
  static void untilNothingIsFound(LongSupplier statements) {
    int inVain = 0;
    while (inVain < 2) {
      inVain = statements.getAsLong() == 0 ? inVain + 1 : 0;
    }
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
    return repeating(pool, () -> queryOnce(statement, reader, binds));
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

  private <T> List<T> queryOnce(SqlFile statement, RowReader<T> reader, Bind... binds)
      throws SQLException {
    return withoutConflict(connection -> on(connection).query(statement, reader, binds));
  }

  /** Runs several statements, each for itself and on one connection. */
  <T> T single(String pool, Together<T> work) {
    return repeating(pool, () -> withoutConflict(connection -> work.run(on(connection))));
  }

  /**
   * Runs several statements in one transaction, again where a conflict undid it, and once again
   * where the connection broke: only for what may happen twice.
   *
   * @param keep whether the transaction is kept or undone
   */
  <T> T transaction(String pool, Together<T> work, Predicate<T> keep) {
    return repeating(pool, () -> transaction(work, keep));
  }

  /** Runs several statements in one transaction that must not happen twice. */
  <T> T transactionWithoutRepeat(String pool, Together<T> work, Predicate<T> keep) {
    try {
      return transaction(work, keep);
    } catch (SQLException e) {
      throw new PoolUnavailableException(pool, e);
    }
  }

  /**
   * Like {@link #transaction}; answers nothing where a row that it would write is there already.
   */
  <T> List<T> transactionUnlessTaken(String pool, Together<List<T>> work) {
    try {
      return transaction(pool, work, rows -> true);
    } catch (PoolUnavailableException e) {
      if (e.getCause() instanceof SQLException cause
          && UNIQUE_VIOLATION.equals(cause.getSQLState())) {
        return List.of();
      }
      throw e;
    }
  }

  /** Runs several statements in one transaction, again where a conflict undid it. */
  <T> T transaction(Together<T> work, Predicate<T> keep) throws SQLException {
    return withoutConflict(
        connection -> {
          connection.setAutoCommit(false);
          try {
            int unused = on(connection).update(BEGIN);
            T result = work.run(on(connection));
            if (keep.test(result)) {
              connection.commit();
            } else {
              connection.rollback();
            }
            return result;
          } catch (Throwable e) {
            Rollback.after(e, connection);
            throw e;
          } finally {
            connection.setAutoCommit(true);
          }
        });
  }

  private Statements on(Connection connection) {
    return new Statements() {
      @Override
      public <T> List<T> query(SqlFile statement, RowReader<T> reader, Bind... binds)
          throws SQLException {
        statements.increment();
        return statement.query(connection, values(binds), reader);
      }

      @Override
      public <T> List<T> query(String sql, RowReader<T> reader) throws SQLException {
        statements.increment();
        List<T> rows = new ArrayList<>();
        try (Statement statement = connection.createStatement();
            ResultSet row = statement.executeQuery(sql)) {
          while (row.next()) {
            rows.add(reader.read(row));
          }
        }
        return rows;
      }

      @Override
      public int update(SqlFile statement, Bind... binds) throws SQLException {
        statements.increment();
        try (PreparedStatement prepared = statement.prepare(connection, values(binds))) {
          return prepared.executeUpdate();
        }
      }

      @Override
      public void execute(String sql) throws SQLException {
        statements.increment();
        try (Statement statement = connection.createStatement()) {
          statement.execute(sql);
        }
      }
    };
  }

  /** Something on a connection of its own. */
  private interface Work<T> {
    T run(Connection connection) throws SQLException;
  }

  private interface Attempt<T> {
    T run() throws SQLException;
  }

  private <T> T repeating(String pool, Attempt<T> attempt) {
    try {
      try {
        return attempt.run();
      } catch (SQLException e) {
        if (!isConnectionFailure(e)) {
          throw e;
        }
      }
      return attempt.run();
    } catch (SQLException e) {
      throw new PoolUnavailableException(pool, e);
    }
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

  /** Whether the database does not know what it was asked for, such as notifications. */
  static boolean isUnsupported(PoolUnavailableException e) {
    return e.getCause() instanceof SQLException cause && UNSUPPORTED.contains(cause.getSQLState());
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
