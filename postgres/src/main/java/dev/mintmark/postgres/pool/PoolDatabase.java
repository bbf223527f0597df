package dev.mintmark.postgres.pool;

import dev.mintmark.DurationText;
import dev.mintmark.PoolSpec;
import dev.mintmark.Quoted;
import dev.mintmark.postgres.RowReader;
import dev.mintmark.postgres.internal.LockTimeout;
import dev.mintmark.postgres.internal.SqlFile;
import dev.mintmark.postgres.internal.Transactions;
import dev.mintmark.postgres.internal.Transactions.Bind;
import dev.mintmark.postgres.internal.Transactions.Work;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.function.Supplier;
import javax.sql.DataSource;

/**
 * Runs the statements of one pool, or of all pools. A failure names the pool. Safe for use by many
 * threads.
 */
final class PoolDatabase {
  static final String UNIQUE_VIOLATION = "23505";

  /** How long a statement may take that claims wait for; then its connection is closed. */
  private static final Duration PROMPT = Duration.ofSeconds(5);

  /** Feature not supported, undefined function. */
  private static final List<String> UNSUPPORTED = List.of("0A000", "42883");

  private static final String UNDEFINED_TABLE = "42P01";

  /** SQLSTATE class. */
  private static final String DATA_EXCEPTION = "22";

  private final String subject;
  private final Optional<String> name;
  private final Transactions transactions;

  private PoolDatabase(String subject, Optional<String> name, Transactions transactions) {
    this.subject = subject;
    this.name = name;
    this.transactions = transactions;
  }

  /** For the statements of all pools of a database. */
  static PoolDatabase of(DataSource dataSource) {
    return new PoolDatabase("all pools", Optional.empty(), new Transactions(dataSource));
  }

  /** As {@link #of}, for one of several databases. */
  static PoolDatabase named(String name, DataSource dataSource) {
    PoolSpec.checkDatabase(name);
    return new PoolDatabase(
        "all pools of " + Quoted.of(name), Optional.of(name), new Transactions(dataSource));
  }

  /** The same database, for the statements of one pool. */
  PoolDatabase forPool(String pool) {
    return with("pool " + Quoted.of(pool), transactions);
  }

  private PoolDatabase with(String subject, Transactions transactions) {
    return new PoolDatabase(subject, name, transactions);
  }

  /** The name of the database, if it is one of several. */
  Optional<String> name() {
    return name;
  }

  /**
   * The same, for statements that find their rows by indexes and take milliseconds: a statement
   * fails after {@link #PROMPT}, so that a session that hangs does not hold up its callers for
   * long.
   */
  PoolDatabase prompt() {
    return with(subject, transactions.within(PROMPT).byIndex());
  }

  /**
   * The same, for statements that wait for a lock for a limited time. It takes no round trip of its
   * own.
   */
  PoolDatabase withLockLimit(Duration limit) {
    return with(subject, transactions.withLockLimit(limit));
  }

  /**
   * Runs statements that change the rows they find and return how many, until two runs in a row
   * find none: what one run waited for, only the next run sees.
   */
  static <E extends Exception> void untilNothingIsFound(Changes<E> statements) throws E {
    int inVain = 0;
    while (inVain < 2) {
      inVain = statements.run() == 0 ? inVain + 1 : 0;
    }
  }

  /** Statements that change rows and return how many. */
  interface Changes<E extends Exception> {
    long run() throws E;
  }

  /** How many statements were sent to the database so far, for all pools. */
  long statements() {
    return transactions.statements();
  }

  /**
   * Runs one statement; repeats it after a conflict, and once after a broken connection. Only for
   * statements that may run twice.
   */
  <T> List<T> query(SqlFile statement, RowReader<T> reader, Bind... binds) {
    return single(statements -> statements.query(statement, reader, binds));
  }

  /** Runs one statement that must not run twice. */
  <T> List<T> queryWithoutRepeat(SqlFile statement, RowReader<T> reader, Bind... binds) {
    return once(
        () -> transactions.single(statements -> statements.query(statement, reader, binds)));
  }

