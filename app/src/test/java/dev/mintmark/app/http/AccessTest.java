package dev.mintmark.app.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.mintmark.app.access.AuditEntry;
import dev.mintmark.app.access.AuditFilter;
import dev.mintmark.app.access.KeyText;
import dev.mintmark.app.http.AccessServer.Answer;
import dev.mintmark.fixtures.Patience;
import dev.mintmark.fixtures.ThreadPerTask;
import java.io.IOException;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.JsonNode;

/** Keys, scopes, sessions and audit, over HTTP, on a real PostgreSQL. */
@Tag("slow")
class AccessTest {
  private static AccessServer server;
  private static KeyText admin;

  @BeforeAll
  static void start() throws IOException {
    server = AccessServer.start();
    withoutAccounts();
    admin = server.key("admin");
    server
        .post(admin, "/v1/pools", "{\"name\": \"p\", \"blocks\": [\"10.0.0.0/24\"]}")
        .assertStatus(201);
    server
        .post(admin, "/v1/pools", "{\"name\": \"q\", \"blocks\": [\"10.1.0.0/24\"]}")
        .assertStatus(201);
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  /** What is true until the first key exists; no later test can see it. */
  private static void withoutAccounts() throws IOException {
    server.get(null, "/v1/pools").assertStatus(200);
    assertThat(server.get(null, "/v1/session").body())
        .isEqualTo("{\"accounts\":false,\"key\":null}");
    server
        .post(null, "/v1/keys", "{\"name\": \"first\", \"scopes\": [\"admin\"]}")
        .assertProblem(403, "accounts-off");
    server.get(null, "/v1/keys").assertProblem(403, "accounts-off");
    server.post(null, "/v1/session", "{\"key\": \"x\"}").assertProblem(403, "accounts-off");
    for (String header :
        List.of(
            "Forwarded: for=1.1.1.1",
            "X-Forwarded-For: 1.1.1.1",
            "x-forwarded-host: a",
            "Via: 1.1 a")) {
      assertThat(server.raw("GET /v1/pools HTTP/1.1\r\nHost: 127.0.0.1\r\n" + header + "\r\n"))
          .startsWith("HTTP/1.1 403")
          .contains("\"code\":\"loopback-only\"")
          .contains("mintmark serve --behind-proxy CIDR");
    }
    assertThat(server.raw("GET /v1/pools HTTP/1.1\r\nHost: evil.example\r\n"))
        .startsWith("HTTP/1.1 403")
        .contains("\"code\":\"loopback-only\"")
        .contains("mintmark key create --admin");
    server
        .post(null, "/v1/pools", "{\"name\": \"before\", \"blocks\": [\"10.9.0.0/29\"]}")
        .assertStatus(201);
    AuditEntry created = server.audit(1).get(0);
    assertThat(created.actor()).isEqualTo("loopback");
    assertThat(created.source()).isEqualTo("127.0.0.1");
    assertThat(created.action()).isEqualTo("createPool");
    assertThat(created.target()).isEqualTo("before");
    assertThat(created.detail()).contains("10.9.0.0/29");
    assertThat(created.outcome()).contains("201");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"/v1/pools", "/v1/ids?id=1", "/metrics", "/v1/keys", "/v1/audit", "/v1/nothing"})
  void aRequestNeedsAKey(String path) {
    Answer answer = server.get(null, path).assertProblem(401, "key-required");

    assertThat(answer.header("WWW-Authenticate")).isEqualTo("Bearer realm=\"mintmark\"");
  }

  /** Spring decodes the path before it looks for an operation. */
  @ParameterizedTest
  @ValueSource(
      strings = {"/%76%31/pools", "/v1;a=b/pools", "/%6detrics", "//v1/pools", "/./v1/pools"})
  void noSpellingOfAPathNeedsNoKey(String path) throws IOException {
    assertThat(server.raw("GET " + path + " HTTP/1.1\r\nHost: 127.0.0.1\r\n"))
        .doesNotStartWith("HTTP/1.1 2")
        .doesNotContain("10.0.0.0");
  }

  /** A path that Spring takes for one of an operation is one everywhere. */
  @ParameterizedTest
  @ValueSource(
      strings = {"/%76%31/pools/p", "/v1;a=b/pools/p", "/v1/%70ools;a/p", "/%6detrics;x=/y"})
  void aKeyIsReadHoweverThePathIsWritten(String path) throws IOException {
    String answer =
        server.raw(
            "GET %s HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer %s\r\n"
                .formatted(path, admin.text()));

    assertThat(answer).doesNotStartWith("HTTP/1.1 401");
  }

