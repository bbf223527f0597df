package dev.mintmark.app.http;

import dev.mintmark.Quoted;
import dev.mintmark.app.access.Access;
import dev.mintmark.app.access.AccessUnavailableException;
import dev.mintmark.app.access.ApiKey;
import dev.mintmark.app.access.AuditEntry;
import dev.mintmark.app.access.KeyRequest;
import dev.mintmark.app.access.Keys;
import dev.mintmark.app.access.Principal;
import dev.mintmark.app.access.Scope;
import dev.mintmark.app.view.CreatedKeyJson;
import dev.mintmark.app.view.KeyJson;
import dev.mintmark.app.view.KeyListJson;
import dev.mintmark.app.view.KeyRequestJson;
import java.net.URI;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

/**
 * {@code /v1/keys}: lists, creates and revokes API keys. The first key is never created here, and
 * nobody gives or takes what they do not have themselves.
 */
@RestController
@RequestMapping(
    path = "/v1/keys",
    produces = {MediaType.APPLICATION_JSON_VALUE, MediaType.APPLICATION_PROBLEM_JSON_VALUE})
class KeysController {
  private static final Logger LOG = LoggerFactory.getLogger(KeysController.class);

  private final Optional<Access> access;

  KeysController(Optional<Access> access) {
    this.access = access;
  }

  @GetMapping
  KeyListJson listKeys(Caller caller) {
    requireAccounts(caller);
    return KeyListJson.of(open().keys().list());
  }

  @PostMapping
  ResponseEntity<CreatedKeyJson> createKey(
      @RequestHeader(name = IdempotencyKey.HEADER, required = false) @Nullable String header,
      @RequestBody KeyRequestJson body,
      Caller caller) {
    Optional<String> idempotencyKey = IdempotencyKey.parse(header);
    KeyRequest request = body.toRequest(Instant.now());
    checkCovered(caller, request.scopes());
    Keys.Created created =
        open()
            .keys()
            .create(
                request, idempotencyKey, entry(caller, "createKey"), status(HttpStatus.CREATED));
    refresh();
    return ResponseEntity.created(URI.create("/v1/keys/" + created.key().id()))
        .header(HttpHeaders.CACHE_CONTROL, "no-store")
        .body(CreatedKeyJson.of(created));
  }

  @DeleteMapping("/{id}")
  KeyJson revokeKey(@PathVariable String id, Caller caller) {
    requireAccounts(caller);
    ApiKey key = open().keys().find(id).orElseThrow(() -> notFound(id));
    checkCovered(caller, key.scopes());
    ApiKey revoked =
        open()
            .keys()
            .revoke(id, entry(caller, "revokeKey"), status(HttpStatus.OK))
            .orElseThrow(() -> notFound(id));
    refresh();
    return KeyJson.of(revoked);
  }

  /** What was committed does not fail because this does: the keys are read again in time. */
  private void refresh() {
    try {
      open().ring().refresh();
    } catch (AccessUnavailableException e) {
      LOG.debug("the keys were not read after a change", e);
    }
  }

  private static AuditEntry entry(Caller caller, String operation) {
    return AuditEntry.begun(Instant.now(), caller.actor(), operation, "", "");
  }

  private static String status(HttpStatus status) {
    return Integer.toString(status.value());
  }

  private static void checkCovered(Caller caller, List<Scope> scopes) {
    Principal own = requireAccounts(caller);
    scopes.stream()
        .filter(scope -> !Scope.covers(own.scopes(), scope))
        .findFirst()
        .ifPresent(
            scope -> {
              throw caller.insufficient(scope.text() + ", which it would give or take");
            });
  }

  private static Principal requireAccounts(Caller caller) {
    return caller
        .principal()
        .orElseThrow(
            () ->
                new ProblemException(
                    ProblemCode.ACCOUNTS_OFF,
                    "this server has no accounts: create the first key with mintmark key create"
                        + " --admin, on the command line"));
  }

  private Access open() {
    return access.orElseThrow(() -> new IllegalStateException("a key without a table of keys"));
  }

  private static ProblemException notFound(String id) {
    return new ProblemException(ProblemCode.KEY_NOT_FOUND, "there is no key " + Quoted.of(id));
  }
}
