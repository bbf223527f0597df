package dev.mintmark.app.http;

import jakarta.servlet.AsyncEvent;
import jakarta.servlet.AsyncListener;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.http.HttpHeaders;

/**
 * Refuses a request whose caller has sent too many, as {@link RequestLimits} says, before anything
 * is done for it.
 */
@Order(Ordered.HIGHEST_PRECEDENCE + 4)
final class LimitFilter extends EveryDispatchFilter {
  private final CallerLoads loads;
  private final ProblemWriter problems;

  LimitFilter(CallerLoads loads, ProblemWriter problems) {
    this.loads = loads;
    this.problems = problems;
  }

  @Override
  boolean passes(HttpServletRequest request) {
    return loads.areUnlimited() || !AccessFilter.isOperation(request);
  }

  @Override
  void filter(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
      throws ServletException, IOException {
    String caller = Caller.of(request).logged();
    CallerLoads.Request counted = loads.begin(caller);
    if (counted.refusal().isPresent()) {
      refuse(response, problems, caller, counted.refusal().get());
      return;
    }
    try {
      chain.doFilter(request, response);
    } finally {
      // Watches are limited by PoolWatches.
      if (request.isAsyncStarted() && !PoolWatchController.isWatch(request)) {
        request.getAsyncContext().addListener(new EndOfRequest(counted));
      } else {
        counted.end();
      }
    }
  }

  /** Answers a request that was not admitted. */
  static void refuse(
      HttpServletResponse response,
      ProblemWriter problems,
      String caller,
      CallerLoads.Refusal refusal)
      throws IOException {
    long seconds = Math.max(1, (refusal.retryAfter().toNanos() + 999_999_999) / 1_000_000_000);
    response.setHeader(HttpHeaders.RETRY_AFTER, Long.toString(seconds));
    problems.write(
        response,
        ProblemCode.TOO_MANY_REQUESTS.problem(
            "%s has reached the limit of this server: %s".formatted(caller, refusal.limit())));
  }

  /** Waits for the end of a request. */
  private record EndOfRequest(CallerLoads.Request request) implements AsyncListener {
    @Override
    public void onComplete(AsyncEvent event) {
      request.end();
    }

    @Override
    public void onStartAsync(AsyncEvent event) {}

    @Override
    public void onTimeout(AsyncEvent event) {}

    @Override
    public void onError(AsyncEvent event) {}
  }
}
