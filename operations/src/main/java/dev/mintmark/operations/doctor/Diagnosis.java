package dev.mintmark.operations.doctor;

import java.util.List;
import java.util.Optional;

/**
 * What the doctor says of a database.
 *
 * @param tables how many tables it looked at; a partitioned one counts once
 * @param findings worst first; within a severity in the order of {@link Check}, then by name
 * @param notLookedAt what it could not look at, so that something may be wrong there all the same
 */
public record Diagnosis(int tables, List<Finding> findings, List<NotLookedAt> notLookedAt) {
  /** Keeps both lists as they are now. */
  public Diagnosis {
    findings = List.copyOf(findings);
    notLookedAt = List.copyOf(notLookedAt);
  }

  /** The severity of the worst finding; empty if there are none. */
  public Optional<Severity> worst() {
    return findings.stream().findFirst().map(Finding::severity);
  }
}
