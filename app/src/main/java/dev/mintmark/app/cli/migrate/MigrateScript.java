package dev.mintmark.app.cli.migrate;

import dev.mintmark.DurationText;
import dev.mintmark.app.cli.common.PrintableText;
import dev.mintmark.app.service.LocatedPlan;
import dev.mintmark.operations.migrate.MigrationPlan;
import dev.mintmark.operations.migrate.Pace;
import dev.mintmark.operations.migrate.Phase;
import dev.mintmark.operations.migrate.Step;
import java.util.ArrayList;
import java.util.List;

/** A plan as a script of its statements, for review before it is applied. */
final class MigrateScript {
  private static final int ROWS = 1000;

  private final List<String> lines = new ArrayList<>();

  private MigrateScript() {}

  /** Returns the lines; only the refusals if the plan has any. */
  static List<String> of(LocatedPlan located) {
    MigrateScript script = new MigrateScript();
    MigrationPlan plan = located.plan();
    if (!located.refusals().isEmpty()) {
      script.comment("this plan cannot be applied:");
      located.refusals().stream().flatMap(MigrateTexts::refusal).forEach(script::comment);
      return script.lines;
    }
    if (plan.isEmpty()) {
      script.comment("nothing to do");
      return script.lines;
    }
    script.comment("plan " + plan.fingerprint());
    script.comment("");
    script.comment(
        "For review. mintmark migrate apply runs these statements and stores its progress");
    script.comment("in the database, so that it can be killed, resumed and rolled back.");
    located.notes().forEach(note -> script.comment("note: " + PrintableText.of(note)));
    script.lines.add("");
    script.comment("settings under which the text of the statements was written");
    MigrationPlan.settings().forEach(statement -> script.lines.add(statement + ";"));
    int ordinal = 0;
    for (Step step : plan.steps()) {
      ordinal++;
      script.step(ordinal, step);
    }
    return script.lines;
  }

  private void step(int ordinal, Step step) {
    lines.add("");
    comment("%s. %s: %s".formatted(ordinal, step.phase().label(), PrintableText.of(step.title())));
    PlanText.locks(step).forEach(this::comment);
    List<String> statements = new ArrayList<>();
    switch (step.work()) {
      case TRANSACTION -> transaction(step, statements);
      case INDEX -> statements.add(step.apply().get(0) + ";");
      case BACKFILL, VERIFY -> batches(step, statements);
    }
    if (step.phase() == Phase.CONTRACT) {
      comment("only run by mintmark migrate contract; cannot be undone");
      statements.stream().flatMap(String::lines).forEach(this::comment);
    } else {
      lines.addAll(statements);
    }
  }

  private void transaction(Step step, List<String> statements) {
    if (step.apply().isEmpty()) {
      comment("no statements in this direction");
      return;
    }
    statements.add("begin;");
    statements.add(
        "set local lock_timeout = '%s';".formatted(DurationText.format(Pace.GENTLE.lockTimeout())));
    step.apply().forEach(statement -> statements.add(statement.stripTrailing() + ";"));
    statements.add("commit;");
  }

  /** The two parameters are question marks, in this order. */
  private void batches(Step step, List<String> statements) {
    comment(
        "run repeatedly, each time in a transaction of its own: $1 is the cursor, null at first,");
    comment(
        "then the cursor of the last result, until that is null; $2 is the number of rows of a");
    comment("batch");
    if (step.work() == Step.Work.VERIFY) {
      comment("changed is the number of wrong rows: expected 0");
    }
    String sql = step.apply().get(0).replaceFirst("\\?", "\\$1").replaceFirst("\\?", "\\$2");
    statements.add("prepare mintmark_batch (text[], integer) as");
    statements.add(sql.stripTrailing() + ";");
    statements.add("execute mintmark_batch (null, %s);".formatted(ROWS));
    statements.add("deallocate mintmark_batch;");
  }

  private void comment(String line) {
    lines.add(line.isEmpty() ? "--" : "-- " + line);
  }
}
