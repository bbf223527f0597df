package dev.mintmark.app.http;

import jakarta.servlet.http.HttpServletRequest;
import java.util.stream.Collectors;
import org.springframework.http.server.PathContainer;
import org.springframework.http.server.PathContainer.PathSegment;

/**
 * The path of a request as Spring compares it with those of operations: its segments are decoded
 * and have no parameters, so {@code /%761;a=b/pools} is {@code /v1/pools}. A slash within a segment
 * is {@code %2F}.
 */
final class RequestPath {
  private RequestPath() {}

  /** The path of a request; empty if the request is malformed. */
  static String of(HttpServletRequest request) {
    String raw = request.getRequestURI();
    return raw == null ? "" : of(raw);
  }

  static String of(String raw) {
    if (raw.indexOf('%') < 0 && raw.indexOf(';') < 0) {
      return raw;
    }
    try {
      return PathContainer.parsePath(raw).elements().stream()
          .map(RequestPath::decoded)
          .collect(Collectors.joining());
    } catch (IllegalArgumentException e) {
      return ""; // It is not percent-encoded correctly.
    }
  }

  private static String decoded(PathContainer.Element element) {
    return element instanceof PathSegment segment
        ? segment.valueToMatch().replace("/", "%2F")
        : element.value();
  }
}
