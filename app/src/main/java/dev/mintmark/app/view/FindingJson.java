package dev.mintmark.app.view;

import dev.mintmark.operations.doctor.Check;
import dev.mintmark.operations.doctor.Finding;
import org.jspecify.annotations.Nullable;

/** A finding of the doctor as JSON; the threshold is that of its check. */
record FindingJson(
    String check,
    String severity,
    String object,
    String found,
    String threshold,
    String remedy,
    @Nullable Long savedBytes,
    @Nullable String runsOut) {
  static FindingJson of(Finding finding) {
    Check check = finding.check();
    return new FindingJson(
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
