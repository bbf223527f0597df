package dev.mintmark.app.access;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JOSEObjectType;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.JWSSigner;
import com.nimbusds.jose.crypto.ECDSASigner;
import com.nimbusds.jose.crypto.RSASSASigner;
import com.nimbusds.jose.jwk.Curve;
import com.nimbusds.jose.jwk.ECKey;
import com.nimbusds.jose.jwk.JWK;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.RSAKey;
import com.nimbusds.jose.jwk.gen.ECKeyGenerator;
import com.nimbusds.jose.jwk.gen.RSAKeyGenerator;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.SignedJWT;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Date;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;

/** An OpenID Connect provider on this machine: its configuration, its keys, and its tokens. */
public final class TestIssuer implements AutoCloseable {
  public static final String AUDIENCE = "mintmark";

  private final HttpServer server;
  private final AtomicInteger keyRequests = new AtomicInteger();
  private volatile JWK key;
  private volatile String calledItself;

  private TestIssuer(HttpServer server) {
    this.server = server;
    this.key = rsa("first");
    this.calledItself = issuer().toString();
    server.createContext("/realm/.well-known/openid-configuration", this::configure);
    server.createContext("/realm/keys", this::listKeys);
    server.start();
  }

  public static TestIssuer start() {
    try {
      return new TestIssuer(
          HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static RSAKey rsa(String id) {
    try {
      return new RSAKeyGenerator(2_048).keyID(id).generate();
    } catch (JOSEException e) {
      throw new IllegalStateException(e);
    }
  }

  static ECKey ec(String id) {
    try {
      return new ECKeyGenerator(Curve.P_256).keyID(id).generate();
    } catch (JOSEException e) {
      throw new IllegalStateException(e);
    }
  }

  public URI issuer() {
    return URI.create("http://127.0.0.1:%d/realm".formatted(server.getAddress().getPort()));
  }

  /** Accepts its tokens, whose scopes are in {@code scope} without a prefix. */
  public TokenRules rules(Optional<String> ownerClaim) {
    return new TokenRules(issuer(), AUDIENCE, TokenRules.SCOPE_CLAIM, "", ownerClaim);
  }

  /** Signs with another key from now on, and lists that alone. */
  void use(JWK other) {
    key = other;
  }

  void callItself(String name) {
    calledItself = name;
  }

  int keyRequests() {
    return keyRequests.get();
  }

  private void configure(HttpExchange exchange) throws IOException {
    answer(
        exchange,
        "{\"issuer\": \"%s\", \"jwks_uri\": \"%s/keys?policy=sign-in\"}"
            .formatted(calledItself, issuer()));
  }

  private void listKeys(HttpExchange exchange) throws IOException {
    keyRequests.incrementAndGet();
    answer(exchange, new JWKSet(key).toString());
  }

  private static void answer(HttpExchange exchange, String json) throws IOException {
    byte[] body = json.getBytes(StandardCharsets.UTF_8);
    exchange.getResponseHeaders().add("Content-Type", "application/json");
    exchange.sendResponseHeaders(200, body.length);
    exchange.getResponseBody().write(body);
    exchange.close();
  }

  /** A token for ten minutes with these scopes. */
  public String token(String subject, String scopes) {
    return token(claims -> claims.subject(subject).claim("scope", scopes));
  }

  /** A token for ten minutes, whose claims are changed. */
  public String token(UnaryOperator<JWTClaimsSet.Builder> change) {
    return signed(key, change);
  }

  /** A token that is signed with any key. */
  String signed(JWK signing, UnaryOperator<JWTClaimsSet.Builder> change) {
    JWTClaimsSet claims =
        change
            .apply(
                new JWTClaimsSet.Builder()
                    .issuer(issuer().toString())
                    .audience(AUDIENCE)
                    .subject("somebody")
                    .expirationTime(Date.from(Instant.now().plusSeconds(600))))
            .build();
    try {
      JWSAlgorithm algorithm = signing instanceof RSAKey ? JWSAlgorithm.RS256 : JWSAlgorithm.ES256;
      JWSSigner signer =
          signing instanceof RSAKey rsa
              ? new RSASSASigner(rsa)
              : new ECDSASigner(signing.toECKey());
      SignedJWT token =
          new SignedJWT(
              new JWSHeader.Builder(algorithm)
                  .keyID(signing.getKeyID())
                  .type(new JOSEObjectType("at+jwt"))
                  .build(),
              claims);
      token.sign(signer);
      return token.serialize();
    } catch (JOSEException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Nothing answers any more. */
  @Override
  public void close() {
    server.stop(0);
  }
}
