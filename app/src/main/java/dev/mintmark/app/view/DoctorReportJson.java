package dev.mintmark.app.view;

import dev.mintmark.operations.doctor.Diagnosis;
import dev.mintmark.operations.doctor.Severity;
import java.util.List;

/** The report of the doctor as JSON: the findings, worst first, and what was not looked at. */
public record DoctorReportJson(
    int tables,
    List<FindingJson> findings,
    List<NotLookedAtJson> notLookedAt,
    List<UnseenTableJson> unseenTables) {
  /** Returns the report without findings below a severity. */
  public static DoctorReportJson of(Diagnosis diagnosis, Severity least) {
    return new DoctorReportJson(
        diagnosis.tables(),
        diagnosis.findings().stream()
            .filter(finding -> finding.severity().compareTo(least) >= 0)
            .map(FindingJson::of)
            .toList(),
        diagnosis.notLookedAt().stream().map(NotLookedAtJson::of).toList(),
        diagnosis.unseenTables().stream().map(UnseenTableJson::of).toList());
  }
}
