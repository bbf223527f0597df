package dev.mintmark.app.cli.migrate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mintmark.operations.migrate.Estimate;
import dev.mintmark.operations.migrate.MigrationListener.StepPosition;
import dev.mintmark.operations.migrate.Phase;
import dev.mintmark.operations.migrate.Step;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;

class MigrateProgressTest {
  private static final Step STEP =
      new Step(
          Phase.SWITCH,
          Step.Work.TRANSACTION,
          "switch orders.id",
          "public.orders",
          List.of("select 1"),
          List.of(),
          List.of(),
          Estimate.NOTHING);

  @Test
  void whyItWaitsIsToldOnceForAWhile() {
    StringWriter err = new StringWriter();
    CommandSpec command = CommandSpec.create();
    new CommandLine(command).setErr(new PrintWriter(err));
    try (MigrateProgress progress = new MigrateProgress(command)) {
      progress.started(STEP, new StepPosition(3, 7, true));
      for (int i = 0; i < 1000; i++) {
        progress.waiting(STEP, "a standby is %d s behind".formatted(i), Duration.ofMillis(500));
      }
      progress.waiting(STEP, "cannot see all", Duration.ZERO);
    }

    assertThat(err.toString().lines())
        .containsExactly(
            "[3/7] switch: undo: switch orders.id",
            "  waits 500ms: a standby is 0 s behind",
            "  cannot see all");
  }
}
