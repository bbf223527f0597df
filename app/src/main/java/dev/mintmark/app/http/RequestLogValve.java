package dev.mintmark.app.http;

import dev.mintmark.app.log.LogKeys;
import java.util.Optional;
import org.apache.catalina.connector.Request;
import org.apache.catalina.connector.Response;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.spi.LoggingEventBuilder;

/**
 * The access log: a line for each request when it has ended, also for one that Tomcat rejects and
 * for a stream. It has no header, no query and no value of a path.
 */
final class RequestLogValve extends RequestEndValve {
  private static final Logger LOG = LoggerFactory.getLogger(LogKeys.ACCESS_LOGGER);

  /** The attribute with the status of a stream, which Tomcat forgets when the client leaves. */
  static final String STREAM_STATUS = RequestLogValve.class.getName() + ".STREAM_STATUS";

  private static final long NANOS_PER_MICRO = 1_000;

  /** Longer ones are of no operation. */
  private static final int METHOD_LENGTH_MAX = 16;

  private final Listening listening;
  private final PathTemplates templates;
  private final WarmUp warmUp;

  RequestLogValve(Listening listening, PathTemplates templates, WarmUp warmUp) {
    this.listening = listening;
    this.templates = templates;
    this.warmUp = warmUp;
  }

  @Override
  public void log(Request request, Response response, long nanos) {
    if (!LOG.isInfoEnabled() || warmUp.isOwn(request.getRequestURI())) {
      return;
    }
    Optional<Caller> caller = Caller.tryOf(request);
    LoggingEventBuilder line =
        LOG.atInfo()
            .addKeyValue("method", method(request))
            .addKeyValue("path", templates.of(request))
            .addKeyValue("status", status(request, response))
            .addKeyValue("duration_us", nanos / NANOS_PER_MICRO)
            .addKeyValue(LogKeys.REQUEST_ID, response.getHeader(RequestId.HEADER))
            .addKeyValue(LogKeys.TRACE_ID, LogContext.traceOf(request).orElse(null))
            .addKeyValue("key", caller.flatMap(Caller::principal).map(key -> key.id()).orElse(null))
            .addKeyValue("address", caller.map(Caller::source).orElseGet(() -> address(request)));
    line.log("request");
  }

  static int status(Request request, Response response) {
    return response.isCommitted() && request.getAttribute(STREAM_STATUS) instanceof Integer begun
        ? begun
        : response.getStatus();
  }

  private static String method(Request request) {
    String method = request.getMethod();
    boolean isPlain =
        method != null
            && !method.isEmpty()
            && method.length() <= METHOD_LENGTH_MAX
            && method.chars().allMatch(c -> c >= 'A' && c <= 'Z');
    return isPlain ? method : "-";
  }

  /** A request that Tomcat rejects may have no headers. */
  private String address(Request request) {
    return request.getRemoteAddr() == null ? "-" : AccessFilter.source(request, listening);
  }
}
