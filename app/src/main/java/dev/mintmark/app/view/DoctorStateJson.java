package dev.mintmark.app.view;

import dev.mintmark.app.maintenance.DoctorRuns;
import dev.mintmark.app.maintenance.DoctorRuns.Examination;
import dev.mintmark.app.maintenance.RunState;
import dev.mintmark.operations.doctor.Severity;
import org.jspecify.annotations.Nullable;

/**
 * The last report of a server's doctor as JSON.
 *
 * @param role the role of the server, whose rights decide what is looked at; null if there is no
 *     report yet
 * @param runningSince when the run began that is in progress; null if there is none
 * @param examinedAt when the last run ended; null if there was none
 * @param catalog the catalog whose mints the report compares with; null if there is none
 * @param report the report of the last run; null if there was none or it failed
 * @param failure why the last run failed; null if it did not
 */
public record DoctorStateJson(
    @Nullable String role,
    @Nullable String runningSince,
    @Nullable String examinedAt,
    @Nullable String catalog,
    @Nullable DoctorReportJson report,
    @Nullable String failure) {
  public static DoctorStateJson of(DoctorRuns doctor) {
    RunState<Examination> state = doctor.state();
    return new DoctorStateJson(
        state.value().map(Examination::role).orElse(null),
        state.runningSince().map(Object::toString).orElse(null),
        state.ended().map(Object::toString).orElse(null),
        doctor.catalogFile().map(Object::toString).orElse(null),
        state
            .value()
            .map(examination -> DoctorReportJson.of(examination.diagnosis(), Severity.NOTICE))
            .orElse(null),
        state.failure().orElse(null));
  }
}
