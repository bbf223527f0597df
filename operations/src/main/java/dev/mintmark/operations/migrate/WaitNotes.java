package dev.mintmark.operations.migrate;

import dev.mintmark.operations.migrate.MigrationStore.StoredStep;
import dev.mintmark.operations.migrate.RunnerSession.Bounds;
import java.sql.SQLException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Tells the listener why a run waits, and notes it in the database once a wait has lasted for a
 * second, so that the status of other sessions says it too. For use by one thread at a time.
 */
final class WaitNotes {
  /** Shorter waits are usual, and are not noted. */
  private static final Duration NOTED_AFTER = Duration.ofSeconds(1);

  private static final Duration NOTED_EVERY = Duration.ofSeconds(5);

  private static final String INSUFFICIENT_PRIVILEGE = "42501";

  private final RunnerSession session;
  private final MigrationListener listener;
  private long migration;
  private int ordinal;
  private @Nullable Long beganNanos;
  private @Nullable Long notedNanos;
  private boolean isAllowed = true;

  WaitNotes(RunnerSession session, MigrationListener listener) {
    this.session = session;
    this.listener = listener;
  }

  /** The step that waits from now on. */
  void follow(long migration, StoredStep step) {
    this.migration = migration;
    this.ordinal = step.ordinal();
  }

  /**
   * Waits.
   *
   * @throws PauseRequested if another session paused the migration
   */
  void await(Step step, String why, Duration howLong) throws SQLException, PauseRequested {
    listener.waiting(step, why, howLong);
    long now = System.nanoTime();
    Long began = beganNanos;
    if (began == null) {
      began = now;
      beganNanos = began;
    }
    Duration waited = Duration.ofNanos(now - began);
    if (waited.plus(howLong).compareTo(NOTED_AFTER) >= 0) {
      note(why, waited, now);
    }
    Pause.sleep(howLong);
  }

  private void note(String why, Duration waited, long now) throws SQLException, PauseRequested {
    Long noted = notedNanos;
    if (!isAllowed || (noted != null && now - noted < NOTED_EVERY.toNanos())) {
      return;
    }
    try {
      session.transaction(
          Bounds.NOTES,
          connection -> {
            MigrationStore.noteWait(connection, migration, ordinal, why, waited);
            return true;
          });
      notedNanos = now;
    } catch (SQLException e) {
      if (!INSUFFICIENT_PRIVILEGE.equals(e.getSQLState())) {
        throw e;
      }
      isAllowed = false;
    }
  }

  /** The run goes on. */
  void end() throws SQLException, PauseRequested {
    beganNanos = null;
    if (notedNanos != null) {
      notedNanos = null;
      session.transaction(
          Bounds.NOTES,
          connection -> {
            MigrationStore.endWait(connection, migration);
            return true;
          });
    }
  }
}
