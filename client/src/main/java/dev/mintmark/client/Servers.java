package dev.mintmark.client;

import java.net.URI;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;

/** The addresses of the servers, all of one database. Remembers which one answered last. */
final class Servers {
  private final List<String> bases;
  private final AtomicInteger preferred = new AtomicInteger();

  /**
   * @throws IllegalArgumentException if there is none, or one is not an address of a server
   */
  Servers(List<URI> servers) {
    if (servers.isEmpty()) {
      throw new IllegalArgumentException("no server: expected at least one address");
    }
    bases = servers.stream().map(Servers::base).toList();
  }

  private static String base(URI server) {
    String scheme = Optional.ofNullable(server.getScheme()).orElse("");
    boolean isHttp = scheme.equalsIgnoreCase("http") || scheme.equalsIgnoreCase("https");
    // The address is not in the message: what stands before the @ can be a password.
    if (!isHttp || server.getHost() == null) {
      throw new IllegalArgumentException(
          "an address of a server is malformed: expected http://HOST:PORT or https://HOST:PORT");
    }
    if (server.getRawUserInfo() != null
        || server.getRawQuery() != null
        || server.getRawFragment() != null) {
      throw new IllegalArgumentException(
          "the address of server %s has a user, a query or a fragment: expected scheme, host, port"
                  .formatted(server.getHost())
              + " and path alone");
    }
    return server.toString().replaceFirst("/+$", "");
  }

  int size() {
    return bases.size();
  }

  /** The number of the server to try first. */
  int first() {
    return preferred.get();
  }

  /** The number of the server to try after another one. */
  int after(int server) {
    return (server + 1) % bases.size();
  }

  /** Further requests go to this server first. */
  void answered(int server) {
    preferred.set(server);
  }

  /** The address of a resource. */
  URI resolve(int server, String path) {
    return URI.create(bases.get(server) + path);
  }

  @Override
  public String toString() {
    return String.join(", ", bases);
  }
}
