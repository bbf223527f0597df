package dev.mintmark.app.http;

import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.HttpServletResponseWrapper;
import java.io.IOException;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;

/**
 * Leaves it to Tomcat when an answer is sent: when its buffer is full, or else at the end of the
 * request, in one write and with a Content-Length. Spring flushes each {@code ResponseEntity}, such
 * as a claim and every problem, and Tomcat then sends chunks, in one write for the body and one for
 * the end. A watch is sent as it goes.
 */
@Order(Ordered.HIGHEST_PRECEDENCE + 7)
final class WholeAnswerFilter extends EveryDispatchFilter {
  @Override
  boolean passes(HttpServletRequest request) {
    return PoolWatchController.isWatch(request);
  }

  @Override
  void filter(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
      throws ServletException, IOException {
    chain.doFilter(request, new Unflushed(response));
  }

  private static final class Unflushed extends HttpServletResponseWrapper {
    Unflushed(HttpServletResponse response) {
      super(response);
    }

    @Override
    public void flushBuffer() {}
  }
}
