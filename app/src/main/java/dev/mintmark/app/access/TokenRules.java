package dev.mintmark.app.access;

import dev.mintmark.Quoted;
import java.net.InetAddress;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Which tokens a server accepts, and what they permit.
 *
 * @param issuer the identity provider, as tokens name it in {@code iss}
 * @param audience what tokens name in {@code aud} if they are for this server
 * @param scopeClaim the claim with the scopes: a text with spaces between them, or a list. Points
 *     lead into objects, as in {@code realm_access.roles}
 * @param scopePrefix what the scopes of Mintmark begin with there; may be empty
 * @param ownerClaim the claim with the owner, which every token must have then; empty: tokens have
 *     no owner
 */
public record TokenRules(
    URI issuer,
    String audience,
    String scopeClaim,
    String scopePrefix,
    Optional<String> ownerClaim) {
  /** The claim of RFC 8693, section 4.2, and RFC 9068, section 2.2.3. */
  public static final String SCOPE_CLAIM = "scope";

  /**
   * @throws IllegalArgumentException if tokens could be read or replaced on the way, or if no
   *     audience is named: any token of the provider would do then
   */
  public TokenRules {
    if (audience.isBlank()) {
      throw new IllegalArgumentException(
          "tokens need an audience: others of the same issuer are for other servers");
    }
    if (scopeClaim.isBlank()) {
      throw new IllegalArgumentException("the claim with the scopes has no name");
    }
  }

  /**
   * Reads the address of an issuer: with {@code https}, or with {@code http} on this machine.
   *
   * @throws IllegalArgumentException if it is another one
   */
  public static URI parseIssuer(String text) {
    return safe(text)
        .filter(issuer -> issuer.getQuery() == null)
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "issuer %s: expected https://HOST/PATH, as tokens have it in iss"
                        .formatted(Quoted.of(text))));
  }

  /**
   * Reads the address of the keys of an issuer, from its configuration (OpenID Connect Discovery
   * 1.0, section 3). It may have a query, as that of Azure AD B2C has.
   *
   * @throws IllegalArgumentException if keys from there could be replaced on the way
   */
  static URI parseKeysAddress(String text) {
    return safe(text)
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "its jwks_uri is %s: expected https://HOST/PATH".formatted(Quoted.of(text))));
  }

  /** An address with {@code https}, or with {@code http} on this machine. */
  private static Optional<URI> safe(String text) {
    try {
      URI address = new URI(text);
      boolean isSafe =
          "https".equals(address.getScheme())
              || ("http".equals(address.getScheme()) && isLoopback(address.getHost()));
      return Optional.of(address)
          .filter(
              some ->
                  isSafe
                      && some.getHost() != null
                      && some.getFragment() == null
                      && some.getUserInfo() == null);
    } catch (URISyntaxException e) {
      return Optional.empty();
    }
  }

  /** Another name may lead anywhere tomorrow, whatever a name server says of it now. */
  private static boolean isLoopback(@Nullable String host) {
    return host != null
        && (host.equalsIgnoreCase("localhost")
            || IpLiteral.tryParse(host).filter(InetAddress::isLoopbackAddress).isPresent());
  }
}
