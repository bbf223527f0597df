package dev.mintmark.app.http;

import dev.mintmark.Quoted;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.Locale;
import java.util.Set;
import org.springframework.web.filter.OncePerRequestFilter;

/**
 * Prevents pages of other sites from reaching a server that trusts every user of this machine: the
 * Host header must name this machine (against DNS rebinding), and a browser must not send the
 * request for a page of another site.
 */
final class LoopbackFilter extends OncePerRequestFilter {
  private static final Set<String> LOOPBACK_NAMES =
      Set.of("localhost", "127.0.0.1", "[::1]", "::1");

  /** What browsers send with a request for a page of another site (Fetch Metadata). */
  private static final Set<String> OTHER_SITES = Set.of("cross-site", "same-site");

  private final ProblemWriter problems;

  LoopbackFilter(ProblemWriter problems) {
    this.problems = problems;
  }

  /** {@link BodyFilter} dispatches requests asynchronously. */
  @Override
  protected boolean shouldNotFilterAsyncDispatch() {
    return false;
  }

  @Override
  protected void doFilterInternal(
      HttpServletRequest request, HttpServletResponse response, FilterChain chain)
      throws ServletException, IOException {
    if (!LOOPBACK_NAMES.contains(request.getServerName().toLowerCase(Locale.ROOT))) {
      problems.write(
          response,
          ProblemCode.MISDIRECTED_REQUEST.problem(
              "the Host header must name this machine: localhost or 127.0.0.1"));
    } else if (isOfOtherSite(request)) {
      problems.write(
          response,
          ProblemCode.CROSS_SITE_REQUEST.problem(
              "a page of another site sent this request: Sec-Fetch-Site is "
                  + Quoted.of(request.getHeader("Sec-Fetch-Site"))));
    } else {
      chain.doFilter(request, response);
    }
  }

  /**
   * Whether a browser sent a request for a page of another site. A link that a user follows is
   * allowed: its response becomes the page. Programs other than browsers send no such headers.
   */
  private static boolean isOfOtherSite(HttpServletRequest request) {
    String site = request.getHeader("Sec-Fetch-Site");
    boolean isLink =
        "navigate".equals(request.getHeader("Sec-Fetch-Mode"))
            && "document".equals(request.getHeader("Sec-Fetch-Dest"))
            && "GET".equals(request.getMethod());
    return site != null && OTHER_SITES.contains(site) && !isLink;
  }
}
