package dev.mintmark.app.view;

import dev.mintmark.operations.doctor.Check;
import dev.mintmark.operations.doctor.Diagnosis;
import dev.mintmark.operations.doctor.Finding;
import dev.mintmark.operations.doctor.NotLookedAt;
import dev.mintmark.operations.doctor.Severity;
import dev.mintmark.operations.doctor.UnseenTable;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The report of the doctor as JSON. */
public final class DoctorJson {
  private DoctorJson() {}

  /** The findings, worst first, and what could not be looked at. */
  public record Report(
      int tables, List<Found> findings, List<Unseen> notLookedAt, List<Table> unseenTables) {
    /** Returns the report without findings below a severity. */
    public static Report of(Diagnosis diagnosis, Severity least) {
      return new Report(
          diagnosis.tables(),
          diagnosis.findings().stream()
              .filter(finding -> finding.severity().compareTo(least) >= 0)
              .map(Found::of)
              .toList(),
          diagnosis.notLookedAt().stream().map(Unseen::of).toList(),
          diagnosis.unseenTables().stream().map(Table::of).toList());
    }
  }

  /** One finding; the threshold is that of its check. */
  record Found(
      String check,
      String severity,
      String object,
      String found,
      String threshold,
      String remedy,
      @Nullable Long savedBytes,
      @Nullable String runsOut) {
    static Found of(Finding finding) {
      Check check = finding.check();
      return new Found(
          check.id(),
          finding.severity().label(),
          finding.object(),
          finding.found(),
          check.threshold(),
          finding.remedy(),
          finding.savedBytes().isPresent() ? finding.savedBytes().getAsLong() : null,
          finding.runsOut().map(Object::toString).orElse(null));
    }
  }

  /** What could not be looked at, and why. */
  record Unseen(String object, String reason) {
    static Unseen of(NotLookedAt unseen) {
      return new Unseen(unseen.object(), unseen.reason());
    }
  }

  /** A table whose values could not be read, and the statement after which they can. */
  record Table(String table, String reason, @Nullable String remedy) {
    static Table of(UnseenTable unseen) {
      return new Table(unseen.shown(), unseen.reason(), unseen.remedy().orElse(null));
    }
  }
}
