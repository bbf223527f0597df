package dev.mintmark.app.cli;

import dev.mintmark.app.access.TokenRules;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Which tokens of an identity provider {@code serve} accepts beside keys. */
final class OidcOptions {
  @Option(
      names = "--oidc-issuer",
      paramLabel = "URL",
      description = {
        "Accept access tokens (JWT) of this OpenID Connect provider beside keys. Requests need one"
            + " of both then, on any address."
      })
  @Nullable String issuer;

  @Option(
      names = "--oidc-audience",
      paramLabel = "NAME",
      description = "What tokens for this server name in aud. Required with --oidc-issuer.")
  @Nullable String audience;

  @Option(
      names = "--oidc-scope-claim",
      paramLabel = "CLAIM",
      defaultValue = TokenRules.SCOPE_CLAIM,
      description =
          "The claim with the scopes: a text with spaces, or a list. Points lead into objects, as in"
              + " realm_access.roles. Default: ${DEFAULT-VALUE}")
  String scopeClaim;

  @Option(
      names = "--oidc-scope-prefix",
      paramLabel = "TEXT",
      description =
          "What the scopes for Mintmark begin with in tokens, as in mintmark/pools:read. Default:"
              + " nothing")
  @Nullable String scopePrefix;

  @Option(
      names = "--oidc-owner-claim",
      paramLabel = "CLAIM",
      description =
          "The claim with the owner whose claims alone the holder of a token sees and changes. A"
              + " token without it is rejected. Default: tokens have no owner")
  @Nullable String ownerClaim;

  /**
   * @throws IllegalArgumentException if one is wrong, or is given without the issuer
   */
  Optional<TokenRules> parse() {
    if (issuer == null) {
      if (Stream.of(audience, ownerClaim, scopePrefix).anyMatch(Objects::nonNull)
          || !scopeClaim.equals(TokenRules.SCOPE_CLAIM)) {
        throw new IllegalArgumentException(
            "options for tokens without --oidc-issuer: no token would be accepted");
      }
      return Optional.empty();
    }
    if (audience == null) {
      throw new IllegalArgumentException(
          "--oidc-issuer without --oidc-audience: tokens of the issuer for other servers would be"
              + " accepted");
    }
    try {
      return Optional.of(
          new TokenRules(
              TokenRules.parseIssuer(issuer),
              audience,
              scopeClaim,
              Objects.requireNonNullElse(scopePrefix, ""),
              Optional.ofNullable(ownerClaim)));
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException("--oidc-issuer: " + e.getMessage(), e);
    }
  }
}