  @ParameterizedTest
  @ValueSource(strings = {"/", "/console.js", "/openapi.json", "/livez", "/readyz", "/v1/session"})
  void whatSaysNothingIsOpen(String path) {
    server.get(null, path).assertStatus(200);
  }

  @Test
  void probesSayNoMoreThanOk() {
    assertThat(server.get(null, "/livez").body()).isEqualTo("ok\n");
    assertThat(server.get(null, "/readyz").body()).isEqualTo("ok\n");
  }

  @Test
  void aKeyThatIsNotInUseIsRejected() {
    KeyText revoked = server.key("admin");
    server.send(admin, "DELETE", "/v1/keys/" + revoked.id(), null).assertStatus(200);
    KeyText expired =
        server.key(Optional.empty(), Optional.of(Instant.now().minusSeconds(1)), "admin");
    KeyText forged = new KeyText(admin.id(), revoked.text());

    assertDetail(server.get(revoked, "/v1/pools"), "the key " + revoked.id() + " was revoked");
    assertDetail(server.get(expired, "/v1/pools"), "the key " + expired.id() + " expired");
    assertDetail(server.get(forged, "/v1/pools"), "the key " + revoked.id() + " was revoked");
    assertDetail(
        server.get(new KeyText("", revoked.text().replace('_', '-')), "/v1/pools"),
        "this is not a key: it has the wrong form or checksum, so a part may be missing");
    assertDetail(
        server.send(null, "GET", "/v1/pools", null, "Authorization", "Basic YTpi"),
        "the Authorization header must be: Bearer, and the key");
  }

  private static void assertDetail(Answer answer, String detail) {
    answer.assertProblem(401, "key-rejected");
    assertThat(answer.json().path("detail").asString()).isEqualTo(detail);
    assertThat(answer.header("WWW-Authenticate"))
        .isEqualTo("Bearer realm=\"mintmark\", error=\"invalid_token\"");
  }

  @Test
  void anotherServerNoticesThatAKeyWasRevoked() throws InterruptedException {
    KeyText key = server.key("pools:read");
    try (AccessServer another = server.another(Listening.onLoopback(0))) {
      another.get(key, "/v1/pools").assertStatus(200);
      server.send(admin, "DELETE", "/v1/keys/" + key.id(), null).assertStatus(200);

      long deadline = System.nanoTime() + Patience.MAX.toNanos();
      while (another.get(key, "/v1/pools").status() == 200 && System.nanoTime() < deadline) {
        Thread.sleep(100);
      }
      another.get(key, "/v1/pools").assertProblem(401, "key-rejected");
      server.get(key, "/v1/pools").assertProblem(401, "key-rejected");
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "pools:read; GET /v1/pools/p; 200",
        "pools:read:p; GET /v1/pools/p; 200",
        "pools:read:p; GET /v1/pools/q; 403",
        "pools:read:p; GET /v1/pools; 200",
        "pools:read; DELETE /v1/pools/none; 403",
        "pools:admin:none; DELETE /v1/pools/none; 404",
        "claim:p; GET /v1/pools; 403",
        "claim:p; GET /v1/pools/p; 403",
        "claim:p; GET /v1/pools/p/free; 200",
        "claim:p; GET /v1/pools/p/claims; 403",
        "ids:read; GET /v1/ids?id=1; 200",
        "ids:read; GET /v1/ids/kinds; 200",
        "pools:read; GET /v1/ids?id=1; 403",
        "ids:read; GET /metrics; 403",
        "metrics:read; GET /metrics; 200",
        "metrics:read; GET /v1/pools; 403",
        "audit:read; GET /v1/audit; 200",
        "keys:admin; GET /v1/audit; 403",
        "audit:read; GET /v1/keys; 403",
        "keys:admin; GET /v1/keys; 200",
      })
  void aKeyPermitsWhatItsScopesSay(String scope, String request, int status) {
    String[] parts = request.split(" ", 2);

    Answer answer = server.send(server.key(scope), parts[0], parts[1], null).assertStatus(status);

    if (status == 403) {
      answer.assertProblem(403, "insufficient-scope");
    }
  }

