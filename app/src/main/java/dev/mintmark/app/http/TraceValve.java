package dev.mintmark.app.http;

import dev.mintmark.app.http.Tracing.RequestSpan;
import jakarta.servlet.ServletException;
import java.io.IOException;
import java.util.Set;
import org.apache.catalina.connector.Request;
import org.apache.catalina.connector.Response;

/**
 * Makes a span of each request to the API. Those for files of the console, health and metrics have
 * none.
 */
final class TraceValve extends RequestEndValve {
  private static final String SPAN = TraceValve.class.getName();

  /** Others would make any number of names. */
  private static final Set<String> METHODS =
      Set.of("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE");

  private final Tracing tracing;
  private final PathTemplates templates;

  TraceValve(Tracing tracing, PathTemplates templates) {
    this.tracing = tracing;
    this.templates = templates;
  }

  /** Called again when a request is dispatched again. */
  @Override
  public void invoke(Request request, Response response) throws IOException, ServletException {
    if (request.getAttribute(SPAN) == null
        && AccessFilter.isOperation(request)
        && METHODS.contains(request.getMethod())) {
      RequestSpan span = tracing.begin(request, request.getMethod());
      request.setAttribute(SPAN, span);
      request.setAttribute(LogContext.TRACE, span.traceId());
    }
    super.invoke(request, response);
  }

  @Override
  public void log(Request request, Response response, long nanos) {
    if (request.getAttribute(SPAN) instanceof RequestSpan span) {
      span.end(
          templates.of(request),
          RequestLogValve.status(request, response),
          response.getHeader(RequestId.HEADER));
    }
  }
}
