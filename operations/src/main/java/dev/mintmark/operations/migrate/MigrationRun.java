package dev.mintmark.operations.migrate;

import dev.mintmark.DurationText;
import dev.mintmark.operations.migrate.MigrationStore.StoredMigration;
import dev.mintmark.operations.migrate.MigrationStore.StoredStep;
import dev.mintmark.operations.migrate.RunnerSession.Bounds;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.postgresql.util.PGobject;

/**
 * One run: from where the migration is to where it was asked to go, a step at a time, or until
 * something keeps it from going on. What it knows of the migration it reads before each step.
 */
final class MigrationRun {
  /** Lock not available, deadlock, serialization failure: nothing was done, and may be again. */
  private static final Set<String> PASSING = Set.of("55P03", "40P01", "40001");

  /**
   * Backoff after a lock timeout: time for the sessions that waited behind the lock. It doubles.
   */
  private static final Duration FIRST_PAUSE = Duration.ofMillis(100);

  private static final Duration LONGEST_PAUSE = Duration.ofSeconds(10);

  /** Between batches that found nothing but rows that others have locked. */
  private static final Duration FIRST_ROW_PAUSE = Duration.ofMillis(20);

  private static final Duration LONGEST_ROW_PAUSE = Duration.ofSeconds(1);

  private final RunnerSession session;
  private final Pace pace;
  private final MigrationListener listener;
  private final WaitNotes waits;
  private final Throttle throttle;
  private final IndexWork indexes;
  private final Bounds ddl;
  private final Bounds rows;

  MigrationRun(
      RunnerSession session, DataSource connections, Pace pace, MigrationListener listener) {
    this.session = session;
    this.pace = pace;
    this.listener = listener;
    this.waits = new WaitNotes(session, listener);
    this.throttle = new Throttle(session, pace, listener, waits);
    this.indexes = new IndexWork(session, connections);
    this.ddl = new Bounds(pace.lockTimeout(), false);
    this.rows = new Bounds(pace.lockTimeout(), true);
  }

  MigrationOutcome apply(MigrationPlan plan) throws SQLException {
    long migration =
        beginning(
            connection -> {
              Optional<StoredMigration> active = active(connection);
              if (active.isPresent()) {
                throw new MigrationException(
                    "migration %s is %s: resume it, roll it back, or contract it before another one"
                        .formatted(active.get().id(), active.get().state().label()));
              }
              return MigrationStore.add(connection, plan);
            });
    return forwards(migration, MigrationState.APPLYING);
  }

  /** A migration that is already where its last run was to take it is not run. */
  MigrationOutcome resume() throws SQLException {
    StoredMigration stored =
        beginning(
            connection -> {
              StoredMigration latest =
                  MigrationStore.latest(connection).orElseThrow(() -> notActive("resume"));
              if (!latest.state().isEnd() && latest.state() != MigrationState.BAKING) {
                MigrationStore.beginRun(connection, latest.id(), latest.state());
              }
              return latest;
            });
    return switch (stored.state()) {
      case APPLYING, CONTRACTING -> forwards(stored.id(), stored.state());
      case ROLLING_BACK -> backwards(stored.id());
      case BAKING -> new MigrationOutcome.Baking(stored.id());
      case CONTRACTED -> new MigrationOutcome.Contracted(stored.id());
      case ROLLED_BACK -> new MigrationOutcome.RolledBack(stored.id());
    };
  }

  MigrationOutcome rollback() throws SQLException {
    long migration =
        beginning(
            connection -> {
              StoredMigration active = mustBeActive(connection, "roll back");
              boolean contracting = active.state() == MigrationState.CONTRACTING;
              if (contracting && hasContracted(connection, active.id())) {
                throw cannotRollBack(active.id(), "its contraction has begun; resume it");
              }
              if (contracting || active.state().hasWayBack()) {
                refuseBehindTheEnd(connection, active.id());
              }
              MigrationStore.beginRun(connection, active.id(), MigrationState.ROLLING_BACK);
              return active.id();
            });
    return backwards(migration);
  }

