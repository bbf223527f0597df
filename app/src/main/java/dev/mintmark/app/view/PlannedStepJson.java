package dev.mintmark.app.view;

import dev.mintmark.operations.migrate.Step;
import java.util.List;
import java.util.Locale;

/** A step of a plan as JSON. */
record PlannedStepJson(
    String phase,
    String work,
    String title,
    String target,
    List<TableLockJson> locks,
    StepCostJson estimate,
    List<String> apply,
    List<String> undo) {
  static PlannedStepJson of(Step step) {
    return new PlannedStepJson(
        step.phase().label(),
        label(step.work()),
        step.title(),
        step.target(),
        step.locks().stream().map(TableLockJson::of).toList(),
        StepCostJson.of(step.estimate()),
        step.apply(),
        step.undo());
  }

  static String label(Step.Work work) {
    return work.name().toLowerCase(Locale.ROOT);
  }
}