  @Test
  void aKeyForOnePoolSeesAndClaimsInThisPoolAlone() {
    KeyText key = server.key("pools:read:p", "claim:p");

    assertThat(server.get(key, "/v1/pools").json().path("pools").valueStream())
        .extracting(pool -> pool.path("name").asString())
        .containsExactly("p");
    server.post(key, "/v1/pools/p/claims", "{\"client\": \"one\"}").assertStatus(201);
    server
        .post(key, "/v1/pools/q/claims", "{\"client\": \"one\"}")
        .assertProblem(403, "insufficient-scope");
    server
        .post(key, "/v1/pools", "{\"name\": \"p2\", \"blocks\": [\"10.2.0.0/24\"]}")
        .assertProblem(403, "insufficient-scope");
  }

  /** The new pool claims there. */
  @Test
  void poolGetsItsBlocksFromOneInWhichTheKeyMayClaim() {
    server
        .post(admin, "/v1/pools", "{\"name\": \"runs\", \"range\": \"1..1000 by 100\"}")
        .assertStatus(201);
    String declared = "{\"name\": \"eu\", \"blocks_from\": \"runs\", \"keep_free\": 5}";
    KeyText mayNot = server.key("pools:admin:eu");

    server.post(mayNot, "/v1/pools", declared).assertProblem(403, "insufficient-scope");
    server
        .post(server.key("pools:admin:eu", "claim:runs"), "/v1/pools", declared)
        .assertStatus(201);
    server
        .send(mayNot, "PATCH", "/v1/pools/eu", "{\"keep_free\": 500}")
        .assertProblem(403, "insufficient-scope");
    server.send(mayNot, "PATCH", "/v1/pools/eu", "{\"per_client\": 2}").assertStatus(200);
    server
        .send(server.key("pools:admin"), "PATCH", "/v1/pools/eu", "{\"keep_free\": 500}")
        .assertStatus(200);
  }

  @Test
  void findingIsLimitedToACollection() {
    KeyText key = server.key("find:tracks");

    assertThat(server.get(key, "/v1/rows/collections").assertStatus(200).json().valueStream())
        .extracting(found -> found.path("collection").asString())
        .containsExactly("tracks");
    server.get(key, "/v1/rows?id=1&collection=payments").assertProblem(403, "find-off");
    server.get(server.key("ids:read"), "/v1/rows?id=1").assertProblem(403, "insufficient-scope");
    assertThat(server.get(admin, "/v1/rows/collections").json()).hasSize(2);
  }

  @Test
  void mintingIsLimitedToACollection() {
    KeyText key = server.key("mint:tracks");

    server.post(key, "/v1/ids", "{\"collection\": \"tracks\"}").assertStatus(200);
    server
        .post(key, "/v1/ids", "{\"collection\": \"payments\"}")
        .assertProblem(403, "insufficient-scope");
    server.post(key, "/v1/ids", "{\"kind\": \"ulid\"}").assertProblem(403, "insufficient-scope");
  }

  @Test
  void aKeyIsShownOnce() {
    Answer created =
        server
            .post(admin, "/v1/keys", "{\"name\": \"billing\", \"scopes\": [\"claim:p\"]}")
            .assertStatus(201);
    String text = created.json().path("text").asString();
    String id = created.json().at("/key/id").asString();

    assertThat(created.header("Cache-Control")).isEqualTo("no-store");
    server.get(new KeyText(id, text), "/v1/pools/p/free").assertStatus(200);
    String listed = server.get(admin, "/v1/keys").body();
    assertThat(listed).contains(id, "billing").doesNotContain(text.substring(16));
    AuditEntry entry = server.audit(1).get(0);
    assertThat(entry.action()).isEqualTo("createKey");
    assertThat(entry.target()).isEqualTo(id);
    assertThat(entry.actor()).isEqualTo("key:" + admin.id());
    server.send(admin, "DELETE", "/v1/keys/0000000000", null).assertProblem(404, "key-not-found");
  }

  @Test
  void aRequestForAKeyThatIsRepeatedCreatesNoSecondOne() {
    KeyText other = server.key("admin");
    Answer first = create(admin, "\"r-7\"").assertStatus(201);
    String id = first.json().get("key").get("id").asString();

    // A text in quotes and one without, as clients send it, are the same.
    Answer repeated = create(admin, "r-7").assertProblem(409, "key-created");

    assertThat(repeated.json().get("detail").asString())
        .startsWith("the first request with this Idempotency-Key created the key " + id + ", ");
    create(other, "\"r-7\"").assertStatus(201);
    create(admin, "\"r-8\"").assertStatus(201);
    server.send(admin, "DELETE", "/v1/keys/" + id, null).assertStatus(200);
    create(admin, "r-7").assertProblem(409, "key-created");
    for (String malformed : List.of("", "\"\"", "a b", "x".repeat(256), "\"a")) {
      create(admin, malformed).assertProblem(400, "invalid-request");
    }
  }

