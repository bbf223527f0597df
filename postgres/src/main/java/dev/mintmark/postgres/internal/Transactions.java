package dev.mintmark.postgres.internal;

import dev.mintmark.postgres.RowReader;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Predicate;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * Runs statements on a connection of their own, repeats what a conflict rolled back, and counts the
 * statements. Safe for use by many threads.
 *
 * <p>Functions, operators and types of the statements are those of {@code pg_catalog}, whatever the
 * {@code search_path} of the role or the database is and whatever other roles have created: the
 * path is pinned in each transaction, in the same round trip. Tables must be named with their
 * schema.
 */
public final class Transactions {
  private static final SqlFile BEGIN = SqlFile.load(Transactions.class, "begin");
  private static final SqlFile BEGIN_WITH_INDEXES =
      BEGIN.then(
          "set local enable_seqscan = off; set local plan_cache_mode = force_generic_plan; set local jit = off");

  /** Serialization failure and deadlock: the work was rolled back and may be repeated. */
  private static final Set<String> CONFLICTS = Set.of("40001", "40P01");

  /**
   * Read-only transaction: the connection leads to a standby. It was opened while the server was
   * the primary, or a pooler has chosen the server.
   */
  private static final String READ_ONLY = "25006";

  /** How often work is run at most when conflicts roll it back. */
  private static final int TRIES_MAX = 8;

  private final DataSource dataSource;
  private final LongAdder statements;
  private final Optional<Duration> limit;
  private final Optional<Duration> lockLimit;
  private final boolean byIndex;
  private final String pin;
  private final SqlFile begin;

  /** Transactions without a time limit of their own. */
  public Transactions(DataSource dataSource) {
    this(dataSource, new LongAdder(), Optional.empty(), Optional.empty(), false);
  }

  private Transactions(
      DataSource dataSource,
      LongAdder statements,
      Optional<Duration> limit,
      Optional<Duration> lockLimit,
      boolean byIndex) {
    this.dataSource = dataSource;
    this.statements = statements;
    this.limit = limit;
    this.lockLimit = lockLimit;
    this.byIndex = byIndex;
    String pinned = byIndex ? SqlFile.PIN_INDEXES : SqlFile.PIN;
    SqlFile begun = byIndex ? BEGIN_WITH_INDEXES : BEGIN;
    this.pin = lockLimit.map(locks -> LockTimeout.pinned(pinned, locks)).orElse(pinned);
    this.begin =
        lockLimit
            .map(locks -> begun.then("set local lock_timeout = " + locks.toMillis()))
            .orElse(begun);
  }

  /**
   * The same with a time limit for each statement. If the database does not answer in that time,
   * the connection is closed and the statement fails like one whose connection broke: it may still
   * take effect. The limit holds even if the server process is stopped, which a cancel request does
   * not reach.
   */
  public Transactions within(Duration limit) {
    return new Transactions(dataSource, statements, Optional.of(limit), lockLimit, byIndex);
  }

  /**
   * The same with a time limit for each wait for a lock, which takes no round trip of its own. A
   * statement that waited in vain fails with {@link LockTimeout#SQLSTATE}; so does one that is
   * cancelled after that time, since the server reports some lock timeouts so.
   */
  public Transactions withLockLimit(Duration lockLimit) {
    return new Transactions(dataSource, statements, limit, Optional.of(lockLimit), byIndex);
  }

  /**
   * The same for statements that find a few rows each: their plans are generic and use indexes,
   * whatever the statistics say. A plan that was made and kept while a table was empty, and
   * vacuumed, would read the whole table for each row while it grows. A plan for a value that the
   * statistics do not know would take any index that starts with its column, since all look as good
   * as the one for the row.
   */
  public Transactions byIndex() {
    return new Transactions(dataSource, statements, limit, lockLimit, true);
  }

  /** A parameter and its value. */
  public record Bind(String name, @Nullable Object value) {
    /** The times that PostgreSQL has: those before and after are infinite. */
    private static final Instant FIRST = Instant.parse("-4713-11-24T00:00:00Z");

    private static final Instant LAST = Instant.parse("+294276-12-31T23:59:59.999999Z");

    /** Returns a parameter with its value. */
    public static Bind bind(String name, @Nullable Object value) {
      return new Bind(name, value);
    }

    /** Returns a parameter with a time, or with null if there is none. */
    public static Bind bindTime(String name, Optional<Instant> time) {
      return bind(name, time.map(Bind::timestamp).orElse(null));
    }

    private static OffsetDateTime timestamp(Instant time) {
      if (time.isBefore(FIRST)) {
        return OffsetDateTime.MIN; // The driver sends -infinity,
      }
      return time.isAfter(LAST)
          ? OffsetDateTime.MAX // and infinity.
          : time.atOffset(ZoneOffset.UTC);
    }
  }

  /** Sends statements on one connection. */
  public interface Statements {
    /** Runs a query. */
    <T> List<T> query(SqlFile statement, RowReader<T> reader, Bind... binds) throws SQLException;

    /** Runs a query that contains names, which cannot be bound; {@link SqlName} quotes them. */
    <T> List<T> query(String sql, RowReader<T> reader) throws SQLException;

    /** Runs a statement and returns how many rows it changed. */
    int update(SqlFile statement, Bind... binds) throws SQLException;

    /** Runs a statement that contains names, which cannot be bound; {@link SqlName} quotes them. */
    void execute(String sql) throws SQLException;
  }