  /** Runs several statements on one connection, each in a transaction of its own. */
  <T> T single(Work<T> work) {
    return repeating(() -> transactions.single(work));
  }

  /**
   * Runs several statements in one transaction; repeats it after a conflict, and once after a
   * broken connection. Only for transactions that may run twice.
   *
   * @param keep whether the transaction is committed; otherwise it is rolled back
   */
  <T> T transaction(Work<T> work, Predicate<T> keep) {
    return repeating(() -> transactions.transaction(work, keep));
  }

  /** Runs several statements in one transaction that must not run twice. */
  <T> T transactionWithoutRepeat(Work<T> work, Predicate<T> keep) {
    return once(() -> transactions.transaction(work, keep));
  }

  /** What such statements return; empty if one of them waited in vain for a lock. */
  static <T> Optional<T> unlessLocked(Supplier<T> statements) {
    try {
      return Optional.of(statements.get());
    } catch (PoolUnavailableException e) {
      if (hasState(e, LockTimeout.SQLSTATE)) {
        return Optional.empty();
      }
      throw e;
    }
  }

  /**
   * Like {@link #transaction}; empty if a statement waited in vain for a lock.
   *
   * @param patience how long each statement waits for a lock
   */
  <T> Optional<T> transaction(Duration patience, Work<T> work, Predicate<T> keep) {
    return unlessLocked(
        () -> transaction(statements -> LockTimeout.within(patience, statements, work), keep));
  }

  /**
   * Like {@link #transaction(Duration, Work, Predicate)}; returns an empty list if a row that it
   * would insert exists already.
   */
  <T> Optional<List<T>> transactionUnlessTaken(Duration patience, Work<List<T>> work) {
    try {
      return transaction(patience, work, rows -> true);
    } catch (PoolUnavailableException e) {
      if (hasState(e, UNIQUE_VIOLATION)) {
        return Optional.of(List.of());
      }
      throw e;
    }
  }

  private static boolean hasState(PoolUnavailableException e, String state) {
    return e.getCause() instanceof SQLException cause && state.equals(cause.getSQLState());
  }

  private interface Attempt<T> {
    T run() throws SQLException;
  }

  private <T> T once(Attempt<T> attempt) {
    long began = System.nanoTime();
    try {
      return attempt.run();
    } catch (SQLException e) {
      throw failure(e, 1, began);
    }
  }

  private <T> T repeating(Attempt<T> attempt) {
    long began = System.nanoTime();
    try {
      return attempt.run();
    } catch (SQLException e) {
      if (!Transactions.isConnectionFailure(e)) {
        throw failure(e, 1, began);
      }
    }
    try {
      return attempt.run();
    } catch (SQLException e) {
      throw failure(e, 2, began);
    }
  }

  private PoolUnavailableException failure(SQLException cause, int attempts, long began) {
    if (isTableMissing(cause)) {
      return new PoolUnavailableException(
          ("%s: the database has no tables of pools: run the migrations at Pools.MIGRATIONS (%s), or"
                  + " the script that mintmark pool schema prints")
              .formatted(subject, Pools.MIGRATIONS),
          cause);
    }
    Duration waited = Duration.ofMillis((System.nanoTime() - began) / 1_000_000);
    return new PoolUnavailableException(
        "%s: the database failed: %s (attempts=%s, waited=%s)"
            .formatted(subject, cause.getMessage(), attempts, DurationText.format(waited)),
        cause);
  }

  static boolean isTableMissing(SQLException e) {
    return UNDEFINED_TABLE.equals(e.getSQLState());
  }

  /**
   * Whether the database cannot take a value of the statement, such as a name with a character that
   * its encoding lacks. The statement has changed nothing.
   */
  static boolean isDataException(PoolUnavailableException e) {
    return e.getCause() instanceof SQLException cause
        && cause.getSQLState() != null
        && cause.getSQLState().startsWith(DATA_EXCEPTION);
  }

  /** Whether the database does not support what was asked for, such as notifications. */
  static boolean isUnsupported(PoolUnavailableException e) {
    return e.getCause() instanceof SQLException cause
        && cause.getSQLState() != null
        && UNSUPPORTED.contains(cause.getSQLState());
  }
}
