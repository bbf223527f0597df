package dev.mintmark.app.http;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import org.apache.catalina.connector.Request;
import org.apache.catalina.connector.Response;
import org.apache.catalina.valves.ErrorReportValve;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatusCode;
import org.springframework.http.MediaType;
import org.springframework.http.ProblemDetail;
import tools.jackson.databind.json.JsonMapper;

/** Reports as a problem (RFC 9457) what Tomcat itself rejects, such as a malformed path. */
final class ProblemValve extends ErrorReportValve {
  private final JsonMapper json;

  ProblemValve(JsonMapper json) {
    this.json = json;
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
    ProblemDetail problem =
        code.problem(status, Objects.requireNonNullElse(response.getMessage(), code.title()));
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
