package dev.mintmark.app.http;

import jakarta.servlet.DispatcherType;
import jakarta.servlet.Filter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import org.springframework.boot.web.servlet.FilterRegistration;

/**
 * A filter that also sees requests which are dispatched again: {@link BodyFilter} does that when a
 * body is complete, and then it is the first dispatch that the filters behind it see.
 *
 * <p>Spring's {@code OncePerRequestFilter} would note in each request, and for each filter, that it
 * has passed. No request passes one of these twice in a dispatch: they see no forwards.
 */
@FilterRegistration(dispatcherTypes = {DispatcherType.REQUEST, DispatcherType.ASYNC})
abstract class EveryDispatchFilter implements Filter {
  @Override
  public final void doFilter(ServletRequest request, ServletResponse response, FilterChain chain)
      throws ServletException, IOException {
    HttpServletRequest asked = (HttpServletRequest) request;
    if (passes(asked)) {
      chain.doFilter(request, response);
    } else {
      filter(asked, (HttpServletResponse) response, chain);
    }
  }

  /** Whether a request is none of those that this filter is for. */
  boolean passes(HttpServletRequest request) {
    return false;
  }

  /** Answers a request, or hands it on to the chain. */
  abstract void filter(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
      throws ServletException, IOException;
}