  private static void refuseBehindTheEnd(Connection connection, long migration)
      throws SQLException {
    Optional<String> end =
        RollbackWindow.end(connection, MigrationStore.limits(connection, migration));
    if (end.isPresent()) {
      throw cannotRollBack(migration, end.get() + "; it can only be contracted");
    }
  }

  private static MigrationException cannotRollBack(long migration, String why) {
    return new MigrationException(
        "migration %s cannot be rolled back: %s".formatted(migration, why));
  }

  MigrationOutcome contract() throws SQLException {
    long migration =
        beginning(
            connection -> {
              StoredMigration active = mustBeActive(connection, "contract");
              if (active.state() != MigrationState.BAKING
                  && active.state() != MigrationState.CONTRACTING) {
                throw new MigrationException(
                    "migration %s is %s: it can be contracted once it is baking; resume it first"
                        .formatted(active.id(), active.state().label()));
              }
              MigrationStore.beginRun(connection, active.id(), MigrationState.CONTRACTING);
              return active.id();
            });
    return forwards(migration, MigrationState.CONTRACTING);
  }

  /** Whether a step of the contraction is done; one that failed has undone what it did. */
  private static boolean hasContracted(Connection connection, long migration) throws SQLException {
    return MigrationStore.last(connection, migration)
        .filter(last -> last.step().phase() == Phase.CONTRACT)
        .isPresent();
  }

  /** Nothing can be paused yet. */
  private <T> T beginning(RunnerSession.Work<T> work) throws SQLException {
    try {
      return session.transaction(Bounds.NOTES, work);
    } catch (PauseRequested e) {
      throw new IllegalStateException(e);
    }
  }

  private static Optional<StoredMigration> active(Connection connection) throws SQLException {
    return MigrationStore.latest(connection).filter(stored -> !stored.state().isEnd());
  }

  private static StoredMigration mustBeActive(Connection connection, String what)
      throws SQLException {
    return active(connection).orElseThrow(() -> notActive(what));
  }

  private static MigrationException notActive(String what) {
    return new MigrationException("no migration is active: there is nothing to " + what);
  }

  private MigrationOutcome forwards(long migration, MigrationState direction) throws SQLException {
    boolean contracting = direction == MigrationState.CONTRACTING;
    MigrationState end = contracting ? MigrationState.CONTRACTED : MigrationState.BAKING;
    session.follow(migration);
    try {
      while (true) {
        Optional<StoredStep> step =
            session.transaction(
                Bounds.NOTES, connection -> nextOrEnd(connection, migration, contracting, end));
        if (step.isEmpty()) {
          return contracting
              ? new MigrationOutcome.Contracted(migration)
              : new MigrationOutcome.Baking(migration);
        }
        waits.follow(migration, step.get());
        listener.started(step.get().step(), step.get().position(false));
        run(migration, step.get());
        listener.finished(step.get().step());
      }
    } catch (PauseRequested e) {
      return new MigrationOutcome.Paused(migration);
    }
  }

  private static Optional<StoredStep> nextOrEnd(
      Connection connection, long migration, boolean contracting, MigrationState end)
      throws SQLException {
    Optional<StoredStep> next = MigrationStore.next(connection, migration, contracting);
    if (next.isEmpty()) {
      MigrationStore.setState(connection, migration, end);
    }
    return next;
  }

  private void run(long migration, StoredStep step) throws SQLException, PauseRequested {
    switch (step.step().work()) {
      case TRANSACTION -> transaction(migration, step, step.step().apply());
      case INDEX -> index(migration, step);
      case BACKFILL, VERIFY -> backfill(migration, step);
    }
  }

  private MigrationOutcome backwards(long migration) throws SQLException {
    session.follow(migration);
    try {
      while (true) {
        Optional<StoredStep> step =
            session.transaction(Bounds.NOTES, connection -> lastOrEnd(connection, migration));
        if (step.isEmpty()) {
          return new MigrationOutcome.RolledBack(migration);
        }
        waits.follow(migration, step.get());
        listener.started(step.get().step(), step.get().position(true));
        undo(migration, step.get());
        listener.finished(step.get().step());
      }
    } catch (PauseRequested e) {
      return new MigrationOutcome.Paused(migration);
    }
  }