  @Test
  void ofManyAttemptsAtOnceOneCreatesAKey() {
    List<CompletableFuture<Integer>> attempts =
        Stream.generate(
                () ->
                    CompletableFuture.supplyAsync(
                        () -> create(admin, "at-once").status(), ThreadPerTask.EXECUTOR))
            .limit(8)
            .toList();

    assertThat(attempts.stream().map(CompletableFuture::join).sorted())
        .containsExactly(201, 409, 409, 409, 409, 409, 409, 409);
  }

  private static Answer create(KeyText key, String idempotencyKey) {
    return server.send(
        key,
        "POST",
        "/v1/keys",
        "{\"name\": \"repeated\", \"scopes\": [\"claim\"]}",
        "Idempotency-Key",
        idempotencyKey);
  }

  @Test
  void aKeyThatWasCreatedIsReturnedThoughTheServerCannotReadTheKeys() {
    KeyText key = server.key("keys:admin", "claim");
    server.execute(
        """
        create function mintmark.refuse_use() returns trigger language plpgsql as
        $$ begin raise exception 'not now'; end $$;
        create trigger refuse_use before update of last_used_at on mintmark.access_key
        for each row execute function mintmark.refuse_use()
        """);
    String text;
    try {
      JsonNode created =
          server
              .post(key, "/v1/keys", "{\"name\": \"returned\", \"scopes\": [\"claim\"]}")
              .assertStatus(201)
              .json();
      text = created.path("text").asString();
      server
          .send(key, "DELETE", "/v1/keys/" + created.at("/key/id").asString(), null)
          .assertStatus(200);
    } finally {
      server.execute("drop function mintmark.refuse_use() cascade");
    }

    assertThat(text).startsWith("mmk_");
  }

  @Test
  void aClaimThatWasMadeIsAuditedThoughItFailed() {
    KeyText key = server.key("claim", "pools:read");
    String note = "alter table mintmark.pool_claim_note rename to ";
    server.execute(note + "pool_claim_note_before");
    try {
      server
          .post(
              key,
              "/v1/pools/p/claims",
              "{\"client\": \"half\", \"note\": {\"description\": \"x\"}}")
          .assertProblem(503, "pool-unavailable");
    } finally {
      server.execute(note.replace("note rename", "note_before rename") + "pool_claim_note");
    }

    assertThat(server.get(key, "/v1/pools/p/claims?client=half").json().path("claims")).hasSize(1);
    AuditEntry entry = server.audit(1).get(0);
    assertThat(entry.actor()).isEqualTo("key:" + key.id());
    assertThat(entry.action()).isEqualTo("createClaim");
    assertThat(entry.target()).isEqualTo("p");
    assertThat(entry.outcome()).contains("503");
  }

  @Test
  void aClaimThatIsRefusedIsNotAuditedWhateverItsStatus() {
    KeyText key = server.key("claim");
    server.createPool(
        admin, "{\"name\": \"set-back\", \"range\": \"1..9\", \"after_failover\": \"stop\"}");
    server.execute("update mintmark.pool set stopped_at = now() where name = 'set-back'");
    server
        .post(key, "/v1/pools/set-back/claims", "{\"client\": \"a\"}")
        .assertProblem(503, "database-set-back");

    assertThat(server.audit(1).get(0).action()).isEqualTo("createPool");
  }

  @Test
  void anOutcomeThatTheDatabaseDidNotTakeIsStoredLater() {
    server.execute(
        """
        create function mintmark.refuse_end() returns trigger language plpgsql as
        $$ begin raise exception 'not now'; end $$;
        create trigger refuse_end before update on mintmark.access_audit
        for each row execute function mintmark.refuse_end()
        """);
    try {
      server.createPool(admin, "{\"name\": \"ended-late\", \"range\": \"1..9\"}");
      assertThat(outcomes("createPool", "ended-late")).containsExactly(Optional.empty());
    } finally {
      server.execute("drop function mintmark.refuse_end() cascade");
    }

    server.audit(1);
    assertThat(outcomes("createPool", "ended-late")).containsExactly(Optional.of("201"));
  }

