package dev.mintmark.app.http;

import dev.mintmark.app.access.Sessions;
import jakarta.servlet.http.Cookie;
import jakarta.servlet.http.HttpServletRequest;
import java.util.Arrays;
import java.util.List;
import org.springframework.http.ResponseCookie;

/**
 * The cookie of a session of the console. A browser sends it for pages of this origin alone ({@code
 * SameSite=Strict}), and no script can read it ({@code HttpOnly}).
 */
final class SessionCookie {
  private static final String NAME = "mintmark-session";

  /** Browsers accept this prefix only with Secure, for one host and the whole of it. */
  private static final String SECURE_NAME = "__Host-" + NAME;

  private SessionCookie() {}

  /**
   * The tokens in the cookies of a request. There may be several: pages of sibling hosts can set
   * cookies for this one, though none with the prefix, which is why no other counts with TLS.
   */
  static List<String> tokens(HttpServletRequest request, boolean isSecure) {
    Cookie[] cookies = request.getCookies();
    return cookies == null
        ? List.of()
        : Arrays.stream(cookies)
            .filter(cookie -> cookie.getName().equals(name(isSecure)))
            .map(Cookie::getValue)
            .toList();
  }

  private static String name(boolean isSecure) {
    return isSecure ? SECURE_NAME : NAME;
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
    return ResponseCookie.from(name(isSecure), token)
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
    if (RequestOrigin.isSafe(request)) {
      return;
    }
    String site = request.getHeader("Sec-Fetch-Site");
    boolean isSameOrigin =
        site != null ? site.equals("same-origin") : RequestOrigin.isOfHost(request);
    if (!isSameOrigin) {
      throw new ProblemException(
          ProblemCode.CROSS_SITE_REQUEST,
          "a session can change something only from a page of this server");
    }
  }
}
