package dev.mintmark.app.http;

import dev.mintmark.Mint;
import dev.mintmark.Ulid;
import dev.mintmark.app.log.LogKeys;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import org.jspecify.annotations.Nullable;

/**
 * The id of a request, which its response, its problem and its log lines carry, so that a report of
 * a client finds the lines of the server.
 *
 * <pre>
 *   X-Request-Id: checkout-7f3a     the client's own, if it is well-formed
 *   X-Request-Id: 01M7Z4FV...       otherwise a ULID of the server
 * </pre>
 *
 * <p>Safe for use by many threads.
 */
final class RequestId {
  /** The header of requests and of responses. */
  static final String HEADER = "X-Request-Id";

  /** The key of problems and of log lines. */
  static final String KEY = LogKeys.REQUEST_ID;

  /** The maximum of characters of an id of a client. */
  static final int LENGTH_MAX = 64;

  private static final String ATTRIBUTE = RequestId.class.getName();

  private final Mint<Ulid> mint = Ulid.ascending();

  /** Returns the id of a request. A request that is dispatched again keeps its id. */
  String of(HttpServletRequest request) {
    if (request.getAttribute(ATTRIBUTE) instanceof String known) {
      return known;
    }
    String given = request.getHeader(HEADER);
    String id = isWellFormed(given) ? given : mint.mint().toString();
    request.setAttribute(ATTRIBUTE, id);
    return id;
  }

  /** Returns the id that a response carries; null if {@link ProblemValve} did not see it. */
  static @Nullable String of(HttpServletResponse response) {
    return response.getHeader(HEADER);
  }

  /** Whether a text can be an id: it must be safe in headers, logs and shells. */
  static boolean isWellFormed(@Nullable String text) {
    if (text == null || text.isEmpty() || text.length() > LENGTH_MAX) {
      return false;
    }
    for (int i = 0; i < text.length(); i++) {
      if (!isAllowed(text.charAt(i))) {
        return false;
      }
    }
    return true;
  }

  private static boolean isAllowed(char c) {
    return (c >= 'a' && c <= 'z')
        || (c >= 'A' && c <= 'Z')
        || (c >= '0' && c <= '9')
        || c == '.'
        || c == '_'
        || c == '-';
  }
}
