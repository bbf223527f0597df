package dev.mintmark.spring;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.UncheckedIOException;
import org.springframework.http.MediaType;
import org.springframework.web.servlet.ModelAndView;

/** Problem documents as responses of Spring MVC. */
final class ServletProblems {
  private ServletProblems() {}

  /** Sends a document, and returns what says that the request is answered. */
  static ModelAndView send(
      HttpServletRequest request, HttpServletResponse response, ProblemDocument problem) {
    response.setStatus(problem.status().value());
    response.setContentType(MediaType.APPLICATION_PROBLEM_JSON_VALUE);
    try {
      response.getOutputStream().write(problem.json(request.getRequestURI()));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return new ModelAndView();
  }
}
