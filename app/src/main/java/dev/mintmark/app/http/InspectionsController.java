package dev.mintmark.app.http;

import dev.mintmark.Catalog;
import dev.mintmark.app.access.Scope;
import dev.mintmark.app.service.TextInspection;
import dev.mintmark.app.view.TextInspectionJson;
import dev.mintmark.app.view.TextInspectionRequestJson;
import dev.mintmark.postgres.pool.Pools;
import org.springframework.http.MediaType;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

/**
 * {@code /v1/inspections}: finds identifiers in a text. The text is in the body, because URLs are
 * logged, and it is never logged.
 */
@RestController
@RequestMapping(
    path = InspectionsController.PATH,
    produces = {MediaType.APPLICATION_JSON_VALUE, MediaType.APPLICATION_PROBLEM_JSON_VALUE})
class InspectionsController {
  static final String PATH = "/v1/inspections";

  private final Catalog catalog;
  private final Pools pools;

  InspectionsController(Catalog catalog, Pools pools) {
    this.catalog = catalog;
    this.pools = pools;
  }

  @PostMapping
  TextInspectionJson inspectText(@RequestBody TextInspectionRequestJson body, Caller caller) {
    if (body.text() == null) {
      throw new IllegalArgumentException("text is missing: expected the text to inspect");
    }
    return TextInspectionJson.of(
        TextInspection.inspect(
            body.text(),
            catalog,
            pools,
            pool -> caller.may(Scope.Kind.POOLS_READ, pool),
            claim -> caller.sees(claim.owner())));
  }
}