  private static List<Optional<String>> outcomes(String action, String detail) {
    return server.access().audit().list(AuditFilter.ALL, OptionalLong.empty(), 10).stream()
        .filter(entry -> entry.action().equals(action) && entry.detail().contains(detail))
        .map(AuditEntry::outcome)
        .toList();
  }

  @Test
  void anEntryOfTheAuditHasTheIdOfItsRequest() {
    server
        .send(
            admin,
            "POST",
            "/v1/pools/p/quarantine",
            "{\"values\": [\"10.0.0.99\"], \"for\": \"1h\"}",
            "X-Request-Id",
            "traced-1")
        .assertStatus(200);
    server
        .send(
            admin,
            "POST",
            "/v1/pools/p/claims",
            "{\"client\": \"traced\"}",
            "X-Request-Id",
            "traced-2")
        .assertStatus(201);
    server.audit(1);

    assertThat(actionsOf("traced-1")).containsExactly("quarantineValues");
    assertThat(actionsOf("traced-2")).containsExactly("createClaim");
    assertThat(actionsOf("traced-3")).isEmpty();
  }

  private static List<String> actionsOf(String requestId) {
    List<String> actions = new ArrayList<>();
    for (JsonNode entry :
        server.get(admin, "/v1/audit?request_id=" + requestId).json().get("entries")) {
      assertThat(entry.get("request_id").asString()).isEqualTo(requestId);
      actions.add(entry.get("action").asString());
    }
    return actions;
  }

