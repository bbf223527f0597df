package dev.mintmark.app.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.crypto.MACSigner;
import com.nimbusds.jose.jwk.RSAKey;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.PlainJWT;
import com.nimbusds.jwt.SignedJWT;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.time.Instant;
import java.util.Date;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tokens of a provider that runs on this machine, by a clock that the tests set. */
@Tag("long")
class TokensTest {
  private final TestIssuer issuer = TestIssuer.start();
  private final AtomicReference<Instant> now = new AtomicReference<>(Instant.now());
  private final AtomicLong nanos = new AtomicLong();
  private final Tokens tokens = tokens(issuer.rules(Optional.empty()));

  @AfterEach
  void close() {
    issuer.close();
  }

  private Tokens tokens(TokenRules rules) {
    return new Tokens(rules, now::get, nanos::get);
  }

  private TokenRules rules(String scopeClaim, String prefix) {
    return new TokenRules(
        issuer.issuer(), TestIssuer.AUDIENCE, scopeClaim, prefix, Optional.empty());
  }

  private String token(UnaryOperator<JWTClaimsSet.Builder> change) {
    return issuer.token(change);
  }

  private static List<String> scopes(TokenHolder holder) {
    return holder.scopes().stream().map(Scope::text).toList();
  }

  private void assertRejected(String token, String message) {
    assertThatExceptionOfType(TokenRejectedException.class)
        .isThrownBy(() -> tokens.recognize(token))
        .withMessageContaining(message)
        .withMessageNotContaining(token);
  }

  @Test
  void aTokenPermitsTheScopesThatItHasForMintmark() {
    TokenHolder holder =
        tokens.recognize(
            token(
                claims ->
                    claims
                        .subject("8a1c")
                        .claim("azp", "billing")
                        .claim("scope", "openid pools:read claim:public-ipv4 pools:fly")));

    assertThat(scopes(holder)).containsExactly("pools:read", "claim:public-ipv4");
    assertThat(holder.actor()).isEqualTo("token:8a1c");
    assertThat(holder.name()).isEqualTo("billing");
    assertThat(holder.owner()).isEmpty();
    assertThat(holder.permits(Scope.Kind.CLAIM, "public-ipv4")).isTrue();
    assertThat(holder.permits(Scope.Kind.CLAIM, "other")).isFalse();
    assertThat(holder.permitsSome(Scope.Kind.KEYS_ADMIN)).isFalse();
  }

  @Test
  void scopesMayBeAListInAnObjectWithAPrefix() {
    Tokens roles = tokens(rules("realm_access.roles", "mintmark/"));

    TokenHolder holder =
        roles.recognize(
            token(
                claims ->
                    claims.claim(
                        "realm_access",
                        Map.of("roles", List.of("mintmark/ids:read", "admin", "mintmark/x")))));

    assertThat(scopes(holder)).containsExactly("ids:read");
  }

  @Test
  void aTokenWithoutScopesPermitsNothing() {
    assertThat(scopes(tokens.recognize(token(claims -> claims)))).isEmpty();
    assertThat(scopes(tokens.recognize(token(claims -> claims.claim("scope", 7))))).isEmpty();
  }

  @Test
  void aTokenWithAnOwnerReachesNothingOfOthers() {
    Tokens owned = tokens(issuer.rules(Optional.of("tenant")));

    TokenHolder holder =
        owned.recognize(
            token(claims -> claims.claim("tenant", "acme").claim("scope", "admin claim ids:read")));

    assertThat(holder.owner()).contains("acme");
    assertThat(scopes(holder)).containsExactly("claim", "ids:read");
    for (Object tenant : List.of("", 7, List.of("acme"))) {
      assertThatExceptionOfType(TokenRejectedException.class)
          .isThrownBy(() -> owned.recognize(token(claims -> claims.claim("tenant", tenant))))
          .withMessageContaining("tenant");
    }
    assertThatExceptionOfType(TokenRejectedException.class)
        .isThrownBy(() -> owned.recognize(token(claims -> claims)))
        .withMessageContaining("no claim tenant");
  }

  @Test
  void aNameThatNoKeyMayHaveIsPassedOver() {
    for (String name : List.of("B\u0000b", "a\nb", "a\u0085b", "a".repeat(101))) {
      TokenHolder holder =
          tokens.recognize(
              token(claims -> claims.claim("preferred_username", name).claim("azp", "billing")));

      assertThat(holder.name()).isEqualTo("billing");
    }
  }

  @Test
  void aTokenForOthersOrFromOthersIsRejected() {
    assertRejected(token(claims -> claims.audience("billing")), "not valid here");
    assertRejected(token(claims -> claims.audience((String) null)), "not valid here");
    assertRejected(token(claims -> claims.issuer("https://evil.example.com")), "not valid here");
    assertRejected(token(claims -> claims.subject(null)), "not valid here");
    assertRejected(token(claims -> claims.subject("a\nb")), "subject");
    assertRejected(token(claims -> claims.expirationTime(null)), "not valid here");
    assertRejected(
        token(claims -> claims.notBeforeTime(Date.from(Instant.now().plusSeconds(300)))),
        "not valid here");
  }

