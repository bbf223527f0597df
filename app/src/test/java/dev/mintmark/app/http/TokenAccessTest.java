package dev.mintmark.app.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mintmark.app.access.AuditEntry;
import dev.mintmark.app.access.KeyText;
import dev.mintmark.app.access.TestIssuer;
import dev.mintmark.app.http.AccessServer.Answer;
import java.time.Instant;
import java.util.Date;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** Access with tokens of an identity provider, beside keys. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Tag("long")
class TokenAccessTest {
  private final TestIssuer issuer = TestIssuer.start();
  private AccessServer keysAlone;
  private AccessServer server;

  @BeforeAll
  void start() {
    keysAlone = AccessServer.start();
    server = keysAlone.accepting(issuer.rules(Optional.empty()));
  }

  @AfterAll
  void stop() {
    server.close();
    keysAlone.close();
    issuer.close();
  }

  private Answer get(AccessServer asked, String token, String path) {
    return asked.sendAs(token, "GET", path, null);
  }

  @Test
  void withAnIssuerEveryRequestNeedsAKeyOrAToken() {
    Answer nothing = server.get(null, "/v1/pools");

    nothing.assertProblem(401, "key-required");
    assertThat(nothing.json().path("detail").asString()).contains("a key or a token");
    assertThat(nothing.header("WWW-Authenticate")).isEqualTo("Bearer realm=\"mintmark\"");
    get(server, issuer.token("ann", "openid pools:read"), "/v1/pools").assertStatus(200);
    server.get(server.key("pools:read"), "/v1/pools").assertStatus(200);
    server.get(null, "/livez").assertStatus(200);
  }

  @Test
  void aTokenPermitsItsScopesAndNoMore() {
    String token = issuer.token("ann", "pools:admin:granted");
    String declaration = "{\"name\": \"%s\", \"blocks\": [\"10.0.0.0/24\"]}";
    server.sendAs(token, "POST", "/v1/pools", declaration.formatted("granted")).assertStatus(201);

    Answer refused = server.sendAs(token, "POST", "/v1/pools", declaration.formatted("refused"));

    refused.assertProblem(403, "insufficient-scope");
    assertThat(refused.json().path("detail").asString())
        .isEqualTo("the token does not have the scope pools:admin:refused");
    assertThat(server.audit(20))
        .filteredOn(entry -> entry.target().startsWith("granted"))
        .extracting(AuditEntry::actor)
        .containsOnly("token:ann");
  }

  @Test
  void aTokenThatIsOverIsRejected() {
    Answer rejected =
        get(
            server,
            issuer.token(
                claims -> claims.expirationTime(Date.from(Instant.now().minusSeconds(60)))),
            "/v1/pools");

    rejected.assertProblem(401, "key-rejected");
    assertThat(rejected.header("WWW-Authenticate")).contains("error=\"invalid_token\"");
    assertThat(rejected.json().path("detail").asString()).isEqualTo("the token is expired");
  }

  @Test
  void aServerWithoutAnIssuerSaysThatItTakesNoTokens() {
    KeyText key = keysAlone.key("pools:read");
    keysAlone.get(key, "/v1/pools").assertStatus(200);

    Answer rejected = get(keysAlone, issuer.token("ann", "pools:read"), "/v1/pools");

    rejected.assertProblem(401, "key-rejected");
    assertThat(rejected.json().path("detail").asString()).contains("--oidc-issuer");
  }

  @Test
  void theOwnerOfATokenSeesNothingOfOthers() {
    KeyText admin = server.key("admin");
    server.createPool(admin, "{\"name\": \"owned\", \"blocks\": [\"10.0.0.0/24\"]}");
    server
        .post(admin, "/v1/pools/owned/claims", "{\"client\": \"a\", \"owner\": \"other\"}")
        .assertStatus(201);
    try (AccessServer owned = keysAlone.accepting(issuer.rules(Optional.of("tenant")))) {
      String acme =
          issuer.token(
              claims -> claims.claim("tenant", "acme").claim("scope", "claim pools:read admin"));

      Answer claimed = owned.sendAs(acme, "POST", "/v1/pools/owned/claims", "{\"client\": \"b\"}");

      claimed.assertStatus(201);
      assertThat(claimed.json().path("owner").asString()).isEqualTo("acme");
      assertThat(get(owned, acme, "/v1/pools/owned/claims").json().path("claims")).hasSize(1);
      get(owned, acme, "/v1/keys").assertProblem(403, "insufficient-scope");
      get(owned, issuer.token("ann", "pools:read"), "/v1/pools").assertProblem(401, "key-rejected");
    }
  }

  @Test
  void whileTheIssuerDoesNotAnswerKeysAreAccepted() {
    TestIssuer gone = TestIssuer.start();
    String token = gone.token("ann", "pools:read");
    gone.close();
    try (AccessServer waiting = keysAlone.accepting(gone.rules(Optional.empty()))) {
      Answer unavailable = get(waiting, token, "/v1/pools");

      unavailable.assertProblem(503, "access-unavailable");
      assertThat(unavailable.header("Retry-After")).isEqualTo("1");
      waiting.get(waiting.key("pools:read"), "/v1/pools").assertStatus(200);
    }
  }
}
