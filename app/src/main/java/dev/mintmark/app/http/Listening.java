package dev.mintmark.app.http;

import jakarta.servlet.http.HttpServletRequest;
import java.net.InetAddress;
import java.util.Optional;

/**
 * Where a server listens, and who may reach it.
 *
 * @param address the address of an interface, or that of all of them
 * @param port 0 takes a free one
 * @param tls empty: plain HTTP
 * @param proxy the proxies whose headers are believed; empty: none
 */
public record Listening(
    InetAddress address, int port, Optional<TlsFiles> tls, Optional<TrustedProxy> proxy) {
  /**
   * @throws IllegalArgumentException if it is not the loopback interface, and neither TLS nor a
   *     proxy protects keys on the network
   */
  public Listening {
    if (!address.isLoopbackAddress() && tls.isEmpty() && proxy.isEmpty()) {
      throw new IllegalArgumentException(
          "--listen %s: keys would cross the network in plain text: give --tls-certificate and --tls-key, or --behind-proxy CIDR if a proxy with TLS forwards the requests"
              .formatted(address.getHostAddress()));
    }
  }

  /** The loopback interface, without TLS and proxy. */
  public static Listening onLoopback(int port) {
    return new Listening(
        InetAddress.getLoopbackAddress(), port, Optional.empty(), Optional.empty());
  }

  /** Whether TLS protects the way of a request: up to this server, or up to a proxy of it. */
  boolean isSecure(HttpServletRequest request) {
    return request.isSecure()
        || (proxy.filter(trusted -> trusted.contains(request.getRemoteAddr())).isPresent()
            && "https".equalsIgnoreCase(request.getHeader("X-Forwarded-Proto")));
  }

  /** Whether every request needs a key, whether one was created or not. */
  public boolean requiresAccounts() {
    return !address.isLoopbackAddress() || proxy.isPresent();
  }
}
