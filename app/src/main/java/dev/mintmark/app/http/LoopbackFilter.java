package dev.mintmark.app.http;

import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.Locale;
import java.util.Set;
import org.springframework.http.MediaType;
import org.springframework.http.ProblemDetail;
import org.springframework.web.filter.OncePerRequestFilter;
import tools.jackson.databind.json.JsonMapper;

/**
 * Prevents pages of other sites from reaching a server that trusts every user of this machine: the
 * Host header must name this machine (against DNS rebinding), and the console loads nothing from
 * other hosts.
 */
final class LoopbackFilter extends OncePerRequestFilter {
  private static final Set<String> LOOPBACK_NAMES =
      Set.of("localhost", "127.0.0.1", "[::1]", "::1");

  private static final String CONTENT_SECURITY_POLICY =
      "default-src 'self'; style-src 'self'; script-src 'self'; img-src 'self' data:;"
          + " connect-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'";

  private final JsonMapper json;

  LoopbackFilter(JsonMapper json) {
    this.json = json;
  }

  @Override
  protected void doFilterInternal(
      HttpServletRequest request, HttpServletResponse response, FilterChain chain)
      throws ServletException, IOException {
    if (!LOOPBACK_NAMES.contains(request.getServerName().toLowerCase(Locale.ROOT))) {
      ProblemDetail problem =
          ProblemCode.MISDIRECTED_REQUEST.problem(
              "the Host header must name this machine: localhost or 127.0.0.1");
      response.setStatus(problem.getStatus());
      response.setContentType(MediaType.APPLICATION_PROBLEM_JSON_VALUE);
      json.writeValue(response.getOutputStream(), problem);
      return;
    }
    response.setHeader("Content-Security-Policy", CONTENT_SECURITY_POLICY);
    response.setHeader("X-Content-Type-Options", "nosniff");
    response.setHeader("Referrer-Policy", "no-referrer");
    chain.doFilter(request, response);
  }
}
