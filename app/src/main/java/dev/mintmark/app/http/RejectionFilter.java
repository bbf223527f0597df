package dev.mintmark.app.http;

import dev.mintmark.app.http.OperationRules.Rule;
import dev.mintmark.app.view.ClaimRequestJson;
import dev.mintmark.postgres.pool.ClaimRequest;
import dev.mintmark.postgres.pool.ClaimResult.Exhausted;
import dev.mintmark.postgres.pool.Pool;
import dev.mintmark.postgres.pool.Pools;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.net.URI;
import java.util.Enumeration;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.http.HttpHeaders;
import org.springframework.http.MediaType;
import org.springframework.http.ProblemDetail;
import org.springframework.web.servlet.HandlerMapping;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.ObjectReader;
import tools.jackson.databind.json.JsonMapper;

/**
 * Rejects a claim before Spring handles it, if the pool is remembered as exhausted: in a storm of
 * clients nearly all claims are such, and each would cost Spring many times what it costs the pool.
 * A fresh server is slow in it for as long as Spring's code is not compiled.
 *
 * <p>It answers as {@link ClaimsController} would, and passes on every request that might be
 * answered in another way: what is malformed, may not be asked, or asks for another form of answer.
 * A rejection is not audited, so it is also given while the audit has no room.
 */
@Order(Ordered.HIGHEST_PRECEDENCE + 6)
final class RejectionFilter extends EveryDispatchFilter {
  /** The path of {@link ClaimsController} with a name without escapes. */
  private static final Pattern PATH =
      Pattern.compile(ClaimsController.PATH.replace("{pool}", "([A-Za-z0-9._-]+)"));

  private static final Set<String> ACCEPTED =
      Set.of(MediaType.ALL_VALUE, MediaType.APPLICATION_JSON_VALUE);

  private static final Rule RULE = OperationRules.find("createClaim").orElseThrow();

  private final Pools pools;
  private final ObjectReader claims;
  private final ProblemWriter problems;

  RejectionFilter(Pools pools, JsonMapper json, ProblemWriter problems) {
    this.pools = pools;
    this.claims = json.readerFor(ClaimRequestJson.class);
    this.problems = problems;
  }

  @Override
  void filter(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
      throws ServletException, IOException {
    Optional<Pool> pool = exhausted(request);
    Optional<ClaimAnswer.Refusal> refusal = pool.flatMap(empty -> refusal(request, empty));
    if (refusal.isPresent()) {
      refuse(request, response, refusal.get());
    } else {
      chain.doFilter(request, response);
    }
  }

  /** The pool that a request claims from, if it is remembered as exhausted. */
  private Optional<Pool> exhausted(HttpServletRequest request) {
    if (!"POST".equals(request.getMethod())
        || request.getQueryString() != null
        || !MediaType.APPLICATION_JSON_VALUE.equals(request.getContentType())
        || !acceptsJson(request)) {
      return Optional.empty();
    }
    Matcher path = PATH.matcher(request.getRequestURI());
    return path.matches() ? pools.exhausted(path.group(1)) : Optional.empty();
  }

  private static boolean acceptsJson(HttpServletRequest request) {
    Enumeration<String> accepted = request.getHeaders(HttpHeaders.ACCEPT);
    return !accepted.hasMoreElements()
        || (ACCEPTED.contains(accepted.nextElement()) && !accepted.hasMoreElements());
  }

  private Optional<ClaimAnswer.Refusal> refusal(HttpServletRequest request, Pool pool) {
    if (!(request.getAttribute(BodyFilter.BYTES) instanceof byte[] bytes)) {
      return Optional.empty();
    }
    Caller caller = Caller.of(request);
    try {
      ClaimRequestJson body = claims.readValue(bytes);
      if (body == null || body.isForMany() || caller.mayHoldForAnotherIn(pool)) {
        return Optional.empty();
      }
      RULE.check(caller, Map.of("pool", pool.spec().name()));
      ClaimRequest asked = body.toRequest();
      Optional<Exhausted> rejection =
          pool.rejection(asked.withOwner(caller.ownerOf(asked.owner())));
      return rejection.flatMap(
          exhausted -> ClaimAnswer.of(exhausted, pool.spec().name(), caller).refusal());
    } catch (JacksonException | IllegalArgumentException | ProblemException e) {
      return Optional.empty(); // It is malformed or forbidden: it is reported as ever.
    }
  }

  private void refuse(
      HttpServletRequest request, HttpServletResponse response, ClaimAnswer.Refusal refusal)
      throws IOException {
    request.setAttribute(HandlerMapping.BEST_MATCHING_PATTERN_ATTRIBUTE, ClaimsController.PATH);
    ProblemDetail problem = refusal.code().problem(refusal.detail());
    problem.setInstance(URI.create(request.getRequestURI()));
    refusal
        .retrySeconds()
        .ifPresent(seconds -> response.setHeader(HttpHeaders.RETRY_AFTER, Long.toString(seconds)));
    problems.write(response, problem);
  }
}
