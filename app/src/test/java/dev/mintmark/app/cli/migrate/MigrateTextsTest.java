package dev.mintmark.app.cli.migrate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mintmark.operations.migrate.MigrationState;
import dev.mintmark.operations.migrate.MigrationStatus;
import dev.mintmark.operations.migrate.MigrationStatus.Runner;
import dev.mintmark.operations.migrate.MigrationStatus.Wait;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class MigrateTextsTest {
  private static final Instant START = Instant.parse("2026-01-31T08:15:00Z");

  @Test
  void theStatusSaysWhyTheRunWaits() {
    MigrationStatus status =
        new MigrationStatus(
            1,
            "0123456789abcdef",
            MigrationState.APPLYING,
            false,
            START,
            Optional.empty(),
            START.plusSeconds(20),
            Optional.of(new Runner(42, START)),
            List.of(),
            List.of(),
            Optional.of(
                new Wait(3, "public.orders is locked by process 4711 (psql\u001b)", START)));

    assertThat(MigrateTexts.heading(status))
        .contains(
            "step 3 has been waiting since 2026-01-31T08:15:00Z: public.orders is locked by process"
                + " 4711 (psql?)");
  }
}