  private static Optional<StoredStep> lastOrEnd(Connection connection, long migration)
      throws SQLException {
    Optional<StoredStep> last = MigrationStore.last(connection, migration);
    if (last.isEmpty()) {
      MigrationStore.setState(connection, migration, MigrationState.ROLLED_BACK);
    }
    return last;
  }

  private void undo(long migration, StoredStep step) throws SQLException, PauseRequested {
    if (step.step().work() == Step.Work.INDEX) {
      patiently(
          step.step(),
          () -> {
            indexes.drop(step.step());
            return true;
          });
    }
    Optional<String> end =
        patiently(
            step.step(),
            () ->
                session.transaction(
                    ddl, connection -> undoUnlessItEnded(connection, migration, step)));
    if (end.isPresent()) {
      throw turnRound(migration, end.get());
    }
  }

  /**
   * Runs the steps again that were undone, at once: until then, the old columns are required and
   * reject the values that they cannot hold.
   *
   * @return the exception that says why, and where the migration is now
   */
  private MigrationException turnRound(long migration, String end)
      throws SQLException, PauseRequested {
    session.transaction(
        Bounds.NOTES,
        connection -> {
          MigrationStore.turnRound(connection, migration);
          return true;
        });
    MigrationException interrupted =
        cannotRollBack(migration, end + "; resume brings it back to where it can be contracted");
    try {
      return forwards(migration, MigrationState.APPLYING) instanceof MigrationOutcome.Baking
          ? cannotRollBack(migration, end + "; it bakes again, and can only be contracted")
          : interrupted;
    } catch (SQLException | RuntimeException e) {
      interrupted.addSuppressed(e);
      return interrupted;
    }
  }

  /** Once more before the switch is undone: values went on while the run came to it. */
  private static Optional<String> undoUnlessItEnded(
      Connection connection, long migration, StoredStep step) throws SQLException {
    if (step.step().phase() == Phase.SWITCH) {
      List<Limit> limits = MigrationStore.limits(connection, migration);
      Optional<String> end = RollbackWindow.lockedEnd(connection, limits, step.step());
      if (end.isPresent()) {
        return end;
      }
    }
    MigrationStore.set(connection, migration, step, StepState.UNDONE);
    execute(connection, step.step().undo());
    return Optional.empty();
  }

  private void transaction(long migration, StoredStep step, List<String> statements)
      throws SQLException, PauseRequested {
    patiently(
        step.step(),
        () ->
            session.transaction(
                ddl,
                connection -> {
                  // Before the statements, so that their locks are held for less long.
                  MigrationStore.set(connection, migration, step, StepState.DONE);
                  execute(connection, statements);
                  return true;
                }));
  }

  /** All in one message, so that locks are not held while answers and statements travel. */
  private static void execute(Connection connection, List<String> statements) throws SQLException {
    if (statements.isEmpty()) {
      return;
    }
    try (Statement statement = connection.createStatement()) {
      statement.execute(String.join("\n;\n", statements));
    }
  }

  private void index(long migration, StoredStep step) throws SQLException, PauseRequested {
    if (step.state() == StepState.PENDING) {
      if (indexes.exists(step.step())) {
        throw new MigrationException(
            "step \"%s\": there is an index %s already: drop or rename it, then resume"
                .formatted(step.step().title(), step.step().target()));
      }
      session.transaction(
          Bounds.NOTES,
          connection -> {
            MigrationStore.set(connection, migration, step, StepState.DOING);
            return true;
          });
    }
    patiently(
        step.step(),
        () -> {
          indexes.make(step.step(), rows -> listener.progressed(step.step(), rows));
          return true;
        });
    transaction(migration, step, List.of());
  }

  private interface Attempt<T> {
    T run() throws SQLException, PauseRequested;
  }

  /**
   * Tries until others let it.
   *
   * @throws MigrationException if patience is over; it names who has the locks
   */
  private <T> T patiently(Step step, Attempt<T> attempt) throws SQLException, PauseRequested {
    @Nullable Pause pause = null;
    while (true) {
      try {
        T result = attempt.run();
        if (pause != null) {
          waits.end();
        }
        return result;
      } catch (SQLException e) {
        if (e.getSQLState() == null || !PASSING.contains(e.getSQLState())) {
          throw e;
        }
        if (pause == null) {
          pause = new Pause(FIRST_PAUSE, LONGEST_PAUSE, pace.lockPatience());
        }
        String why = LockHolders.describe(session.unbounded(), step);
        if (pause.isPatienceOver()) {
          throw patienceIsOver(step, why, e);
        }
        waits.await(step, why, pause.next());
      }
    }
  }

