package dev.mintmark.operations.migrate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mintmark.operations.migrate.MigrationStatus.Runner;
import dev.mintmark.operations.migrate.MigrationStatus.StepStatus;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class MigrationStatusTest {
  private static final Instant RUN = Instant.parse("2026-11-22T02:00:00Z");

  @Test
  void aStepOfTheRunThatWorksHasARate() {
    StepStatus step = step(StepState.DOING, 30_000, RUN.plusSeconds(5));

    assertThat(read(RUN.plusSeconds(15), true).rowsPerSecond(step)).hasValue(3_000);
  }

  @Test
  void noRateIsToldOfWhatIsNotKnownOrTooYoung() {
    MigrationStatus worked = read(RUN.plusSeconds(15), true);
    Instant began = RUN.plusSeconds(5);

    assertThat(worked.rowsPerSecond(step(StepState.DOING, 30_000, RUN.minusSeconds(60))))
        .as("begun by an earlier run")
        .isEmpty();
    assertThat(worked.rowsPerSecond(step(StepState.DOING, 0, began))).as("no rows").isEmpty();
    assertThat(worked.rowsPerSecond(step(StepState.DONE, 30_000, began))).as("over").isEmpty();
    assertThat(read(RUN.plusSeconds(15), false).rowsPerSecond(step(StepState.DOING, 9, began)))
        .as("nobody works on it")
        .isEmpty();
    assertThat(read(began.plusMillis(999), true).rowsPerSecond(step(StepState.DOING, 9, began)))
        .as("less than a second")
        .isEmpty();
  }

  private static MigrationStatus read(Instant at, boolean worked) {
    return new MigrationStatus(
        1,
        "0123456789abcdef",
        MigrationState.APPLYING,
        false,
        RUN.minusSeconds(120),
        Optional.empty(),
        at,
        worked ? Optional.of(new Runner(42, RUN)) : Optional.empty(),
        List.of(),
        List.of(),
        Optional.empty());
  }

  private static StepStatus step(StepState state, long rows, Instant began) {
    return new StepStatus(
        1,
        Phase.BACKFILL,
        Step.Work.BACKFILL,
        "fill orders.id__new",
        "public.orders",
        state,
        rows,
        100_000,
        Optional.of(began),
        Optional.empty(),
        List.of());
  }
}
