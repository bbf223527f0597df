package dev.mintmark.app.http;

import dev.mintmark.app.access.Access;
import dev.mintmark.app.access.AuditFilter;
import dev.mintmark.app.service.InstantText;
import dev.mintmark.app.view.AuditPageJson;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;
import org.springframework.http.MediaType;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** {@code /v1/audit}: who changed what, when, and from where. */
@RestController
@RequestMapping(
    path = "/v1/audit",
    produces = {MediaType.APPLICATION_JSON_VALUE, MediaType.APPLICATION_PROBLEM_JSON_VALUE})
class AuditController {
  private final Optional<Access> access;

  AuditController(Optional<Access> access) {
    this.access = access;
  }

  @GetMapping
  AuditPageJson listAudit(
      @RequestParam(required = false) @Nullable String actor,
      @RequestParam(required = false) @Nullable String action,
      @RequestParam(required = false) @Nullable String target,
      @RequestParam(name = "request_id", required = false) @Nullable String requestId,
      @RequestParam(required = false) @Nullable String since,
      @RequestParam(required = false) @Nullable String until,
      @RequestParam(required = false) @Nullable Long before,
      @RequestParam(defaultValue = "100") int limit) {
    AuditFilter filter =
        new AuditFilter(
            Optional.ofNullable(actor),
            Optional.ofNullable(action),
            Optional.ofNullable(target),
            Optional.ofNullable(requestId),
            Optional.ofNullable(since).map(text -> InstantText.parse("since", text)),
            Optional.ofNullable(until).map(text -> InstantText.parse("until", text)));
    Access open =
        access.orElseThrow(
            () ->
                new ProblemException(
                    ProblemCode.ACCOUNTS_OFF, "this server has no table for the audit"));
    return AuditPageJson.of(
        open.audit()
            .list(filter, before == null ? OptionalLong.empty() : OptionalLong.of(before), limit),
        limit);
  }
}
