package dev.mintmark.spring;

import dev.mintmark.postgres.page.CursorException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.json.JsonWriter;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.web.servlet.HandlerExceptionResolver;
import org.springframework.web.servlet.ModelAndView;

/**
 * Answers a request for a page that cannot be read with 400 and a problem document (RFC 9457): a
 * limit out of range, a cursor that was altered, that belongs to other pages, or that the server
 * cannot continue.
 *
 * <p>A {@link CursorException} is answered so only if the request had a cursor. Otherwise it is
 * about a cursor that the application has stored, and is not an error of the client.
 */
final class PageProblems implements HandlerExceptionResolver {
  private static final JsonWriter<Map<String, Object>> JSON = JsonWriter.standard();

  PageProblems() {}

  @Override
  public @Nullable ModelAndView resolveException(
      HttpServletRequest request,
      HttpServletResponse response,
      @Nullable Object handler,
      Exception failure) {
    if (response.isCommitted()) {
      return null;
    }
    if (failure instanceof PageParameterException wrong) {
      Map<String, Object> problem =
          problem(
              request,
              "Malformed page request",
              String.valueOf(wrong.getBody().getDetail()),
              "malformed-page-request");
      problem.put("parameter", wrong.parameter());
      return write(response, problem);
    }
    Object parameter = request.getAttribute(PageRequestArgument.CURSOR_PARAMETER);
    if (failure instanceof CursorException unusable && parameter != null) {
      Map<String, Object> problem =
          problem(
              request,
              "Unusable cursor",
              Objects.requireNonNullElse(unusable.getMessage(), ""),
              "unusable-cursor");
      problem.put("reason", text(unusable.reason()));
      problem.put("parameter", parameter);
      return write(response, problem);
    }
    return null;
  }

  /** {@code failed-over} for {@link CursorException.Reason#FAILED_OVER}. */
  private static String text(CursorException.Reason reason) {
    return reason.name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  private static Map<String, Object> problem(
      HttpServletRequest request, String title, String detail, String code) {
    Map<String, Object> problem = new LinkedHashMap<>();
    problem.put("type", "about:blank");
    problem.put("title", title);
    problem.put("status", HttpStatus.BAD_REQUEST.value());
    problem.put("detail", detail);
    problem.put("instance", request.getRequestURI());
    problem.put("code", code);
    return problem;
  }

  private static ModelAndView write(HttpServletResponse response, Map<String, Object> problem) {
    response.setStatus(HttpStatus.BAD_REQUEST.value());
    response.setContentType(MediaType.APPLICATION_PROBLEM_JSON_VALUE);
    try {
      response
          .getOutputStream()
          .write(JSON.writeToString(problem).getBytes(StandardCharsets.UTF_8));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return new ModelAndView();
  }
}
