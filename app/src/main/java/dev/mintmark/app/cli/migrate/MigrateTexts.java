package dev.mintmark.app.cli.migrate;

import dev.mintmark.DurationText;
import dev.mintmark.Quoted;
import dev.mintmark.app.cli.common.Amounts;
import dev.mintmark.app.cli.common.PrintableText;
import dev.mintmark.app.cli.common.Table;
import dev.mintmark.app.cli.common.Table.Column;
import dev.mintmark.app.service.LocatedPlan.Located;
import dev.mintmark.operations.migrate.MigrationOutcome;
import dev.mintmark.operations.migrate.MigrationStatus;
import dev.mintmark.operations.migrate.MigrationStatus.LimitStatus;
import dev.mintmark.operations.migrate.MigrationStatus.StepStatus;
import dev.mintmark.operations.migrate.StepState;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.Stream;

/** Messages about migrations. */
final class MigrateTexts {
  private MigrateTexts() {}

  /** Returns why a plan cannot be applied, with the code, and the remedy. */
  static Stream<String> refusal(Located located) {
    String near = located.near().map(name -> "; did you mean " + Quoted.of(name) + "?").orElse("");
    return Stream.of(
        "refused: %s%s: %s%s [%s]"
            .formatted(
                located.location().map(location -> location + ": ").orElse(""),
                PrintableText.of(located.refusal().object()),
                PrintableText.of(located.refusal().reason()),
                near,
                located.refusal().code().label()),
        "  remedy: " + PrintableText.of(located.refusal().remedy()));
  }

  /** Returns why no plan is made. */
  static List<String> underWay(MigrationStatus active) {
    return List.of(
        "%s: no other plan can be made or applied until it ends".formatted(standing(active)),
        next(active));
  }

  /** {@code migration 1 is baking, since ...}. */
  private static String standing(MigrationStatus status) {
    return "migration %s (plan %s) is %s%s"
        .formatted(
            status.migration(),
            status.fingerprint(),
            status.state().label(),
            status.paused() ? ", paused" : "");
  }

  /** Returns the next commands in its state. */
  static String next(MigrationStatus status) {
    if (status.runner().isPresent()) {
      return "next: wait for the active run, or stop it with mintmark migrate pause";
    }
    return switch (status.state()) {
      case APPLYING ->
          "next: continue with mintmark migrate resume, or undo it with mintmark migrate rollback";
      case BAKING ->
          "next: drop the old columns with mintmark migrate contract, or undo it with mintmark"
              + " migrate rollback";
      case CONTRACTING, ROLLING_BACK -> "next: continue with mintmark migrate resume";
      case CONTRACTED, ROLLED_BACK -> "next: nothing, the migration has ended";
    };
  }

  /** Returns the state, and which process runs the migration. */
  static List<String> heading(MigrationStatus status) {
    List<String> lines = new ArrayList<>();
    lines.add(
        standing(status)
            + ", started "
            + status.started()
            + status.ended().map(ended -> ", ended " + ended).orElse(""));
    if (!status.state().isEnd()) {
      lines.add(
          status
              .runner()
              .map(
                  runner ->
                      "process %s has been running it since %s"
                          .formatted(runner.pid(), runner.since()))
              .orElse("no process is running it"));
    }
    status
        .waits()
        .ifPresent(
            wait ->
                lines.add(
                    "step %s has been waiting since %s: %s"
                        .formatted(wait.step(), wait.since(), PrintableText.of(wait.reason()))));
    return lines;
  }

  /** Returns how long the migration can be rolled back, and what to do next. */
  static List<String> ending(MigrationStatus status) {
    List<String> lines = new ArrayList<>(limits(status.limits()));
    if (!status.state().isEnd()) {
      lines.addAll(shapes(status));
      lines.add(next(status));
    }
    return lines;
  }

  /** Returns the steps as a table. */
  static Table steps(MigrationStatus status) {
    Table table =
        Table.of(
            Column.number("step"),
            Column.identifier("state"),
            Column.identifier("phase"),
            Column.text("title"),
            Column.identifier("rows"));
    for (StepStatus step : status.steps()) {
      table.add(
          step.ordinal(),
          step.state().label(),
          step.phase().label(),
          step.title(),
          isPartlyDone(step) ? progress(step) + pace(step, status.rowsPerSecond(step)) : "");
    }
    return table;
  }

  /** Returns a step as a line. */
  static String step(MigrationStatus status, StepStatus step) {
    return "%5d  %-7s  %s: %s%s"
        .formatted(
            step.ordinal(),
            step.state().label(),
            step.phase().label(),
            PrintableText.of(step.title()),
            isPartlyDone(step)
                ? " (" + progress(step) + pace(step, status.rowsPerSecond(step)) + ")"
                : "");
  }

  private static boolean isPartlyDone(StepStatus step) {
    return step.state() == StepState.DOING && step.rowsDone() > 0;
  }

