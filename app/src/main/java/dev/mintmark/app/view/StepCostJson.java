package dev.mintmark.app.view;

import dev.mintmark.operations.migrate.Estimate;

/** What a step of a migration is expected to cost, as JSON. */
record StepCostJson(long rows, long walBytes, long diskBytes, long seconds) {
  static StepCostJson of(Estimate estimate) {
    return new StepCostJson(
        estimate.rows(), estimate.walBytes(), estimate.diskBytes(), estimate.seconds());
  }
}
