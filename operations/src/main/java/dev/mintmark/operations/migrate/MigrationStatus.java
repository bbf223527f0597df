package dev.mintmark.operations.migrate;

import java.time.Duration;
import java.time.Instant;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.Stream;

/**
 * The state of a migration.
 *
 * @param migration its number: 1, 2, ... in its database
 * @param fingerprint the fingerprint of its plan
 * @param state its state
 * @param paused whether it is paused; a run that still works ends after its next transaction
 * @param started when it began
 * @param ended when it ended; empty while it is active
 * @param read when this was read; all times are by the clock of the server
 * @param runner the session that works on it now
 * @param steps all of its steps in order, including those of the contraction
 * @param limits the values up to which a rollback is possible; empty if none is possible
 * @param waits why the run waits; empty if it does not, or has waited for less than a second
 */
public record MigrationStatus(
    long migration,
    String fingerprint,
    MigrationState state,
    boolean paused,
    Instant started,
    Optional<Instant> ended,
    Instant read,
    Optional<Runner> runner,
    List<StepStatus> steps,
    List<LimitStatus> limits,
    Optional<Wait> waits) {
  /** A rate over less time says little. */
  private static final long MILLIS_MIN = 1000;

  /** The phases whose steps have a table as their target, or the schema for tables. */
  static final Set<Phase> TABLE_PHASES =
      EnumSet.of(Phase.EXPAND, Phase.SYNC, Phase.BACKFILL, Phase.VALIDATE);

  public MigrationStatus {
    steps = List.copyOf(steps);
    limits = List.copyOf(limits);
  }

  /** Returns whether the new columns have the names, and the old columns still exist. */
  public boolean isSwitched() {
    return state != MigrationState.CONTRACTED
        && steps.stream()
            .anyMatch(step -> step.phase() == Phase.SWITCH && step.state() == StepState.DONE);
  }

  /**
   * Returns the schemas with tables of the new shape while the migration is {@linkplain #isSwitched
   * switched} and compatibility views have the names of the tables; none if old and new code share
   * the tables.
   */
  public List<String> schemasAside() {
    if (!isSwitched()) {
      return List.of();
    }
    return steps.stream()
        .filter(step -> step.phase() == Phase.EXPAND && ShadowName.isOfSchema(step.target()))
        .map(StepStatus::target)
        .distinct()
        .toList();
  }

  /**
   * Returns the tables whose columns it adds, fills or constrains, in the order of its steps; none
   * if it only creates an index.
   */
  public List<String> tables() {
    return tables(
        steps.stream().filter(step -> TABLE_PHASES.contains(step.phase())).map(StepStatus::target));
  }

  /** Returns the tables among the targets of steps of these phases. */
  static List<String> tables(Stream<String> targets) {
    return targets.filter(target -> !ShadowName.isOfSchema(target)).distinct().toList();
  }

  /**
   * Returns the rows per second of the run that works on a step; empty if no run does, if an
   * earlier run began the step, or if the step began less than a second ago.
   */
  public OptionalDouble rowsPerSecond(StepStatus step) {
    boolean isOfRunner =
        step.state() == StepState.DOING
            && runner
                .flatMap(run -> step.started().filter(began -> !began.isBefore(run.since())))
                .isPresent();
    if (!isOfRunner || step.rowsDone() == 0) {
      return OptionalDouble.empty();
    }
    long millis = Duration.between(step.started().orElseThrow(), read).toMillis();
    return millis < MILLIS_MIN
        ? OptionalDouble.empty()
        : OptionalDouble.of(step.rowsDone() * 1000.0 / millis);
  }

  /**
   * The session that works on a migration.
   *
   * @param pid its process on the server, as in {@code pg_stat_activity}
   * @param since when it began
   */
  public record Runner(int pid, Instant since) {}

  /**
   * The progress of a step.
   *
   * @param ordinal its place, from 1
   * @param phase its phase
   * @param work how it is run
   * @param title what it does, in words
   * @param target what it works on, as in {@link Step#target}
   * @param state its state
   * @param rowsDone rows that it has processed
   * @param rowsEstimated the number of rows that the plan estimated
   * @param started when it began; empty if it has not
   * @param ended when it was done, or undone after that; empty if it is not
   * @param locks the locks that it takes
   */
  public record StepStatus(
      int ordinal,
      Phase phase,
      Step.Work work,
      String title,
      String target,
      StepState state,
      long rowsDone,
      long rowsEstimated,
      Optional<Instant> started,
      Optional<Instant> ended,
      List<TableLock> locks) {
    public StepStatus {
      locks = List.copyOf(locks);
    }

    /** Returns the same step with another number of rows. */
    StepStatus withRowsDone(long rows) {
      return new StepStatus(
          ordinal, phase, work, title, target, state, rows, rowsEstimated, started, ended, locks);
    }
  }

  /**
   * Why a run waits.
   *
   * @param step the ordinal of the step that waits
   * @param reason who or what it waits for, as {@link MigrationListener#waiting} receives it
   * @param since when the wait began
   */
  public record Wait(int step, String reason, Instant since) {}

  /**
   * How many values are left until a rollback is no longer possible.
   *
   * @param column the column, as in {@link Limit#column}
   * @param greatest the greatest value now, or the least one if that is nearer to the end of its
   *     side; empty if there is none or it is not known
   * @param last the greatest value that can be rolled back. The least one is {@code -last - 1}
   * @param unknown why the value is not known: the table was locked, or may not be read
   */
  public record LimitStatus(
      String column, OptionalLong greatest, long last, Optional<String> unknown) {
    private static final long NEAR_END = 10;

    /** Returns how many values are left; negative if a rollback is no longer possible. */
    public OptionalLong left() {
      return greatest.isPresent()
          ? OptionalLong.of(last - Limit.reach(greatest.getAsLong()))
          : OptionalLong.empty();
    }

    /** Returns whether less than a tenth of the values is left. */
    public boolean isNearEnd() {
      return left().isPresent() && left().getAsLong() < last / NEAR_END;
    }
  }
}
