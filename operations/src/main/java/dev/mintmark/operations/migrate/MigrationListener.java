package dev.mintmark.operations.migrate;

import java.time.Duration;

/**
 * Hears how a run goes on, in the run's own thread: it waits until this returns. Rows are those
 * that the step has looked at, in this run and before.
 */
public interface MigrationListener {
  /** Hears nothing. */
  MigrationListener SILENT = new MigrationListener() {};

  /** A step begins, or goes on where an earlier run ended. */
  default void started(Step step, StepPosition position) {}

  /** A batch has been committed. */
  default void progressed(Step step, long rows) {}

  /** The run waits before it tries again, or so as not to hurt others. */
  default void waiting(Step step, String why, Duration howLong) {}

  /** A step is done or, on rollback, undone. */
  default void finished(Step step) {}

  /**
   * Which step of how many.
   *
   * @param ordinal from 1
   * @param steps all of the migration, those of the contraction too
   * @param backwards whether it is being undone
   */
  record StepPosition(int ordinal, int steps, boolean backwards) {}
}