  @Test
  void aKeyCannotGiveOrTakeWhatItDoesNotHave() {
    KeyText manager = server.key("keys:admin", "claim:p");

    server
        .post(manager, "/v1/keys", "{\"name\": \"more\", \"scopes\": [\"admin\"]}")
        .assertProblem(403, "insufficient-scope");
    server
        .post(manager, "/v1/keys", "{\"name\": \"more\", \"scopes\": [\"claim\"]}")
        .assertProblem(403, "insufficient-scope");
    server
        .post(manager, "/v1/keys", "{\"name\": \"same\", \"scopes\": [\"claim:p\"]}")
        .assertStatus(201);
    server
        .send(manager, "DELETE", "/v1/keys/" + admin.id(), null)
        .assertProblem(403, "insufficient-scope");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"scopes\": [\"claim\"]}",
        "{\"name\": \"k\"}",
        "{\"name\": \"k\", \"scopes\": []}",
        "{\"name\": \"k\", \"scopes\": [null]}",
        "{\"name\": \"k\", \"scopes\": [\"clam\"]}",
        "{\"name\": \" \", \"scopes\": [\"claim\"]}",
        "{\"name\": \"k\", \"scopes\": [\"claim\"], \"expires_at\": \"2001-01-01T00:00:00Z\"}",
        "{\"name\": \"k\", \"scopes\": [\"admin\"], \"owner\": \"acme\"}",
      })
  void aMalformedKeyIsNotCreated(String body) {
    server.post(admin, "/v1/keys", body).assertProblem(400, "invalid-request");
  }

  @ParameterizedTest
  @ValueSource(strings = {"/v1/pools?key=", "/v1/pools/", "/?", "/v1/ids?id="})
  void aKeyInAUrlIsRefused(String path) {
    server.get(admin, path + admin.text()).assertProblem(400, "key-in-url");
    server.get(null, path + admin.text()).assertProblem(400, "key-in-url");
  }

  @Test
  void aClaimIsAuditedWithItsKeyAndItsValue() {
    KeyText key = server.key("claim");

    String value =
        server
            .post(key, "/v1/pools/p/claims", "{\"client\": \"audited\"}")
            .assertStatus(201)
            .json()
            .path("value")
            .asString();
    AuditEntry claimed = server.audit(1).get(0);
    server.send(key, "DELETE", "/v1/pools/p/claims/" + value, null, "If-Match", "\"1\"");
    assertThat(server.audit(1).get(0)).as("a failure changes nothing").isEqualTo(claimed);

    assertThat(claimed.actor()).isEqualTo("key:" + key.id());
    assertThat(claimed.actorName()).isEqualTo("test");
    assertThat(claimed.source()).isEqualTo("127.0.0.1");
    assertThat(claimed.action()).isEqualTo("createClaim");
    assertThat(claimed.target()).isEqualTo("p " + value);
    assertThat(claimed.outcome()).contains("201");
  }

  @Test
  void theAuditIsPagedAndFiltered() {
    KeyText key = server.key("claim", "audit:read");
    for (int i = 0; i < 3; i++) {
      server.post(key, "/v1/pools/q/claims", "{\"client\": \"page-" + i + "\"}").assertStatus(201);
    }
    server.audit(1);
    String filter = "/v1/audit?actor=key:" + key.id() + "&action=createClaim&target=q&limit=2";

    Answer first = server.get(key, filter).assertStatus(200);
    String next = first.json().path("next").asString();
    Answer second = server.get(key, filter + "&before=" + next).assertStatus(200);

    assertThat(first.json().path("entries")).hasSize(2);
    assertThat(second.json().path("entries")).hasSize(1);
    assertThat(second.json().path("next").isNull()).isTrue();
    assertThat(server.get(key, filter + "&until=2001-01-01T00:00:00Z").json().path("entries"))
        .isEmpty();
    server.get(key, "/v1/audit?limit=0").assertProblem(400, "invalid-request");
    server.get(key, "/v1/audit?since=x").assertProblem(400, "invalid-request");
    for (String parameter : List.of("actor", "action", "target", "request_id")) {
      Answer answer = server.get(key, "/v1/audit?" + parameter + "=a%00b");
      answer.assertProblem(400, "invalid-request");
      assertThat(answer.json().path("detail").asString())
          .isEqualTo("parameter \"" + parameter + "\" has the character U+0000");
    }
  }

  @Test
  void theConsoleSignsInAndOut() {
    Answer signedIn =
        server.post(null, "/v1/session", "{\"key\": \"" + admin.text() + "\"}").assertStatus(200);
    String set = signedIn.header("Set-Cookie");
    String cookie = set.replaceFirst(";.*", "");

    assertThat(set)
        .startsWith("mintmark-session=")
        .contains("; HttpOnly", "; SameSite=Strict", "; Path=/");
    assertThat(set).doesNotContain(admin.id()).doesNotContain("Secure");
    assertThat(signedIn.body()).doesNotContain(admin.text().substring(16));
    withCookie("GET", "/v1/pools", null, cookie).assertStatus(200);
    assertThat(withCookie("GET", "/v1/session", null, cookie).json().at("/key/id").asString())
        .isEqualTo(admin.id());
    withCookie("DELETE", "/v1/session", null, cookie, "Sec-Fetch-Site", "same-origin")
        .assertStatus(204);
    withCookie("GET", "/v1/pools", null, cookie).assertProblem(401, "key-required");
  }

  @Test
  void aSessionChangesNothingForAPageOfAnotherOrigin() {
    String cookie = signIn(admin);
    String body = "{\"name\": \"csrf\", \"blocks\": [\"10.3.0.0/24\"]}";

    withCookie("POST", "/v1/pools", body, cookie).assertProblem(403, "cross-site-request");
    withCookie("POST", "/v1/pools", body, cookie, "Sec-Fetch-Site", "same-site")
        .assertProblem(403, "cross-site-request");
    withCookie("POST", "/v1/pools", body, cookie, "Origin", "http://127.0.0.1:1")
        .assertProblem(403, "cross-site-request");
    withCookie("DELETE", "/v1/pools/p", null, cookie).assertProblem(403, "cross-site-request");
    withCookie("POST", "/v1/pools", body, cookie, "Origin", "http://127.0.0.1:" + server.port())
        .assertStatus(201);
    withCookie("POST", "/v1/pools/csrf/resume", null, cookie, "Sec-Fetch-Site", "same-origin")
        .assertStatus(200);
  }

  @Test
  void aTokenThatABrowserBringsAlongIsNotAdopted() {
    String planted = "mintmark-session=planted0000000000000000000000000";
    String key = "{\"key\": \"" + admin.text() + "\"}";

    Answer signedIn = withCookie("POST", "/v1/session", key, planted).assertStatus(200);

    assertThat(signedIn.header("Set-Cookie")).doesNotContain("planted");
    withCookie("GET", "/v1/pools", null, planted).assertProblem(401, "key-required");
    String first = signIn(admin);
    Answer again =
        withCookie("POST", "/v1/session", key, first, "Sec-Fetch-Site", "same-origin")
            .assertStatus(200);
    assertThat(again.header("Set-Cookie")).doesNotStartWith(first);
    withCookie("GET", "/v1/pools", null, first).assertProblem(401, "key-required");
  }

  /** A sibling host can set cookies of this name, also for a longer path, which come first. */
  @Test
  void cookiesThatOpenNothingArePassedOver() {
    String cookie = signIn(admin);
    String planted = "mintmark-session=planted0000000000000000000000000";

    withCookie("GET", "/v1/pools", null, planted + "; " + cookie).assertStatus(200);
    withCookie(
            "DELETE", "/v1/session", null, planted + "; " + cookie, "Sec-Fetch-Site", "same-origin")
        .assertStatus(204);
    withCookie("GET", "/v1/pools", null, cookie).assertProblem(401, "key-required");
  }

  @Test
  void aSessionEndsWithItsKey() {
    KeyText key = server.key("pools:read");
    String cookie = signIn(key);
    withCookie("GET", "/v1/pools", null, cookie).assertStatus(200);
    withCookie("GET", "/v1/keys", null, cookie).assertProblem(403, "insufficient-scope");

    server.send(admin, "DELETE", "/v1/keys/" + key.id(), null).assertStatus(200);

    withCookie("GET", "/v1/pools", null, cookie).assertProblem(401, "key-required");
    server
        .post(null, "/v1/session", "{\"key\": \"" + key.text() + "\"}")
        .assertProblem(401, "key-rejected");
  }

  @Test
  void withAccountsAHeaderOfAProxyIsNotBelieved() {
    KeyText key = server.key("claim");

    server
        .send(
            key,
            "POST",
            "/v1/pools/p/claims",
            "{\"client\": \"fwd\"}",
            "X-Forwarded-For",
            "1.1.1.1")
        .assertStatus(201);

    assertThat(server.audit(1).get(0).source()).isEqualTo("127.0.0.1");
  }

  @Test
  void behindAProxyItsHeadersAreBelieved() throws IOException {
    KeyText key = server.key("claim", "pools:read");
    Listening listening = behind("127.0.0.0/8");
    try (AccessServer proxied = server.another(listening)) {
      proxied
          .send(
              key,
              "POST",
              "/v1/pools/p/claims",
              "{\"client\": \"proxied\"}",
              "X-Forwarded-For",
              "6.6.6.6, 203.0.113.9")
          .assertStatus(201);
      assertThat(proxied.audit(1).get(0).source()).isEqualTo("203.0.113.9");
      assertThat(
              proxied.raw(
                  "GET /v1/pools HTTP/1.1\r\nHost: mintmark.example\r\nAuthorization: Bearer "
                      + key.text()
                      + "\r\n"))
          .startsWith("HTTP/1.1 200");
      Answer secure =
          proxied.send(
              null,
              "POST",
              "/v1/session",
              "{\"key\": \"" + key.text() + "\"}",
              "X-Forwarded-Proto",
              "https");
      assertThat(secure.header("Set-Cookie"))
          .startsWith("__Host-mintmark-session=")
          .contains("; Secure");
      String cookie = secure.header("Set-Cookie").replaceFirst(";.*", "");
      String planted = cookie.replace("__Host-", "");
      assertThat(withCookie(proxied, "/v1/pools", planted + "0; " + cookie).status())
          .as("beside a cookie of a sibling host")
          .isEqualTo(200);
      withCookie(proxied, "/v1/pools", planted).assertProblem(401, "key-required");
    }
    try (AccessServer proxied = server.another(behind("10.0.0.0/8"))) {
      proxied
          .send(
              key,
              "POST",
              "/v1/pools/p/claims",
              "{\"client\": \"direct\"}",
              "X-Forwarded-For",
              "1.1.1.1")
          .assertStatus(201);
      assertThat(proxied.audit(1).get(0).source()).isEqualTo("127.0.0.1");
    }
  }

  @Test
  void fromAnotherAddressThanThatOfTheProxyOnlyProbesAreAnswered() throws Exception {
    Optional<InetAddress> own =
        NetworkInterface.networkInterfaces()
            .flatMap(NetworkInterface::inetAddresses)
            .filter(address -> address instanceof Inet4Address && !address.isLoopbackAddress())
            .findAny();
    assumeTrue(own.isPresent(), "NOT TESTED: this machine has the loopback interface alone");
    Listening listening =
        new Listening(
            own.get(), 0, Optional.empty(), Optional.of(TrustedProxy.parse("192.0.2.1/32")));
    try (AccessServer proxied = server.another(listening)) {
      String url = "http://" + own.get().getHostAddress() + ":" + proxied.port();

      assertThat(status(url + "/v1/pools")).isEqualTo(403);
      assertThat(status(url + "/metrics")).isEqualTo(403);
      assertThat(status(url + "/livez")).isEqualTo(200);
      assertThat(status(url + "/readyz")).isEqualTo(200);
    }
  }

  private static int status(String url) throws Exception {
    return HttpClient.newHttpClient()
        .send(HttpRequest.newBuilder(URI.create(url)).build(), BodyHandlers.discarding())
        .statusCode();
  }

  private static Listening behind(String cidr) {
    return new Listening(
        InetAddress.getLoopbackAddress(),
        0,
        Optional.empty(),
        Optional.of(TrustedProxy.parse(cidr)));
  }

  @Test
  void withAccountsTheHostIsStillThisMachine() throws IOException {
    assertThat(server.raw("GET /v1/pools HTTP/1.1\r\nHost: evil.example\r\n"))
        .startsWith("HTTP/1.1 421");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "Authorization: Bearer \r\n",
        "Authorization: Bearer\r\n",
        "Authorization: bearer mmk_\r\n",
        "Authorization: Bearer a\r\nAuthorization: Bearer b\r\n",
        "Cookie: mintmark-session=\r\n",
        "Cookie: mintmark-session=a; mintmark-session=b\r\n",
        "X-Original-URL: /livez\r\n",
        "X-HTTP-Method-Override: GET\r\n",
      })
  void headersThatProveNothingAreRefused(String headers) throws IOException {
    assertThat(server.raw("GET /v1/pools HTTP/1.1\r\nHost: 127.0.0.1\r\n" + headers))
        .startsWith("HTTP/1.1 401");
  }

  @Test
  void nothingOfAKeyIsLogged() throws IOException {
    ListAppender<ILoggingEvent> log = new ListAppender<>();
    Logger root = (Logger) LoggerFactory.getLogger("ROOT");
    List<Logger> verbose =
        Stream.of("dev.mintmark", "org.springframework", "org.springframework.web", "org.apache")
            .map(name -> (Logger) LoggerFactory.getLogger(name))
            .toList();
    List<Level> levels = new ArrayList<>();
    log.start();
    root.addAppender(log);
    for (Logger logger : verbose) {
      levels.add(logger.getLevel());
      logger.setLevel(Level.DEBUG);
    }
    try {
      server.get(admin, "/v1/pools").assertStatus(200);
      server.get(admin, "/v1/pools?key=" + admin.text());
      server.post(admin, "/v1/session", "{\"key\": \"" + admin.text() + "\"}").assertStatus(200);
      server.post(admin, "/v1/session", "{\"kez\": \"" + admin.text() + "\"}").assertStatus(400);
      server.post(admin, "/v1/session", "{\"key\": \"" + admin.text()).assertStatus(400);
      server.post(admin, "/v1/session", "[\"" + admin.text() + "\"]").assertStatus(400);
      server.post(admin, "/v1/keys", "{\"name\": \"log\", \"scopes\": [\"claim\"]}");
    } finally {
      for (int i = 0; i < verbose.size(); i++) {
        verbose.get(i).setLevel(levels.get(i));
      }
      root.detachAppender(log);
    }

    assertThat(log.list).isNotEmpty();
    assertThat(log.list)
        .allSatisfy(
            event ->
                assertThat(event.getLoggerName() + event.getFormattedMessage())
                    .doesNotContain(admin.text().substring(16, 40)));
  }

  private static String signIn(KeyText key) {
    return server
        .post(null, "/v1/session", "{\"key\": \"" + key.text() + "\"}")
        .assertStatus(200)
        .header("Set-Cookie")
        .replaceFirst(";.*", "");
  }

  /** Sends a request that came through a proxy by HTTPS. */
  private static Answer withCookie(AccessServer proxied, String path, String cookie) {
    return proxied.send(null, "GET", path, null, "Cookie", cookie, "X-Forwarded-Proto", "https");
  }

  private static Answer withCookie(
      String method, String path, @Nullable String body, String cookie, String... headers) {
    String[] all = new String[headers.length + 2];
    System.arraycopy(headers, 0, all, 2, headers.length);
    all[0] = "Cookie";
    all[1] = cookie;
    return server.send(null, method, path, body, all);
  }
}
