package dev.mintmark.app.http;

import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import org.springframework.http.MediaType;
import org.springframework.http.ProblemDetail;
import tools.jackson.databind.json.JsonMapper;

/**
 * Answers a request with a problem, outside of controllers. Safe for use by several threads.
 *
 * <p>The answer has a Content-Length, so that a client can detect a truncated one even if the
 * connection is closed after it.
 */
record ProblemWriter(JsonMapper json) {
  void write(HttpServletResponse response, ProblemDetail problem) throws IOException {
    problem.setProperty(RequestId.KEY, RequestId.of(response));
    response.setStatus(problem.getStatus());
    response.setContentType(MediaType.APPLICATION_PROBLEM_JSON_VALUE);
    byte[] body = json.writeValueAsBytes(problem);
    response.setContentLength(body.length);
    response.getOutputStream().write(body);
  }
}
