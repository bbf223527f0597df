package dev.mintmark.app.http;

import jakarta.servlet.http.HttpServletRequest;
import java.net.URI;
import java.util.Set;
import org.springframework.http.HttpHeaders;

/** The page for which a browser has sent a request, as its header {@code Origin} says. */
final class RequestOrigin {
  /** Methods that change nothing. */
  private static final Set<String> SAFE = Set.of("GET", "HEAD", "OPTIONS");

  private RequestOrigin() {}

  /** Whether a request changes nothing. Browsers send no origin with most of those. */
  static boolean isSafe(HttpServletRequest request) {
    return SAFE.contains(request.getMethod());
  }

  /** Whether a request says that it is sent for a page of the host that it is sent to. */
  static boolean isOfHost(HttpServletRequest request) {
    String origin = request.getHeader(HttpHeaders.ORIGIN);
    try {
      return origin != null
          && URI.create(origin).getRawAuthority() != null
          && URI.create(origin).getRawAuthority().equalsIgnoreCase(request.getHeader("Host"));
    } catch (IllegalArgumentException e) {
      return false;
    }
  }
}
