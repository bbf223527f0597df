package dev.mintmark.app.cli.migrate;

import dev.mintmark.DurationText;
import dev.mintmark.app.service.LocatedPlan;
import dev.mintmark.operations.migrate.MigrationPlan;
import dev.mintmark.operations.migrate.Pace;
import dev.mintmark.operations.migrate.Phase;
import dev.mintmark.operations.migrate.Step;
import java.util.ArrayList;
import java.util.List;

/** A plan as a script of its statements, to be read before it is applied. */
final class MigrateScript {
  private static final int ROWS = 1000;

  private final List<String> lines = new ArrayList<>();

  private MigrateScript() {}

  /** The lines; where the plan has refusals, these in place of an incomplete script. */
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
        "To be read. mintmark migrate apply runs these statements, and besides keeps in");
    script.comment(
        "the database how far it is, so that it can be killed, resumed and rolled back.");
    located.notes().forEach(note -> script.comment("note: " + MigrateTexts.shown(note)));
    int ordinal = 0;
    for (Step step : plan.steps()) {
      ordinal++;
      script.step(ordinal, step);
    }
    return script.lines;
  }

  private void step(int ordinal, Step step) {
    lines.add("");
    comment(
        "%d. %s: %s".formatted(ordinal, step.phase().label(), MigrateTexts.shown(step.title())));
    PlanText.locks(step).forEach(this::comment);
    List<String> statements = new ArrayList<>();
    switch (step.work()) {
      case TRANSACTION -> transaction(step, statements);
      case INDEX -> statements.add(step.apply().get(0) + ";");
      case BACKFILL, VERIFY -> sweep(step, statements);
    }
    if (step.phase() == Phase.CONTRACT) {
      comment("not before you say so: mintmark migrate contract; there is no way back behind it");
      statements.stream().flatMap(String::lines).forEach(this::comment);
    } else {
      lines.addAll(statements);
    }
  }

  private void transaction(Step step, List<String> statements) {
    if (step.apply().isEmpty()) {
      comment("nothing on the way there");
      return;
    }
    statements.add("begin;");
    statements.add(
        "set local lock_timeout = '%s';".formatted(DurationText.format(Pace.GENTLE.lockTimeout())));
    step.apply().forEach(statement -> statements.add(statement.stripTrailing() + ";"));
    statements.add("commit;");
  }

  /** The parameters stand as question marks, the first before the second. */
  private void sweep(Step step, List<String> statements) {
    comment(
        "run again and again, each in a transaction of its own: $1 is where it goes on, null at");
    comment(
        "the start, then the cursor that it answered, until that is null; $2 is how many rows it");
    comment("looks at, as many as fit into a batch");
    if (step.work() == Step.Work.VERIFY) {
      comment("changed is how many rows are wrong: expected 0");
    }
    String sql = step.apply().get(0).replaceFirst("\\?", "\\$1").replaceFirst("\\?", "\\$2");
    statements.add("prepare mintmark_batch (text[], integer) as");
    statements.add(sql.stripTrailing() + ";");
    statements.add("execute mintmark_batch (null, %d);".formatted(ROWS));
    statements.add("deallocate mintmark_batch;");
  }

  private void comment(String line) {
    lines.add(line.isEmpty() ? "--" : "-- " + line);
  }
}
