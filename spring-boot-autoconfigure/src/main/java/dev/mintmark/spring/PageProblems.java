package dev.mintmark.spring;

import dev.mintmark.postgres.page.CursorException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;
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
      return send(
          request,
          response,
          "Malformed page request",
          "malformed-page-request",
          String.valueOf(wrong.getBody().getDetail()),
          Map.of("parameter", wrong.parameter()));
    }
    if (failure instanceof CursorException unusable
        && request.getAttribute(PageRequestArgument.CURSOR_PARAMETER) instanceof String parameter) {
      Map<String, String> members = new LinkedHashMap<>();
      members.put("reason", text(unusable.reason()));
      members.put("parameter", parameter);
      return send(
          request,
          response,
          "Unusable cursor",
          "unusable-cursor",
          Objects.requireNonNullElse(unusable.getMessage(), ""),
          members);
    }
    return null;
  }

  /** {@code failed-over} for {@link CursorException.Reason#FAILED_OVER}. */
  private static String text(CursorException.Reason reason) {
    return reason.name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  private static ModelAndView send(
      HttpServletRequest request,
      HttpServletResponse response,
      String title,
      String code,
      String detail,
      Map<String, String> members) {
    return ServletProblems.send(
        request,
        response,
        new ProblemDocument(HttpStatus.BAD_REQUEST, title, code, detail, members));
  }
}