  private MigrationException patienceIsOver(Step step, String why, @Nullable SQLException cause) {
    String message =
        "step \"%s\" was tried in vain for %s: %s; resume once it is free"
            .formatted(step.title(), DurationText.format(pace.lockPatience()), why);
    return cause == null ? new MigrationException(message) : new MigrationException(message, cause);
  }

  /**
   * What a batch did.
   *
   * @param cursor where the next one begins; empty at the end
   */
  private record Batch(long seen, long changed, Optional<String> cursor) {
    /** Whether what is left is where it was: others have locked it. */
    boolean isHeldUp(Optional<String> before) {
      return changed == 0 && cursor.isPresent() && cursor.equals(before);
    }
  }

  private void backfill(long migration, StoredStep begun) throws SQLException, PauseRequested {
    BatchSize size = new BatchSize(pace.batch(), pace.batchRowsMax());
    StoredStep step = begun;
    @Nullable Pause heldUp = null;
    while (true) {
      throttle.await(step.step());
      StoredStep at = step;
      Batch done = patiently(at.step(), () -> sweepOnce(migration, at, size));
      step = step.advancedTo(done.cursor(), done.seen());
      listener.progressed(step.step(), step.rows());
      if (done.cursor().isEmpty()) {
        return;
      }
      if (done.isHeldUp(at.cursor())) {
        heldUp = awaitRows(step.step(), heldUp);
      } else if (heldUp != null) {
        waits.end();
        heldUp = null;
      }
    }
  }

  private Batch sweepOnce(long migration, StoredStep step, BatchSize size)
      throws SQLException, PauseRequested {
    long start = System.nanoTime();
    Batch batch =
        session.transaction(
            rows, connection -> sweepOnce(connection, migration, step, size.rows()));
    size.took(batch.seen(), Duration.ofNanos(System.nanoTime() - start));
    return batch;
  }

  private static Batch sweepOnce(Connection connection, long migration, StoredStep step, int rows)
      throws SQLException {
    Batch done = sweepRows(connection, step, rows);
    if (step.step().work() == Step.Work.VERIFY && done.changed() > 0) {
      throw new MigrationException(
          "step \"%s\": %s of %s rows of %s are not as they should be; nothing was changed by"
                  .formatted(step.step().title(), done.changed(), done.seen(), step.step().target())
              + " it: mend them and resume, or roll back");
    }
    StepState state = done.cursor().isEmpty() ? StepState.DONE : StepState.DOING;
    MigrationStore.set(connection, migration, step, state, done.cursor(), done.seen());
    return done;
  }

  private static Batch sweepRows(Connection connection, StoredStep step, int rows)
      throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(step.step().apply().get(0))) {
      statement.setObject(1, textArray(step.cursor()));
      statement.setInt(2, rows);
      try (ResultSet row = statement.executeQuery()) {
        if (!row.next()) {
          throw new IllegalStateException(
              "step \"" + step.step().title() + "\": expected one row, got none");
        }
        return new Batch(
            row.getLong("seen"),
            row.getLong("changed"),
            Optional.ofNullable(row.getString("cursor")));
      }
    }
  }

  private static PGobject textArray(Optional<String> value) throws SQLException {
    PGobject array = new PGobject();
    array.setType("_text");
    array.setValue(value.orElse(null));
    return array;
  }

  private Pause awaitRows(Step step, @Nullable Pause before) throws SQLException, PauseRequested {
    Pause pause =
        before == null
            ? new Pause(FIRST_ROW_PAUSE, LONGEST_ROW_PAUSE, pace.lockPatience())
            : before;
    String why = LockHolders.describeRows(session.unbounded(), step);
    if (pause.isPatienceOver()) {
      throw patienceIsOver(step, why, null);
    }
    waits.await(step, why, pause.next());
    return pause;
  }
}
