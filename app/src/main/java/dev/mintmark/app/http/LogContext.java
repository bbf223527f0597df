package dev.mintmark.app.http;

import dev.mintmark.app.log.LogKeys;
import jakarta.servlet.http.HttpServletRequest;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.MDC;

/** What the log lines of the request say that the present thread is handling. */
final class LogContext {
  /** The attribute with the id of the trace of a request, if it has a span. */
  static final String TRACE = LogContext.class.getName() + ".TRACE";

  private static final int TRACEPARENT_LENGTH = 55;
  private static final String NO_TRACE = "0".repeat(32);
  private static final String NO_PARENT = "0".repeat(16);

  private LogContext() {}

  /** The thread begins with a request, or goes on with one that is dispatched again. */
  static void enter(HttpServletRequest request, String id) {
    MDC.put(LogKeys.REQUEST_ID, id);
    traceOf(request).ifPresent(trace -> MDC.put(LogKeys.TRACE_ID, trace));
    Caller.tryOf(request).ifPresent(known -> caller(known.logged()));
  }

  /** Returns the id of the trace that a request belongs to. */
  static Optional<String> traceOf(HttpServletRequest request) {
    return request.getAttribute(TRACE) instanceof String trace
        ? Optional.of(trace)
        : traceId(request.getHeader("traceparent"));
  }

  /** It is known who sent the request. */
  static void caller(String caller) {
    MDC.put(LogKeys.CALLER, caller);
  }

  /** The thread leaves the request. */
  static void leave() {
    MDC.remove(LogKeys.REQUEST_ID);
    MDC.remove(LogKeys.TRACE_ID);
    MDC.remove(LogKeys.CALLER);
  }

  /**
   * Returns the trace id of a header {@code traceparent} (W3C Trace Context, section 3.2); empty if
   * it is malformed. A later version may have more after its flags.
   */
  static Optional<String> traceId(@Nullable String traceparent) {
    if (traceparent == null
        || traceparent.length() < TRACEPARENT_LENGTH
        || !isHex(traceparent, 0, 2)
        || traceparent.charAt(2) != '-'
        || !isHex(traceparent, 3, 35)
        || traceparent.charAt(35) != '-'
        || !isHex(traceparent, 36, 52)
        || traceparent.charAt(52) != '-'
        || !isHex(traceparent, 53, TRACEPARENT_LENGTH)) {
      return Optional.empty();
    }
    boolean hasMore = traceparent.length() > TRACEPARENT_LENGTH;
    boolean mayHaveMore =
        !traceparent.startsWith("00") && hasMore && traceparent.charAt(TRACEPARENT_LENGTH) == '-';
    String trace = traceparent.substring(3, 35);
    return traceparent.startsWith("ff")
            || (hasMore && !mayHaveMore)
            || trace.equals(NO_TRACE)
            || traceparent.substring(36, 52).equals(NO_PARENT)
        ? Optional.empty()
        : Optional.of(trace);
  }

  private static boolean isHex(String text, int from, int to) {
    for (int i = from; i < to; i++) {
      char c = text.charAt(i);
      if ((c < '0' || c > '9') && (c < 'a' || c > 'f')) {
        return false;
      }
    }
    return true;
  }
}
