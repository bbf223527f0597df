package dev.mintmark.app.view;

import dev.mintmark.app.service.LocatedPlan;
import dev.mintmark.app.service.LocatedPlan.Located;
import dev.mintmark.catalog.Location;
import dev.mintmark.operations.migrate.Estimate;
import dev.mintmark.operations.migrate.Limit;
import dev.mintmark.operations.migrate.MigrationOutcome;
import dev.mintmark.operations.migrate.MigrationPlan;
import dev.mintmark.operations.migrate.MigrationStatus;
import dev.mintmark.operations.migrate.MigrationStatus.LimitStatus;
import dev.mintmark.operations.migrate.MigrationStatus.StepStatus;
import dev.mintmark.operations.migrate.Step;
import dev.mintmark.operations.migrate.TableLock;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/** What is said of migrations, as JSON. Values of columns are strings: they may pass 2^53. */
public final class MigrateJson {
  private MigrateJson() {}

  /**
   * A plan.
   *
   * @param fingerprint null where a migration is under way, and nothing is planned
   * @param migration the one that is under way
   */
  public record Plan(
      @Nullable String fingerprint,
      List<PlannedStep> steps,
      List<Refused> refusals,
      List<String> notes,
      List<End> limits,
      Cost estimate,
      @Nullable Standing migration) {
    public static Plan of(LocatedPlan located) {
      MigrationPlan plan = located.plan();
      return new Plan(
          plan.fingerprint(),
          plan.steps().stream().map(PlannedStep::of).toList(),
          located.refusals().stream().map(Refused::of).toList(),
          located.notes(),
          plan.limits().stream().map(End::of).toList(),
          Cost.of(plan.estimate()),
          null);
    }

    /** While a migration is under way there is no plan, only notes on its state. */
    public static Plan of(MigrationStatus active, List<String> notes) {
      return new Plan(
          null,
          List.of(),
          List.of(),
          notes,
          List.of(),
          Cost.of(Estimate.NOTHING),
          Standing.of(Optional.of(active)));
    }
  }

  /** One of its steps. */
  record PlannedStep(
      String phase,
      String work,
      String title,
      String target,
      List<Lock> locks,
      Cost estimate,
      List<String> apply,
      List<String> undo) {
    static PlannedStep of(Step step) {
      return new PlannedStep(
          step.phase().label(),
          label(step.work()),
          step.title(),
          step.target(),
          step.locks().stream().map(Lock::of).toList(),
          Cost.of(step.estimate()),
          step.apply(),
          step.undo());
    }
  }

  private static String label(Step.Work work) {
    return work.name().toLowerCase(Locale.ROOT);
  }

  /** A lock, by what PostgreSQL calls it, and how long it is held. */
  record Lock(String table, String mode, String held) {
    static Lock of(TableLock lock) {
      return new Lock(lock.table(), lock.mode().label(), lock.held().label());
    }
  }

  /** What it is expected to cost. */
  record Cost(long rows, long walBytes, long diskBytes, long seconds) {
    static Cost of(Estimate estimate) {
      return new Cost(
          estimate.rows(), estimate.walBytes(), estimate.diskBytes(), estimate.seconds());
    }
  }

  /** Why it cannot be applied, and the line of the catalog. */
  record Refused(
      String code,
      String collection,
      String object,
      String reason,
      String remedy,
      @Nullable String file,
      @Nullable Integer line,
      @Nullable String didYouMean) {
    static Refused of(Located located) {
      return new Refused(
          located.refusal().code().label(),
          located.refusal().collection(),
          located.refusal().object(),
          located.refusal().reason(),
          located.refusal().remedy(),
          located.location().map(Location::file).orElse(null),
          located.location().map(Location::line).orElse(null),
          located.near().orElse(null));
    }
  }

  /** Where rollback ends before the contraction. */
  record End(String column, String last) {
    static End of(Limit limit) {
      return new End(limit.column(), Long.toString(limit.last()));
    }
  }

  /**
   * The state of a migration.
   *
   * @param migration its number; null, and the state {@code none}, where there never was one
   */
  public record Standing(
      @Nullable Long migration,
      String state,
      @Nullable String fingerprint,
      boolean paused,
      @Nullable String started,
      @Nullable String ended,
      @Nullable Runner runner,
      List<StandingStep> steps,
      List<StandingEnd> limits,
      List<String> schemasAside) {
    public static Standing of(Optional<MigrationStatus> status) {
      return status
          .map(Standing::of)
          .orElseGet(
              () ->
                  new Standing(
                      null, "none", null, false, null, null, null, List.of(), List.of(),
                      List.of()));
    }

    private static Standing of(MigrationStatus status) {
      return new Standing(
          status.migration(),
          status.state().label(),
          status.fingerprint(),
          status.paused(),
          status.started().toString(),
          status.ended().map(Object::toString).orElse(null),
          status
              .runner()
              .map(runner -> new Runner(runner.pid(), runner.since().toString()))
              .orElse(null),
          status.steps().stream()
              .map(step -> StandingStep.of(step, status.rowsPerSecond(step)))
              .toList(),
          status.limits().stream().map(StandingEnd::of).toList(),
          status.schemasAside());
    }
  }

  /** Who works on it. */
  record Runner(int pid, String since) {}

  /**
   * How far a step is.
   *
   * @param rowsPerSecond null where no run works on it, or none that began it
   */
  record StandingStep(
      int ordinal,
      String phase,
      String work,
      String title,
      String target,
      String state,
      long rowsDone,
      long rowsEstimated,
      @Nullable Long rowsPerSecond,
      @Nullable String started,
      @Nullable String ended) {
    static StandingStep of(StepStatus step, OptionalDouble rate) {
      return new StandingStep(
          step.ordinal(),
          step.phase().label(),
          label(step.work()),
          step.title(),
          step.target(),
          step.state().label(),
          step.rowsDone(),
          step.rowsEstimated(),
          rate.isPresent() ? Math.round(rate.getAsDouble()) : null,
          step.started().map(Object::toString).orElse(null),
          step.ended().map(Object::toString).orElse(null));
    }
  }

  /**
   * How many values are left before rollback ends.
   *
   * @param nearEnd whether less than a tenth of the values is left
   * @param unknown why it could not be asked for
   */
  record StandingEnd(
      String column,
      @Nullable String greatest,
      String last,
      @Nullable String left,
      boolean nearEnd,
      @Nullable String unknown) {
    static StandingEnd of(LimitStatus limit) {
      return new StandingEnd(
          limit.column(),
          text(limit.greatest()),
          Long.toString(limit.last()),
          text(limit.left()),
          limit.isNearEnd(),
          limit.unknown().orElse(null));
    }

    private static @Nullable String text(OptionalLong value) {
      return value.isPresent() ? Long.toString(value.getAsLong()) : null;
    }
  }

  /**
   * How a run ended: {@code baking}, {@code paused}, {@code rolled-back}, {@code contracted} or
   * {@code nothing-to-do}.
   *
   * @param migration null where nothing was to be done
   */
  public record Ended(String outcome, @Nullable Standing migration) {
    public static Ended of(MigrationOutcome outcome, Optional<MigrationStatus> status) {
      if (outcome instanceof MigrationOutcome.NothingToDo) {
        return new Ended("nothing-to-do", null);
      }
      String name =
          outcome instanceof MigrationOutcome.Paused
              ? "paused"
              : outcome instanceof MigrationOutcome.Baking
                  ? "baking"
                  : outcome instanceof MigrationOutcome.RolledBack ? "rolled-back" : "contracted";
      return new Ended(name, Standing.of(status));
    }
  }
}
