package dev.mintmark.operations.migrate;

import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * A migration in a list of all.
 *
 * @param migration its number: 1, 2, ... in its database
 * @param fingerprint the fingerprint of its plan
 * @param state its state
 * @param paused whether it is paused
 * @param started when it began
 * @param ended when it ended; empty while it is active
 * @param tables as {@link MigrationStatus#tables}
 * @param steps the number of its steps, including those of the contraction
 * @param stepsDone how many of them are done
 */
public record MigrationSummary(
    long migration,
    String fingerprint,
    MigrationState state,
    boolean paused,
    Instant started,
    Optional<Instant> ended,
    List<String> tables,
    int steps,
    int stepsDone) {
  public MigrationSummary {
    tables = List.copyOf(tables);
  }
}
