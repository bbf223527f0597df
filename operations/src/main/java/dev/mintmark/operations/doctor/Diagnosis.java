package dev.mintmark.operations.doctor;

import java.util.List;
import java.util.Optional;

/**
 * What the doctor says of a database.
 *
 * @param tables how many tables it looked at; a partitioned one counts once
 * @param findings worst first; within a severity in the order of {@link Check}, then by name
 * @param notLookedAt what it could not look at, so that something may be wrong there all the same
 * @param unseenTables the tables whose values it could not read
 */
public record Diagnosis(
    int tables,
    List<Finding> findings,
    List<NotLookedAt> notLookedAt,
    List<UnseenTable> unseenTables) {
  /** Keeps the lists as they are now. */
  public Diagnosis {
    findings = List.copyOf(findings);
    notLookedAt = List.copyOf(notLookedAt);
    unseenTables = List.copyOf(unseenTables);
  }

  /** The severity of the worst finding; empty if there are none. */
  public Optional<Severity> worst() {
    return findings.stream().findFirst().map(Finding::severity);
  }

  /** Whether there are tables, and the values of none could be read. */
  public boolean isBlind() {
    long unreadable = unseenTables.stream().filter(table -> table.remedy().isPresent()).count();
    return !unseenTables.isEmpty() && unreadable == tables;
  }
}
