package dev.mintmark.app.http;

import dev.mintmark.app.access.Access;
import dev.mintmark.app.access.AccessUnavailableException;
import dev.mintmark.app.access.ApiKey;
import dev.mintmark.app.access.KeyRing.Recognized;
import dev.mintmark.app.access.KeyText;
import dev.mintmark.app.access.Principal;
import dev.mintmark.app.access.TokenHolder;
import dev.mintmark.app.access.TokenRejectedException;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.Collections;
import java.util.Optional;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.http.HttpHeaders;
import org.springframework.http.ProblemDetail;

/**
 * Finds out who sent a request: by the key in {@code Authorization: Bearer}, or by the session of
 * the console. Which operations a key permits is checked by {@link AccessInterceptor}, which
 * refuses every operation that needs a key to a caller without one, however its path is written.
 */
@Order(Ordered.HIGHEST_PRECEDENCE + 3)
final class AccessFilter extends EveryDispatchFilter {
  private static final String BEARER = "Bearer ";
  private static final String CHALLENGE = "Bearer realm=\"mintmark\"";

  private final Optional<Access> access;
  private final Listening listening;
  private final CallerLoads loads;
  private final ProblemWriter problems;

  AccessFilter(
      Optional<Access> access, Listening listening, CallerLoads loads, ProblemWriter problems) {
    this.access = access;
    this.listening = listening;
    this.loads = loads;
    this.problems = problems;
  }

  @Override
  void filter(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
      throws ServletException, IOException {
    try {
      Caller caller = identify(request, Optional.ofNullable(RequestId.of(response)));
      if (caller.principal().isEmpty() && needsKey(request)) {
        throw keyRequired(access);
      }
      caller.attach(request);
      LogContext.caller(caller.logged());
    } catch (ProblemException e) {
      refuse(response, source(request, listening), e);
      return;
    } catch (AccessUnavailableException e) {
      response.setHeader(HttpHeaders.RETRY_AFTER, "1");
      problems.write(response, unavailable());
      return;
    }
    chain.doFilter(request, response);
  }

  /** Whoever proves nothing is counted by the address: {@link LimitFilter} does not see it. */
  private void refuse(HttpServletResponse response, String source, ProblemException e)
      throws IOException {
    LogContext.caller(source);
    CallerLoads.Request counted = loads.begin(source);
    if (counted.refusal().isPresent()) {
      LimitFilter.refuse(response, problems, source, counted.refusal().get());
      return;
    }
    try {
      Problems.log(e);
      challenge(e).ifPresent(value -> response.setHeader(HttpHeaders.WWW_AUTHENTICATE, value));
      problems.write(response, e.problem());
    } finally {
      counted.end();
    }
  }

  /** Whether requests to this server need a key. */
  static boolean areAccountsOn(Optional<Access> access, Listening listening) {
    return listening.requiresAccounts() || access.filter(open -> open.areAccountsOn()).isPresent();
  }

  /** Whether a request is for the API, not for a file of the console or the server's health. */
  static boolean isOperation(HttpServletRequest request) {
    String path = RequestPath.of(request);
    return path.startsWith("/v1/") || path.equals("/metrics");
  }

  private boolean needsKey(HttpServletRequest request) {
    return isOperation(request)
        && !RequestPath.of(request).equals(SessionController.PATH)
        && areAccountsOn(access, listening);
  }

  private Caller identify(HttpServletRequest request, Optional<String> requestId) {
    String source = source(request, listening);
    Caller nobody = new Caller(Optional.empty(), Optional.empty(), source, requestId);
    if (access.isEmpty() || !areAccountsOn(access, listening)) {
      return nobody;
    }
    String authorization = request.getHeader(HttpHeaders.AUTHORIZATION);
    if (authorization != null) {
      return needsKey(request) ? byKey(access.get(), authorization, nobody) : nobody;
    }
    for (String token : SessionCookie.tokens(request, listening.isSecure(request))) {
      Optional<ApiKey> key = access.get().sessions().find(token);
      if (key.isPresent()) {
        SessionCookie.checkOrigin(request);
        return new Caller(key, Optional.of(token), source, requestId);
      }
    }
    return nobody;
  }

  private static Caller byKey(Access access, String authorization, Caller nobody) {
    if (!authorization.regionMatches(true, 0, BEARER, 0, BEARER.length())) {
      throw new ProblemException(
          ProblemCode.KEY_REJECTED, "the Authorization header must be: Bearer, and the key");
    }
    String proof = authorization.substring(BEARER.length()).strip();
    Principal principal =
        TokenHolder.isToken(proof) ? holder(access, proof) : recognized(access, proof);
    return nobody.as(principal);
  }

  private static TokenHolder holder(Access access, String token) {
    if (access.tokens().isEmpty()) {
      throw new ProblemException(
          ProblemCode.KEY_REJECTED,
          "this is a token, and this server accepts keys alone: serve --oidc-issuer accepts both");
    }
    try {
      return access.tokens().get().recognize(token);
    } catch (TokenRejectedException e) {
      throw new ProblemException(ProblemCode.KEY_REJECTED, String.valueOf(e.getMessage()));
    }
  }

  /**
   * Returns the key of a text.
   *
   * @throws ProblemException if it is not one that is in use
   */
  static ApiKey recognized(Access access, String text) {
    KeyText key =
        KeyText.tryParse(text)
            .orElseThrow(
                () ->
                    new ProblemException(
                        ProblemCode.KEY_REJECTED,
                        "this is not a key: it has the wrong form or checksum, so a part may be"
                            + " missing"));
    Recognized recognized = access.ring().recognize(key);
    if (recognized instanceof Recognized.Known known) {
      return known.key();
    }
    throw new ProblemException(
        ProblemCode.KEY_REJECTED,
        recognized instanceof Recognized.Over over
            ? "the key %s %s"
                .formatted(
                    over.key().id(), over.key().revokedAt().isPresent() ? "was revoked" : "expired")
            : "the key is not known to this server");
  }

  static ProblemException keyRequired(Optional<Access> access) {
    boolean takesTokens = access.flatMap(Access::tokens).isPresent();
    return new ProblemException(
        ProblemCode.KEY_REQUIRED,
        takesTokens
            ? "this server requires a key or a token: send the header Authorization: Bearer, and"
                + " the key or the token"
            : "this server requires a key: send the header Authorization: Bearer, and the key");
  }

  /** The value of {@code WWW-Authenticate} for a problem of status 401. */
  static Optional<String> challenge(ProblemException e) {
    return switch (e.code()) {
      case KEY_REQUIRED -> Optional.of(CHALLENGE);
      case KEY_REJECTED -> Optional.of(CHALLENGE + ", error=\"invalid_token\"");
      default -> Optional.empty();
    };
  }

  static ProblemDetail unavailable() {
    return ProblemCode.ACCESS_UNAVAILABLE.problem(
        "keys or tokens cannot be checked, or the audit cannot be read or written: the database or"
            + " the identity provider did not respond, or another search of the audit has not ended");
  }

  /** The address of the client: the one that the proxy names, if the proxy is trusted. */
  static String source(HttpServletRequest request, Listening listening) {
    String peer = request.getRemoteAddr();
    return listening
        .proxy()
        .map(proxy -> proxy.client(peer, Collections.list(request.getHeaders("X-Forwarded-For"))))
        .orElse(peer);
  }
}
