package dev.mintmark.app.cli.migrate;

import dev.mintmark.DurationText;
import dev.mintmark.app.cli.common.Amounts;
import dev.mintmark.app.cli.common.PrintableText;
import dev.mintmark.app.service.LocatedPlan;
import dev.mintmark.operations.migrate.InvalidValues;
import dev.mintmark.operations.migrate.Limit;
import dev.mintmark.operations.migrate.MigrationPlan;
import dev.mintmark.operations.migrate.Pace;
import dev.mintmark.operations.migrate.Phase;
import dev.mintmark.operations.migrate.Step;
import dev.mintmark.operations.migrate.TableLock;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** A plan as text. */
final class PlanText {
  private static final String DETAIL = "        ";

  private final LocatedPlan located;
  private final MigrationPlan plan;
  private final List<String> lines = new ArrayList<>();

  private PlanText(LocatedPlan located) {
    this.located = located;
    this.plan = located.plan();
  }

  /** Returns the whole text: steps, sums, notes, and the command that applies the plan. */
  static List<String> of(LocatedPlan located, Path catalog, InvalidValues invalid) {
    PlanText text = new PlanText(located);
    text.steps();
    if (!text.plan.steps().isEmpty()) {
      text.lines.add("");
      text.lines.addAll(sums(located));
      text.locks();
      text.rollback();
    }
    text.notes();
    text.refusals();
    text.ending(catalog, invalid);
    return text.lines;
  }

  /** Returns the summary that is printed before the plan is applied. */
  static List<String> summary(LocatedPlan located) {
    PlanText text = new PlanText(located);
    text.lines.add("plan " + text.plan.fingerprint());
    text.lines.addAll(sums(located));
    text.notes();
    return text.lines;
  }

  private void steps() {
    Phase phase = null;
    int ordinal = 0;
    for (Step step : plan.steps()) {
      ordinal++;
      if (step.phase() != phase) {
        phase = step.phase();
        lines.add(
            phase.label()
                + (phase == Phase.CONTRACT ? " (only by mintmark migrate contract)" : ""));
      }
      lines.add("%5d  %s".formatted(ordinal, PrintableText.of(step.title())));
      locks(step).forEach(line -> lines.add(DETAIL + line));
      String estimate = Amounts.estimate(step.estimate());
      if (!estimate.isEmpty()) {
        lines.add(DETAIL + estimate);
      }
    }
  }

  /** Returns the locks of a step, grouped by mode. */
  static List<String> locks(Step step) {
    Map<String, TreeSet<String>> tables = new LinkedHashMap<>();
    for (TableLock lock : step.locks()) {
      tables
          .computeIfAbsent(
              lock.mode().label() + ", " + lock.held().label(), kind -> new TreeSet<>())
          .add(PrintableText.of(lock.table()));
    }
    return tables.entrySet().stream()
        .map(entry -> "locks %s: %s".formatted(String.join(", ", entry.getValue()), entry.getKey()))
        .toList();
  }

  private static List<String> sums(LocatedPlan located) {
    MigrationPlan plan = located.plan();
    String estimate = Amounts.estimate(plan.estimate());
    long contracting = plan.steps().stream().filter(step -> step.phase() == Phase.CONTRACT).count();
    return List.of(
        "%s, of which %s to contract%s"
            .formatted(
                Amounts.counted(plan.steps().size(), "step"),
                Amounts.number(contracting),
                estimate.isEmpty() ? "" : "; at full pace " + estimate + atDefaultPace(plan)));
  }

  /** Returns nothing if that is less than a second. */
  private static String atDefaultPace(MigrationPlan plan) {
    long seconds =
        plan.steps().stream()
            .mapToLong(
                step ->
                    step.work() == Step.Work.BACKFILL
                        ? step.estimate().secondsAt(Pace.GENTLE)
                        : step.estimate().seconds())
            .sum();
    return seconds == 0
        ? ""
        : "; at the default pace at least %s, and longer while it waits for locks, standbys and transactions of others"
            .formatted(DurationText.format(Duration.ofSeconds(seconds)));
  }

  private void locks() {
    lines.addAll(
        """
        locks: no statement waits longer than %s for a lock (--lock-timeout); then it releases its
          locks and retries later. Only an index build waits without a limit, because it does not
          block other sessions. Briefly: milliseconds at any table size. For a batch: about %s
          (--batch), and only the rows that are written. For a scan: the time to read the table,
          while reads and writes continue"""
            .formatted(
                DurationText.format(Pace.GENTLE.lockTimeout()),
                DurationText.format(Pace.GENTLE.batch()))
            .lines()
            .toList());
  }

  private void rollback() {
    lines.add("rollback: mintmark migrate rollback, at any time until mintmark migrate contract");
    Map<Long, List<String>> columns = new TreeMap<>();
    for (Limit limit : plan.limits()) {
      columns
          .computeIfAbsent(limit.last(), last -> new ArrayList<>())
          .add(PrintableText.of(limit.column()));
    }
    columns.forEach(
        (last, names) ->
            lines.add(
                "  no longer possible after the first value above %s in %s"
                    .formatted(Amounts.number(last), String.join(", ", names))));
  }

  private void notes() {
    located.notes().forEach(note -> lines.add("note: " + PrintableText.of(note)));
  }

  private void refusals() {
    located.refusals().stream().flatMap(MigrateTexts::refusal).forEach(lines::add);
  }

  private void ending(Path catalog, InvalidValues invalid) {
    if (!located.refusals().isEmpty()) {
      lines.add(
          "this plan cannot be applied: " + Amounts.counted(located.refusals().size(), "refusal"));
    } else if (plan.isEmpty()) {
      lines.add("nothing to do: the database matches %s".formatted(catalog));
    } else {
      lines.add("");
      lines.add("plan " + plan.fingerprint());
      lines.add(
          "apply exactly this plan with: mintmark migrate apply --plan "
              + plan.fingerprint()
              + options(catalog, invalid));
    }
  }

  private static String options(Path catalog, InvalidValues invalid) {
    return List.of(
            catalog.equals(Path.of("mintmark.yaml")) ? "" : " --catalog " + catalog,
            invalid == InvalidValues.REFUSE ? "" : " --invalid " + invalid.label())
        .stream()
        .collect(Collectors.joining());
  }
}