  private static String progress(StepStatus step) {
    String done = Amounts.number(step.rowsDone());
    if (step.rowsEstimated() < step.rowsDone()) {
      return Amounts.counted(step.rowsDone(), "row");
    }
    return "%s of about %s, %s %%"
        .formatted(
            done,
            Amounts.counted(step.rowsEstimated(), "row"),
            step.rowsDone() * 100 / Math.max(1, step.rowsEstimated()));
  }

  /** {@code , 9,150 rows/s, about 25s left}; empty where no rate is known. */
  private static String pace(StepStatus step, OptionalDouble rate) {
    if (rate.isEmpty()) {
      return "";
    }
    long left = step.rowsEstimated() - step.rowsDone();
    Duration time = Duration.ofSeconds((long) Math.ceil(left / rate.getAsDouble()));
    return ", %s rows/s%s"
        .formatted(
            Amounts.number(Math.round(rate.getAsDouble())),
            left > 0 ? ", about " + DurationText.format(time) + " left" : "");
  }

  /** Returns the limits with a warning and, of the others, the one that is reached first. */
  private static List<String> limits(List<LimitStatus> limits) {
    Optional<LimitStatus> first =
        limits.stream()
            .filter(limit -> limit.left().isPresent() && !limit.isNearEnd())
            .min(Comparator.comparingLong(limit -> limit.left().getAsLong()));
    Stream<LimitStatus> warnings =
        limits.stream().filter(limit -> limit.isNearEnd() || limit.unknown().isPresent());
    return Stream.concat(warnings, first.stream()).map(MigrateTexts::limit).toList();
  }

  private static String limit(LimitStatus limit) {
    String column = PrintableText.of(limit.column());
    if (limit.unknown().isPresent()) {
      return "rollback: the values that are left could not be read for %s: %s"
          .formatted(column, PrintableText.of(limit.unknown().get()));
    }
    long left = limit.left().orElseThrow();
    long value = limit.greatest().orElseThrow();
    boolean downwards = value < 0;
    String warning = limit.isNearEnd() ? "warning: " : "";
    String last = Amounts.number(downwards ? ~limit.last() : limit.last());
    if (left < 0) {
      return "%srollback: no longer possible: %s has the value %s, %s %s"
          .formatted(warning, column, Amounts.number(value), downwards ? "below" : "above", last);
    }
    return "%srollback: %s left until %s %s %s"
        .formatted(
            warning,
            Amounts.counted(left, "value"),
            column,
            downwards ? "falls below" : "exceeds",
            last);
  }

  /** Returns where old and new code find the tables. */
  private static List<String> shapes(MigrationStatus status) {
    if (!status.isSwitched()) {
      return List.of();
    }
    List<String> aside = status.schemasAside();
    if (aside.isEmpty()) {
      return List.of("old code and new code use the same tables under the same names");
    }
    List<String> lines = new ArrayList<>();
    lines.add(
        "old code runs unchanged: compatibility views in place of the tables show the old columns");
    for (String schema : aside) {
      lines.add(
          "new code finds the tables with the new columns in schema %s: set search_path to %s"
              .formatted(PrintableText.of(schema), PrintableText.of(path(schema))));
    }
    return lines;
  }

  private static String path(String aside) {
    return quoted(aside) + ", " + quoted(aside.substring(0, aside.lastIndexOf("__new")));
  }

  private static String quoted(String name) {
    return name.matches("[a-z_][a-z0-9_]*") ? name : '"' + name.replace("\"", "\"\"") + '"';
  }

  /** Returns the effect of a pause on a migration with this status. */
  static List<String> pause(MigrationStatus before) {
    return List.of(
        "migration %s is paused: ".formatted(before.migration())
            + before
                .runner()
                .map(
                    runner ->
                        "the run of process %s ends after its current transaction or index build"
                            .formatted(runner.pid()))
                .orElse("no process is running it"),
        "next: continue with mintmark migrate resume");
  }

  /** Returns the result of a run and the next commands. */
  static List<String> ending(MigrationOutcome outcome, Optional<MigrationStatus> status) {
    if (outcome instanceof MigrationOutcome.Baking baking) {
      List<String> lines = new ArrayList<>();
      lines.add(
          "migration %s is baking: the new columns are in use, and the old ones are kept"
              .formatted(baking.migration()));
      status.ifPresent(
          now -> {
            lines.addAll(shapes(now));
            lines.addAll(limits(now.limits()));
            lines.add(next(now));
          });
      return lines;
    }
    if (outcome instanceof MigrationOutcome.Paused paused) {
      return List.of(
          "migration %s is paused: completed work is kept".formatted(paused.migration()),
          "next: continue with mintmark migrate resume");
    }
    if (outcome instanceof MigrationOutcome.RolledBack rolledBack) {
      return List.of(
          "migration %s is rolled back: the tables are as before"
              .formatted(rolledBack.migration()));
    }
    if (outcome instanceof MigrationOutcome.Contracted contracted) {
      return List.of(
          "migration %s is contracted: the old columns are dropped"
              .formatted(contracted.migration()));
    }
    return List.of("nothing to do: the database matches the catalog");
  }
}