  /** Several statements. */
  public interface Work<T> {
    /** Runs the statements. */
    T run(Statements statements) throws SQLException;
  }

  /** How many statements were sent to the database so far. */
  public long statements() {
    return statements.sum();
  }

  /** Runs several statements on one connection, each in a transaction of its own. */
  public <T> T single(Work<T> work) throws SQLException {
    return withoutConflict(connection -> work.run(on(connection, true)));
  }

  /**
   * Runs several statements in one transaction.
   *
   * @param keep whether the transaction is committed; otherwise it is rolled back
   */
  public <T> T transaction(Work<T> work, Predicate<T> keep) throws SQLException {
    return withoutConflict(
        connection -> {
          connection.setAutoCommit(false);
          try {
            int unused = on(connection, false).update(begin);
            T result = work.run(on(connection, false));
            if (keep.test(result)) {
              connection.commit();
            } else {
              connection.rollback();
            }
            connection.setAutoCommit(true);
            return result;
          } catch (Throwable e) {
            Rollback.after(e, connection);
            throw e;
          }
        });
  }

  /**
   * @param pins whether each statement pins the search path; otherwise the transaction has
   */
  private Statements on(Connection connection, boolean pins) {
    return new Statements() {
      @Override
      public <T> List<T> query(SqlFile statement, RowReader<T> reader, Bind... binds)
          throws SQLException {
        statements.increment();
        long began = System.nanoTime();
        try {
          return pins
              ? statement.queryPinned(pin, connection, values(binds), reader)
              : statement.query(connection, values(binds), reader);
        } catch (SQLException e) {
          throw failure(e, began);
        }
      }

      @Override
      public <T> List<T> query(String sql, RowReader<T> reader) throws SQLException {
        statements.increment();
        List<T> rows = new ArrayList<>();
        try (Statement statement = connection.createStatement()) {
          statement.execute(pins ? pin + sql : sql);
          if (pins) {
            statement.getMoreResults();
          }
          try (ResultSet row = statement.getResultSet()) {
            while (row.next()) {
              rows.add(reader.read(row));
            }
          }
        }
        return rows;
      }

      @Override
      public int update(SqlFile statement, Bind... binds) throws SQLException {
        statements.increment();
        long began = System.nanoTime();
        try {
          return pins
              ? statement.updatePinned(pin, connection, values(binds))
              : statement.update(connection, values(binds));
        } catch (SQLException e) {
          throw failure(e, began);
        }
      }

      @Override
      public void execute(String sql) throws SQLException {
        statements.increment();
        try (Statement statement = connection.createStatement()) {
          statement.execute(pins ? pin + sql : sql);
        }
      }
    };
  }

  private SQLException failure(SQLException e, long beganNanos) {
    return lockLimit.map(limit -> LockTimeout.of(e, limit, beganNanos)).orElse(e);
  }

  private interface OnConnection<T> {
    T run(Connection connection) throws SQLException;
  }

  private <T> T withoutConflict(OnConnection<T> work) throws SQLException {
    for (int tries = 1; ; tries++) {
      try (Connection connection = dataSource.getConnection()) {
        return onPrimary(connection, work);
      } catch (SQLException e) {
        if (!isConflict(e)) {
          throw e;
        }
        if (tries == TRIES_MAX) {
          throw new SQLException(
              "in conflict with other transactions %s times in a row: %s"
                  .formatted(tries, e.getMessage()),
              e.getSQLState(),
              e);
        }
      }
      // A random pause: transactions that met would meet again after equal pauses.
      LockSupport.parkNanos(ThreadLocalRandom.current().nextLong(1_000_000L << tries));
    }
  }

  /** A connection to a standby is broken, so that the data source does not hand it out again. */
  private <T> T onPrimary(Connection connection, OnConnection<T> work) throws SQLException {
    try {
      return limit.isPresent() ? limited(connection, work, limit.get()) : work.run(connection);
    } catch (SQLException e) {
      if (READ_ONLY.equals(e.getSQLState())) {
        connection.abort(Runnable::run);
      }
      throw e;
    }
  }

  private static <T> T limited(Connection connection, OnConnection<T> work, Duration limit)
      throws SQLException {
    int before = connection.getNetworkTimeout();
    connection.setNetworkTimeout(Runnable::run, Math.toIntExact(limit.toMillis()));
    try {
      return work.run(connection);
    } finally {
      if (!connection.isClosed()) {
        connection.setNetworkTimeout(Runnable::run, before);
      }
    }
  }

  private static boolean isConflict(SQLException e) {
    return e.getSQLState() != null && CONFLICTS.contains(e.getSQLState());
  }

  /**
   * Whether a connection broke: SQLSTATE class 08 (connection exception), 57P01 to 57P03, the
   * server stops or starts, or 25006, it was broken because it led to a standby. Not if the data
   * source had no connection to give: that has taken its time, and would take it again.
   */
  public static boolean isConnectionFailure(SQLException e) {
    if (e instanceof SQLTransientConnectionException) {
      return false;
    }
    String state = e.getSQLState();
    return state != null
        && (state.startsWith("08") || state.startsWith("57P0") || state.equals(READ_ONLY));
  }

  private static Map<String, @Nullable Object> values(Bind... binds) {
    Map<String, @Nullable Object> values = new HashMap<>();
    for (Bind bind : binds) {
      values.put(bind.name(), bind.value());
    }
    return values;
  }
}
