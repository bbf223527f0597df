package dev.mintmark.app.http;

import dev.mintmark.app.maintenance.Maintenance;
import dev.mintmark.app.maintenance.PlanRuns;
import dev.mintmark.app.view.MigrationPlanRequestJson;
import dev.mintmark.app.view.MigrationPlanStateJson;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

/** {@code /v1/migration-plan}: the last plan for the catalog, and the next one. */
@RestController
@ConditionalOnBean(Maintenance.class)
@RequestMapping(
    path = "/v1/migration-plan",
    produces = {MediaType.APPLICATION_JSON_VALUE, MediaType.APPLICATION_PROBLEM_JSON_VALUE})
class MigrationPlanController {
  private final PlanRuns plans;

  MigrationPlanController(Maintenance maintenance) {
    this.plans = maintenance.plans();
  }

  @GetMapping
  MigrationPlanStateJson getMigrationPlan() {
    return MigrationPlanStateJson.of(plans);
  }

  @PostMapping
  @ResponseStatus(HttpStatus.ACCEPTED)
  MigrationPlanStateJson planMigration(@RequestBody MigrationPlanRequestJson body) {
    if (!plans.start(body.toInvalidValues())) {
      throw new ProblemException(
          ProblemCode.NO_CATALOG,
          "the server was started without a catalog, so there is nothing to plan: write"
              + " mintmark.yaml in its directory, or name one with --catalog, and start it again");
    }
    return MigrationPlanStateJson.of(plans);
  }
}
