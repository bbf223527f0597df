package dev.mintmark.app.http;

import dev.mintmark.app.access.Access;
import dev.mintmark.app.access.ApiKey;
import dev.mintmark.app.view.SessionJson;
import dev.mintmark.app.view.SignInJson;
import jakarta.servlet.http.HttpServletRequest;
import java.util.Optional;
import org.springframework.http.HttpHeaders;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

/**
 * {@code /v1/session}: signs the console in and out. A session is new at each sign-in: a token that
 * a browser brings along is never adopted.
 */
@RestController
@RequestMapping(
    path = SessionController.PATH,
    produces = {MediaType.APPLICATION_JSON_VALUE, MediaType.APPLICATION_PROBLEM_JSON_VALUE})
class SessionController {
  static final String PATH = "/v1/session";

  private final Optional<Access> access;
  private final Listening listening;

  SessionController(Optional<Access> access, Listening listening) {
    this.access = access;
    this.listening = listening;
  }

  @GetMapping
  ResponseEntity<SessionJson> getSession(Caller caller) {
    return ResponseEntity.ok()
        .header(HttpHeaders.CACHE_CONTROL, "no-store")
        .body(
            SessionJson.of(
                AccessFilter.areAccountsOn(access, listening),
                caller.principal().filter(ApiKey.class::isInstance).map(ApiKey.class::cast)));
  }

  @PostMapping
  ResponseEntity<SessionJson> signIn(
      @RequestBody SignInJson body, Caller caller, HttpServletRequest request) {
    if (body.key() == null) {
      throw new IllegalArgumentException("key is missing");
    }
    Access open =
        access
            .filter(present -> AccessFilter.areAccountsOn(access, listening))
            .orElseThrow(
                () ->
                    new ProblemException(
                        ProblemCode.ACCOUNTS_OFF,
                        "this server has no accounts: nothing requires to sign in"));
    ApiKey key = AccessFilter.recognized(open, body.key().strip());
    boolean isSecure = listening.isSecure(request);
    SessionCookie.tokens(request, isSecure).forEach(open.sessions()::end);
    return ResponseEntity.ok()
        .header(HttpHeaders.CACHE_CONTROL, "no-store")
        .header(HttpHeaders.SET_COOKIE, SessionCookie.set(open.sessions().open(key), isSecure))
        .body(SessionJson.of(true, Optional.of(key)));
  }

  @DeleteMapping
  ResponseEntity<Void> signOut(Caller caller, HttpServletRequest request) {
    access.ifPresent(open -> caller.session().ifPresent(open.sessions()::end));
    return ResponseEntity.noContent()
        .header(HttpHeaders.SET_COOKIE, SessionCookie.clear(listening.isSecure(request)))
        .build();
  }
}
