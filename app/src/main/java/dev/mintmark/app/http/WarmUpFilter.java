package dev.mintmark.app.http;

import dev.mintmark.app.view.ClaimRequestJson;
import jakarta.servlet.FilterChain;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import tools.jackson.databind.json.JsonMapper;

/**
 * Rejects the requests of {@link WarmUp}, with the code that rejects a claim from an exhausted pool
 * and after the same filters. No such request goes further, so it may do nothing.
 */
@Order(Ordered.HIGHEST_PRECEDENCE + 5)
final class WarmUpFilter extends EveryDispatchFilter {
  private final WarmUp warmUp;
  private final JsonMapper json;
  private final ProblemWriter problems;

  WarmUpFilter(WarmUp warmUp, JsonMapper json, ProblemWriter problems) {
    this.warmUp = warmUp;
    this.json = json;
    this.problems = problems;
  }

  @Override
  boolean passes(HttpServletRequest request) {
    return !warmUp.isOwn(request.getRequestURI());
  }

  @Override
  void filter(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
      throws IOException {
    String client =
        request.getAttribute(BodyFilter.BYTES) instanceof byte[] bytes
            ? json.readValue(bytes, ClaimRequestJson.class).toRequest().client()
            : "";
    problems.write(response, ProblemCode.POOL_EXHAUSTED.problem("client \"%s\"".formatted(client)));
  }
}
