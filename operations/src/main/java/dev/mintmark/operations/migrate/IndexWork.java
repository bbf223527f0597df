package dev.mintmark.operations.migrate;

import dev.mintmark.postgres.internal.SqlFile;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.LongConsumer;
import javax.sql.DataSource;

/**
 * Creates and drops indexes concurrently: outside a transaction, and without a limit for waits,
 * because no session waits behind it.
 */
final class IndexWork {
  private static final SqlFile FIND = SqlFile.load(IndexWork.class, "find_index");
  private static final SqlFile PROGRESS = SqlFile.load(IndexWork.class, "index_progress");

  /** From when on it asks how far the index is, and how often. */
  private static final Duration QUICK = Duration.ofSeconds(2);

  private static final Duration INTERVAL = Duration.ofSeconds(1);

  private final RunnerSession session;
  private final DataSource others;

  /**
   * @param others connections, one of which is used to ask how far a long one is
   */
  IndexWork(RunnerSession session, DataSource others) {
    this.session = session;
    this.others = others;
  }

  private record Found(String name, boolean isValid) {}

  /** Whether there is a valid index by the name of the step's. */
  boolean exists(Step step) throws SQLException {
    return find(step).filter(Found::isValid).isPresent();
  }

  /**
   * Creates the index if it does not exist. Drops first what an interrupted run left, and after a
   * failure what is left.
   *
   * @param progress receives the number of rows that are done, from time to time, in this thread
   */
  void make(Step step, LongConsumer progress) throws SQLException {
    if (exists(step)) {
      return;
    }
    drop(step);
    try {
      executeListening(step, progress);
    } catch (SQLException e) {
      dropAfter(e, step);
      throw e;
    }
  }

  /** Drops the index, if there is one by that name. */
  void drop(Step step) throws SQLException {
    Optional<Found> index = find(step);
    if (index.isPresent()) {
      execute("drop index concurrently if exists " + index.get().name());
    }
  }

  private void dropAfter(SQLException reason, Step step) {
    try {
      drop(step);
    } catch (SQLException e) {
      reason.addSuppressed(e);
    }
  }

  private Optional<Found> find(Step step) throws SQLException {
    return FIND
        .query(
            session.unbounded(),
            Map.of("index", step.target()),
            row -> new Found(row.getString("name"), row.getBoolean("is_valid")))
        .stream()
        .findFirst();
  }

  private void execute(String sql) throws SQLException {
    try (Statement statement = session.unbounded().createStatement()) {
      statement.execute(sql);
    }
  }

  /** The statement has a thread of its own, so that the listener is called in this one. */
  private void executeListening(Step step, LongConsumer progress) throws SQLException {
    try (Statement statement = session.unbounded().createStatement()) {
      FutureTask<Boolean> making = new FutureTask<>(() -> statement.execute(step.apply().get(0)));
      Thread thread = new Thread(making, "mintmark-index");
      thread.setDaemon(true);
      thread.start();
      try {
        if (!isDoneWithin(making, QUICK)) {
          tellProgress(step, making, progress);
        }
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw Pause.interrupted();
      } finally {
        if (!making.isDone()) {
          statement.cancel();
          joinQuietly(thread);
        }
      }
    }
  }

  private static boolean isDoneWithin(FutureTask<Boolean> making, Duration howLong)
      throws SQLException, InterruptedException {
    try {
      making.get(howLong.toMillis(), TimeUnit.MILLISECONDS);
      return true;
    } catch (TimeoutException e) {
      return false;
    } catch (ExecutionException e) {
      if (e.getCause() instanceof SQLException cause) {
        throw cause;
      }
      throw new IllegalStateException(e.getCause());
    }
  }

  private void tellProgress(Step step, FutureTask<Boolean> making, LongConsumer progress)
      throws SQLException, InterruptedException {
    long rows = 0;
    do {
      long now = rowsDone(step).orElse(0);
      if (now > rows) {
        rows = now;
        progress.accept(rows);
      }
    } while (!isDoneWithin(making, INTERVAL));
  }

  /** If there is no other connection, the index is created without progress. */
  private OptionalLong rowsDone(Step step) {
    try (Connection connection = others.getConnection()) {
      connection.setAutoCommit(true);
      return PROGRESS
          .query(
              connection,
              Map.of("pid", session.pid(), "rows", step.estimate().rows()),
              row -> row.getLong("rows"))
          .stream()
          .mapToLong(Long::longValue)
          .findFirst();
    } catch (SQLException e) {
      return OptionalLong.empty();
    }
  }

  private static void joinQuietly(Thread thread) {
    boolean interrupted = false;
    while (thread.isAlive()) {
      try {
        thread.join();
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
