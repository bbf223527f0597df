package dev.mintmark.app.http;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import org.springframework.web.servlet.HandlerInterceptor;
import org.springframework.web.servlet.resource.ResourceHttpRequestHandler;

/**
 * Rejects paths of files with a slash at the end, which Spring would ignore: one file, one path.
 */
final class FilePathCheck implements HandlerInterceptor {
  @Override
  public boolean preHandle(
      HttpServletRequest request, HttpServletResponse response, Object handler) {
    if (handler instanceof ResourceHttpRequestHandler && request.getRequestURI().endsWith("/")) {
      throw new ProblemException(ProblemCode.PATH_NOT_FOUND, "the server has no such path");
    }
    return true;
  }
}
