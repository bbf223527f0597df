package dev.mintmark.app.http;

import dev.mintmark.app.access.Sessions;
import jakarta.servlet.http.Cookie;
import jakarta.servlet.http.HttpServletRequest;
import java.net.URI;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.http.ResponseCookie;

/**
 * The cookie of a session of the console. A browser sends it for pages of this origin alone ({@code
 * SameSite=Strict}), and no script can read it ({@code HttpOnly}).
 */
final class SessionCookie {
  private static final String NAME = "mintmark-session";

  /** Browsers accept this prefix only with Secure, for one host and the whole of it. */
  private static final String SECURE_NAME = "__Host-" + NAME;

  /** Methods that change nothing. */
  private static final Set<String> SAFE = Set.of("GET", "HEAD", "OPTIONS");

  private SessionCookie() {}

  /** The token in the cookie of a request. */
  static Optional<String> of(HttpServletRequest request) {
    Cookie[] cookies = request.getCookies();
    if (cookies != null) {
      for (Cookie cookie : cookies) {
        if (cookie.getName().equals(SECURE_NAME) || cookie.getName().equals(NAME)) {
          return Optional.of(cookie.getValue());
        }
      }
    }
    return Optional.empty();
  }

  /** The header that sets the cookie. */
  static String set(String token, boolean isSecure) {
    return cookie(token, isSecure, Sessions.LENGTH_MAX.toSeconds());
  }

  /** The header that removes the cookie. */
  static String clear(boolean isSecure) {
    return cookie("", isSecure, 0);
  }

  private static String cookie(String token, boolean isSecure, long seconds) {
    return ResponseCookie.from(isSecure ? SECURE_NAME : NAME, token)
        .httpOnly(true)
        .secure(isSecure)
        .sameSite("Strict")
        .path("/")
        .maxAge(seconds)
        .build()
        .toString();
  }

  /**
   * Checks that a request that changes something, and that the session is the only proof of, comes
   * from a page of this server. SameSite alone would let pages of other ports of this machine, and
   * of sibling domains, send it.
   *
   * @throws ProblemException if it does not
   */
  static void checkOrigin(HttpServletRequest request) {
    if (SAFE.contains(request.getMethod())) {
      return;
    }
    String site = request.getHeader("Sec-Fetch-Site");
    boolean isSameOrigin =
        site != null ? site.equals("same-origin") : isOfHost(request.getHeader("Origin"), request);
    if (!isSameOrigin) {
      throw new ProblemException(
          ProblemCode.CROSS_SITE_REQUEST,
          "a session can change something only from a page of this server");
    }
  }

  private static boolean isOfHost(@Nullable String origin, HttpServletRequest request) {
    try {
      return origin != null
          && URI.create(origin).getRawAuthority() != null
          && URI.create(origin).getRawAuthority().equalsIgnoreCase(request.getHeader("Host"));
    } catch (IllegalArgumentException e) {
      return false;
    }
  }
}
