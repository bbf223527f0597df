package dev.mintmark.app.http;

import dev.mintmark.app.maintenance.DoctorRuns;
import dev.mintmark.app.maintenance.Maintenance;
import dev.mintmark.app.view.DoctorStateJson;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

/** {@code /v1/doctor}: the last report of the doctor, and the next run. */
@RestController
@ConditionalOnBean(Maintenance.class)
@RequestMapping(
    path = "/v1/doctor",
    produces = {MediaType.APPLICATION_JSON_VALUE, MediaType.APPLICATION_PROBLEM_JSON_VALUE})
class DoctorController {
  private final DoctorRuns doctor;

  DoctorController(Maintenance maintenance) {
    this.doctor = maintenance.doctor();
  }

  @GetMapping
  DoctorStateJson getDoctor() {
    return DoctorStateJson.of(doctor);
  }

  @PostMapping
  @ResponseStatus(HttpStatus.ACCEPTED)
  DoctorStateJson runDoctor() {
    doctor.start();
    return DoctorStateJson.of(doctor);
  }
}
