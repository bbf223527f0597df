package dev.mintmark.app.http;

import jakarta.servlet.ServletException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Objects;
import java.util.stream.IntStream;
import org.apache.catalina.connector.Request;
import org.apache.catalina.connector.Response;
import org.apache.catalina.valves.ErrorReportValve;
import org.apache.coyote.ActionCode;
import org.apache.tomcat.util.http.MimeHeaders;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatusCode;
import org.springframework.http.MediaType;
import org.springframework.http.ProblemDetail;
import tools.jackson.databind.json.JsonMapper;

/**
 * Reports as a problem (RFC 9457) what Tomcat itself rejects, such as a malformed path, and gives
 * every response the headers that restrict what a browser does with it, and the id of its request.
 * Log lines of the request have the id too.
 */
final class ProblemValve extends ErrorReportValve {
  /** The attribute with a {@link Runnable} that closes the connection at once. */
  static final String CLOSE = ProblemValve.class.getName() + ".CLOSE";

  /** Headers with their values as bytes: Tomcat would encode a text for each response. */
  private static final Map<String, byte[]> RESTRICTIONS =
      Map.of(
          "Content-Security-Policy",
          ascii(
              "default-src 'self'; style-src 'self'; script-src 'self'; img-src 'self' data:;"
                  + " connect-src 'self'; frame-ancestors 'none'; base-uri 'none';"
                  + " form-action 'none'"),
          "X-Content-Type-Options",
          ascii("nosniff"),
          "Referrer-Policy",
          ascii("no-referrer"));

  private final JsonMapper json;
  private final RequestId ids = new RequestId();

  ProblemValve(JsonMapper json) {
    this.json = json;
  }

  @Override
  public void invoke(Request request, Response response) throws IOException, ServletException {
    Runnable close = () -> request.getCoyoteRequest().action(ActionCode.CLOSE_NOW, null);
    request.setAttribute(CLOSE, close);
    restrict(request, response);
    LogContext.enter(request, ids.of(request));
    try {
      super.invoke(request, response);
    } finally {
      LogContext.leave();
    }
  }

  private void restrict(Request request, Response response) {
    response.setHeader(RequestId.HEADER, ids.of(request));
    MimeHeaders headers = response.getCoyoteResponse().getMimeHeaders();
    RESTRICTIONS.forEach((name, value) -> headers.setValue(name).setBytes(value, 0, value.length));
  }

  private static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }

  private static String detail(
      Request request, Response response, ProblemCode code, @Nullable Throwable thrown) {
    return switch (response.getStatus()) {
      case 400 -> unreadable(request.getCoyoteRequest(), thrown);
      case 501 ->
          "CONNECT".equals(request.getMethod())
              ? "the method CONNECT is not supported"
              : "the transfer coding is not supported: expected chunked";
      case 505 -> "the version of HTTP is not supported: expected HTTP/1.1";
      default -> Objects.requireNonNullElse(response.getMessage(), code.title());
    };
  }

  /**
   * Tomcat says at most "Invalid URI" if it cannot read a request.
   *
   * @param thrown why not all of the headers were read; null if all were
   */
  private static String unreadable(org.apache.coyote.Request request, @Nullable Throwable thrown) {
    MimeHeaders headers = request.getMimeHeaders();
    if (thrown instanceof IllegalStateException) {
      return "the request has more than %s headers".formatted(headers.size());
    }
    long hosts =
        IntStream.range(0, headers.size())
            .filter(i -> headers.getName(i).equalsIgnoreCase(HttpHeaders.HOST))
            .count();
    if (hosts > 1) {
      return "the request has %s headers Host: expected one".formatted(hosts);
    }
    if (hosts == 0 && thrown == null && request.protocol().equals("HTTP/1.1")) {
      return "the request has no header Host";
    }
    return "the request line or a header cannot be read: the request line and the headers may have"
        + " 8 KiB together; in the path and the query, percent-encode all but letters, digits and"
        + " - . _ ~";
  }

  @Override
  protected void report(Request request, Response response, @Nullable Throwable thrown) {
    if (response.getStatus() < 400
        || response.getContentWritten() > 0
        || !response.setErrorReported()) {
      return;
    }
    HttpStatusCode status = HttpStatusCode.valueOf(response.getStatus());
    ProblemCode code = ProblemCode.ofStatus(status);
    ProblemDetail problem = code.problem(status, detail(request, response, code, thrown));
    problem.setProperty(RequestId.KEY, ids.of(request));
    restrict(request, response);
    response.setContentType(MediaType.APPLICATION_PROBLEM_JSON_VALUE);
    response.setCharacterEncoding(StandardCharsets.UTF_8);
    try {
      Writer writer = response.getReporter();
      if (writer != null) {
        writer.write(json.writeValueAsString(problem));
        response.finishResponse();
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
