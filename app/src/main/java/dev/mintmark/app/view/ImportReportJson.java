package dev.mintmark.app.view;

import dev.mintmark.app.transfer.ImportReport;
import java.util.List;

/**
 * What an import would do, or has done, as JSON.
 *
 * @param done whether values were claimed; otherwise it is a plan
 * @param claimed values that would be claimed, or were
 * @param rejections the first of the lines that are rejected
 */
public record ImportReportJson(
    String format,
    boolean done,
    long lines,
    long claimed,
    long held,
    long skipped,
    long rejected,
    List<RejectedLineJson> rejections) {
  public static ImportReportJson of(ImportReport report) {
    return new ImportReportJson(
        report.format().label(),
        report.isDone(),
        report.lines(),
        report.claimed(),
        report.held(),
        report.skipped(),
        report.rejected(),
        report.rejections().stream().map(RejectedLineJson::of).toList());
  }
}
