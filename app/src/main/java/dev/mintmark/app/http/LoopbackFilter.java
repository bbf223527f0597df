package dev.mintmark.app.http;

import dev.mintmark.Quoted;
import dev.mintmark.app.access.Access;
import dev.mintmark.app.access.IpLiteral;
import dev.mintmark.app.access.KeyText;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.net.InetAddress;
import java.util.Enumeration;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.http.HttpHeaders;
import org.springframework.http.ProblemDetail;

/**
 * Prevents pages of other sites and requests from other machines from reaching a server that trusts
 * every user of this one.
 *
 * <p>Without accounts, the Host header must name this machine (against DNS rebinding), and no proxy
 * may have forwarded the request: it would make the server reachable for others. With accounts,
 * keys protect the server, but not on the network: without TLS a request from another machine must
 * come through a proxy that is trusted. A browser must never send a request for a page of another
 * site, and a key must never be in a URL, because URLs are logged and remembered.
 */
@Order(Ordered.HIGHEST_PRECEDENCE + 2)
final class LoopbackFilter extends EveryDispatchFilter {
  private static final Set<String> LOOPBACK_NAMES =
      Set.of("localhost", "127.0.0.1", "[::1]", "::1");

  /** How most headers begin that a proxy adds. */
  private static final String FORWARDED = "x-forwarded-";

  /** The header in which browsers say for which site they send a request (Fetch Metadata). */
  private static final String SITE = "Sec-Fetch-Site";

  /** What it has for a page of another site. */
  private static final Set<String> OTHER_SITES = Set.of("cross-site", "same-site");

  private final Optional<Access> access;
  private final Listening listening;
  private final ProblemWriter problems;

  LoopbackFilter(Optional<Access> access, Listening listening, ProblemWriter problems) {
    this.access = access;
    this.listening = listening;
    this.problems = problems;
  }

  @Override
  void filter(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
      throws ServletException, IOException {
    Optional<ProblemDetail> refusal =
        ofUrl(request)
            .or(
                () ->
                    AccessFilter.areAccountsOn(access, listening)
                        ? withAccounts(request)
                        : withoutAccounts(request))
            .or(() -> ofOtherSite(request));
    if (refusal.isPresent()) {
      problems.write(response, refusal.get());
    } else {
      chain.doFilter(request, response);
    }
  }

  private static Optional<ProblemDetail> ofUrl(HttpServletRequest request) {
    String query = request.getQueryString();
    return KeyText.isIn(request.getRequestURI()) || (query != null && KeyText.isIn(query))
        ? Optional.of(
            ProblemCode.KEY_IN_URL.problem(
                "the URL contains a key: send it in the header Authorization; revoke this key,"
                    + " because URLs are logged"))
        : Optional.empty();
  }

  private static Optional<ProblemDetail> withoutAccounts(HttpServletRequest request) {
    if (!namesThisMachine(request)) {
      return Optional.of(
          ProblemCode.LOOPBACK_ONLY.problem(
              "this server has no accounts, so the Host header must name this machine: localhost or"
                  + " 127.0.0.1. To serve others, create a key: mintmark key create --admin"));
    }
    return forwarding(request)
        .map(
            header ->
                ProblemCode.LOOPBACK_ONLY.problem(
                    ("a proxy has forwarded this request (header %s), and this server has no accounts:"
                            + " create a key with mintmark key create --admin, then start it with"
                            + " mintmark serve --behind-proxy CIDR")
                        .formatted(Quoted.of(header))))
        .or(() -> ofOtherOrigin(request));
  }

  /**
   * Browsers that do not know {@code Sec-Fetch-Site} send {@code Origin} with a request that may
   * change something. A server with accounts needs no more than the key.
   */
  private static Optional<ProblemDetail> ofOtherOrigin(HttpServletRequest request) {
    String origin = request.getHeader(HttpHeaders.ORIGIN);
    return origin != null
            && request.getHeader(SITE) == null
            && !RequestOrigin.isSafe(request)
            && !RequestOrigin.isOfHost(request)
        ? Optional.of(
            ProblemCode.CROSS_SITE_REQUEST.problem(
                "a page of another site sent this request: Origin is " + Quoted.of(origin)))
        : Optional.empty();
  }

  private Optional<ProblemDetail> withAccounts(HttpServletRequest request) {
    if (listening.tls().isPresent()) {
      return Optional.empty();
    }
    if (listening.proxy().isEmpty()) {
      return namesThisMachine(request)
          ? Optional.empty()
          : Optional.of(
              ProblemCode.MISDIRECTED_REQUEST.problem(
                  "the Host header must name this machine: localhost or 127.0.0.1"));
    }
    String peer = request.getRemoteAddr();
    return listening.proxy().get().contains(peer)
            || isLoopback(peer)
            || HealthController.isProbe(request.getRequestURI())
        ? Optional.empty()
        : Optional.of(
            ProblemCode.NOT_THROUGH_PROXY.problem(
                "this server has no TLS: a request from another machine must come through the proxy"
                    + " that --behind-proxy names"));
  }

  private static boolean isLoopback(String peer) {
    return IpLiteral.tryParse(peer).filter(InetAddress::isLoopbackAddress).isPresent();
  }

  private static boolean namesThisMachine(HttpServletRequest request) {
    return LOOPBACK_NAMES.contains(request.getServerName().toLowerCase(Locale.ROOT));
  }

  /** Returns the name of a header that proxies add. */
  private static Optional<String> forwarding(HttpServletRequest request) {
    for (Enumeration<String> names = request.getHeaderNames(); names.hasMoreElements(); ) {
      String name = names.nextElement();
      if (name.equalsIgnoreCase("forwarded")
          || name.equalsIgnoreCase("via")
          || name.regionMatches(true, 0, FORWARDED, 0, FORWARDED.length())) {
        return Optional.of(name);
      }
    }
    return Optional.empty();
  }

  private static Optional<ProblemDetail> ofOtherSite(HttpServletRequest request) {
    return isOfOtherSite(request)
        ? Optional.of(
            ProblemCode.CROSS_SITE_REQUEST.problem(
                "a page of another site sent this request: Sec-Fetch-Site is "
                    + Quoted.of(request.getHeader(SITE))))
        : Optional.empty();
  }

  /**
   * Whether a browser sent a request for a page of another site. A link that a user follows is
   * allowed: its response becomes the page. Programs other than browsers send no such headers.
   */
  private static boolean isOfOtherSite(HttpServletRequest request) {
    String site = request.getHeader(SITE);
    boolean isLink =
        "navigate".equals(request.getHeader("Sec-Fetch-Mode"))
            && "document".equals(request.getHeader("Sec-Fetch-Dest"))
            && "GET".equals(request.getMethod());
    return site != null && OTHER_SITES.contains(site) && !isLink;
  }
}