  @Test
  void aTokenThatIsNotSignedByTheIssuerIsRejected() throws JOSEException {
    assertRejected(issuer.signed(TestIssuer.rsa("first"), claims -> claims), "not signed");
    assertRejected(issuer.signed(TestIssuer.rsa("other"), claims -> claims), "not signed");
    String good = token(claims -> claims);
    assertRejected(good.substring(0, good.length() - 8) + "AAAAAAAA", "not signed");
    assertRejected("a.b.c", "not a signed JWT");
    assertRejected(
        new PlainJWT(new JWTClaimsSet.Builder().subject("x").build()).serialize() + "x",
        "not a signed JWT");
    assertRejected("a.b." + "c".repeat(9_000), "longer than 8192");
  }

  /** The public key of an issuer is known to everybody: it must not do as a shared secret. */
  @Test
  void aPublicKeyIsNoSecret() throws JOSEException {
    RSAKey key = TestIssuer.rsa("public");
    issuer.use(key);
    SignedJWT forged =
        new SignedJWT(
            new JWSHeader.Builder(JWSAlgorithm.HS256).keyID("public").build(),
            new JWTClaimsSet.Builder()
                .issuer(issuer.issuer().toString())
                .audience(TestIssuer.AUDIENCE)
                .subject("somebody")
                .expirationTime(Date.from(Instant.now().plusSeconds(600)))
                .build());
    forged.sign(new MACSigner(key.toRSAPublicKey().getEncoded()));

    assertRejected(forged.serialize(), "not signed");
  }

  @Test
  void aTokenEndsAlsoWhileItIsRemembered() {
    String token = token(claims -> claims.expirationTime(Date.from(Instant.now().plusSeconds(60))));
    TokenHolder holder = tokens.recognize(token);
    assertThat(tokens.isInUse(holder)).isTrue();

    now.set(Instant.now().plusSeconds(60).plus(Tokens.CLOCK_SKEW));

    assertRejected(token, "expired");
    assertThat(tokens.isInUse(holder)).isFalse();
    assertRejected(
        token(claims -> claims.expirationTime(Date.from(Instant.now().minusSeconds(60)))),
        "expired");
  }

  @Test
  void anIssuerMayReplaceItsKeys() {
    tokens.recognize(token(claims -> claims));
    issuer.use(TestIssuer.ec("second"));

    assertThat(tokens.recognize(token(claims -> claims.subject("new"))).subject()).isEqualTo("new");
    assertThat(issuer.keyRequests()).isEqualTo(2);
  }

  /** Whoever sends unknown keys must not make this server flood the issuer. */
  @Test
  void unknownKeysAreNotAskedForAgainAndAgain() {
    for (int i = 0; i < 50; i++) {
      assertRejected(issuer.signed(TestIssuer.ec("unknown-" + i), claims -> claims), "its issuer");
    }

    assertThat(issuer.keyRequests()).isLessThan(5);
  }

  @Test
  void aTokenThatWasVerifiedIsRememberedForATime() {
    String token = token(claims -> claims);
    tokens.recognize(token);
    issuer.close();
    assertThat(tokens.recognize(token).subject()).isEqualTo("somebody");

    nanos.addAndGet(Tokens.REMEMBERED_FOR.toNanos());

    assertThat(tokens.recognize(token).subject()).as("with the keys that were read").isNotNull();
  }

  @Test
  void whileTheIssuerDoesNotAnswerTokensCannotBeChecked() {
    String token = token(claims -> claims);
    issuer.close();

    assertThatExceptionOfType(AccessUnavailableException.class)
        .isThrownBy(() -> tokens.recognize(token))
        .withMessageContaining(issuer.issuer().toString());
    assertThatExceptionOfType(AccessUnavailableException.class)
        .isThrownBy(tokens::connect)
        .withMessageContaining("does not answer");
  }

  @Test
  void anIssuerThatCallsItselfOtherwiseIsRefused() {
    issuer.callItself("https://id.example.com");

    assertThatExceptionOfType(AccessUnavailableException.class)
        .isThrownBy(tokens::connect)
        .withMessageContaining("it calls itself https://id.example.com");
    issuer.callItself(issuer.issuer().toString());
    assertThatExceptionOfType(AccessUnavailableException.class)
        .as("it is not asked again at once")
        .isThrownBy(tokens::connect);
    nanos.addAndGet(Duration.ofSeconds(1).toNanos());
    tokens.connect();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "http://id.example.com",
        "ftp://127.0.0.1",
        "id.example.com",
        "https://id.example.com?x=1",
        "https://id.example.com#x",
        "https://u:p@id.example.com",
        "https:///x",
        "not a url"
      })
  void anIssuerIsAnAddressThatNobodyCanReplaceOnTheWay(String text) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> TokenRules.parseIssuer(text))
        .withMessageContaining("expected https://HOST/PATH");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "http://localhost:1/x",
        "http://LOCALHOST",
        "http://127.8.0.1/x",
        "http://[::1]:1"
      })
  void anIssuerOnThisMachineNeedsNoTls(String text) {
    assertThat(TokenRules.parseIssuer(text)).hasToString(text);
  }

  /** Its address here is often one of the loopback interface. */
  @Test
  void theNameOfThisMachineIsLookedUpSoItNeedsTls() throws UnknownHostException {
    String name = InetAddress.getLocalHost().getHostName();
    assumeFalse(name.equals("localhost") || name.matches("[0-9.:]+"));

    assertThatIllegalArgumentException().isThrownBy(() -> TokenRules.parseIssuer("http://" + name));
  }

  @Test
  void anAudienceIsRequired() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new TokenRules(issuer.issuer(), " ", "scope", "", Optional.empty()))
        .withMessageContaining("audience");
  }
}
