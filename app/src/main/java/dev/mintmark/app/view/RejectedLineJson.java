package dev.mintmark.app.view;

import dev.mintmark.app.transfer.ImportReport.Rejection;

/**
 * A line of a file that cannot be imported, as JSON.
 *
 * @param value the value; empty if the line has none
 */
public record RejectedLineJson(int line, String value, String reason) {
  static RejectedLineJson of(Rejection rejection) {
    return new RejectedLineJson(rejection.line(), rejection.value(), rejection.reason());
  }
}
