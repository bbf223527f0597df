package dev.mintmark.operations.migrate;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;

/**
 * How a migration is getting on.
 *
 * @param migration its number: 1, 2, ... in its database
 * @param fingerprint of its plan
 * @param state where it stands
 * @param paused whether somebody paused it; a run that still works ends with its next transaction
 * @param started when it began
 * @param ended when it was over; empty as long as it is active
 * @param read when all this was read, by the clock of the server, as the other times are
 * @param runner who works on it now
 * @param steps all of its steps, in order, those of the contraction too
 * @param limits where the way back ends; asked for only where there is one, else empty
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
    List<LimitStatus> limits) {
  /** A rate over less time says little. */
  private static final long MILLIS_MIN = 1000;

  public MigrationStatus {
    steps = List.copyOf(steps);
    limits = List.copyOf(limits);
  }

  /** Whether the new columns have their names, and the old ones are still there. */
  public boolean isSwitched() {
    return state != MigrationState.CONTRACTED
        && steps.stream()
            .anyMatch(step -> step.phase() == Phase.SWITCH && step.state() == StepState.DONE);
  }

  /**
   * The schemas that tables of the new shape are in while they are {@linkplain #isSwitched
   * switched}, where views of the old shape have taken their places; none where old and new code
   * share the tables.
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
   * How many rows a second the run that works on a step has gone through; empty where none does, or
   * an earlier run began the step, or it was begun less than a second ago.
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
   * How far a step is.
   *
   * @param ordinal its place, from 1
   * @param phase where in the migration it stands
   * @param work how it is run
   * @param title what it does, in words
   * @param target what it works on, as in {@link Step#target}
   * @param state how far it is
   * @param rowsDone rows that it has looked at
   * @param rowsEstimated how many there are, as far as was known when it was planned
   * @param started when it began; empty if it has not
   * @param ended when it was done or, behind that, undone; empty if it is not
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
      Optional<Instant> ended) {}

  /**
   * How far off the end of the way back is.
   *
   * @param column the column, as in {@link Limit#column}
   * @param greatest the greatest value there is now; empty where there is none or it is not known
   * @param last the greatest value there is a way back from
   * @param unknown why the greatest value could not be asked for: the table was locked, or may not
   *     be read
   */
  public record LimitStatus(
      String column, OptionalLong greatest, long last, Optional<String> unknown) {
    private static final long NEAR_END = 10;

    /** How many values are left; negative where there is no way back any more. */
    public OptionalLong left() {
      return greatest.isPresent()
          ? OptionalLong.of(Math.subtractExact(last, greatest.getAsLong()))
          : OptionalLong.empty();
    }

    /** Whether less than a tenth of the values is left. */
    public boolean isNearEnd() {
      return left().isPresent() && left().getAsLong() < last / NEAR_END;
    }
  }
}
