package dev.mintmark.app.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mintmark.app.access.KeyText;
import dev.mintmark.app.http.AccessServer.Answer;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/** A key with an owner shows and changes nothing of another owner. */
@Tag("slow")
class TenancyTest {
  private static AccessServer server;
  private static KeyText admin;
  private static KeyText acme;
  private static KeyText initech;

  /** A claim of the other owner. */
  private static String value;

  private static String token;

  @BeforeAll
  static void start() {
    server = AccessServer.start();
    admin = server.key("admin");
    acme = server.key(Optional.of("acme"), Optional.empty(), "pools:read", "claim", "ids:read");
    initech =
        server.key(Optional.of("initech"), Optional.empty(), "pools:read", "claim", "ids:read");
    server.createPool(
        admin, "{\"name\": \"p\", \"blocks\": [\"10.0.0.0/28\"], \"history\": \"1h\"}");
    server.createPool(
        admin, "{\"name\": \"several\", \"blocks\": [\"10.1.0.0/28\"], \"per_client\": 2}");
    server.createPool(
        admin, "{\"name\": \"owned\", \"blocks\": [\"10.2.0.0/28\"], \"per_owner\": 1}");
    server.createPool(admin, "{\"name\": \"noted\", \"blocks\": [\"10.5.0.0/28\"]}");
    server.createPool(admin, "{\"name\": \"full\", \"blocks\": [\"10.3.0.0/30\"]}");
    server.createPool(
        admin,
        "{\"name\": \"six\", \"blocks\": [\"10.4.0.0/28\"], \"ipv6\": {\"prefix\":"
            + " \"2001:db8::/96\", \"embed\": \"ipv4\"}}");
    Answer claimed = claim(initech, "p", "initech-vm").assertStatus(201);
    value = claimed.json().path("value").asString();
    token = claimed.json().path("token").asString();
    server
        .send(
            admin,
            "PUT",
            "/v1/pools/p/gate",
            "{\"owners\": [\"acme\", \"initech\"], \"share\": \"100%\"}")
        .assertStatus(200);
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  private static Answer claim(KeyText key, String pool, String client) {
    return server.post(key, "/v1/pools/" + pool + "/claims", "{\"client\": \"" + client + "\"}");
  }

  @Test
  void theServerSetsTheOwner() {
    JsonNode claim = claim(acme, "p", "acme-vm").assertStatus(201).json();

    assertThat(claim.path("owner").asString()).isEqualTo("acme");
    server
        .post(acme, "/v1/pools/p/claims", "{\"client\": \"acme-vm\", \"owner\": \"acme\"}")
        .assertStatus(200);
    server
        .post(acme, "/v1/pools/p/claims", "{\"client\": \"acme-2\", \"owner\": \"initech\"}")
        .assertProblem(403, "foreign-owner");
  }

  @ParameterizedTest
  @ValueSource(strings = {"p", "several"})
  void aClientOfAnotherOwnerIsForeign(String pool) {
    claim(initech, pool, "shared-" + pool).assertStatus(201);
    Answer refused = claim(acme, pool, "shared-" + pool);

    refused.assertProblem(403, "foreign-client");
    assertNamesNobody(refused);
    Answer slot =
        server.post(
            acme,
            "/v1/pools/" + pool + "/claims",
            "{\"client\": \"shared-" + pool + "\", \"count\": 1}");
    assertThat(slot.code()).isEqualTo("foreign-client");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "\"client\": \"noted\"",
        "\"client\": \"noted\", \"count\": 1",
        "\"client\": \"noted\", \"value\": \"10.5.0.1\"",
        "\"clients\": [\"noted\"]"
      })
  void theNoteOfAnotherOwnerIsNotReplaced(String client) {
    String path = "/v1/pools/noted/claims";
    server.post(
        initech,
        path,
        "{\"client\": \"noted\", \"value\": \"10.5.0.1\", \"note\": {\"labels\": {\"rack\": \"b7\"}}}");

    Answer refused =
        server.post(
            acme, path, "{%s, \"note\": {\"labels\": {\"rack\": \"b8\"}}}".formatted(client));

    assertThat(refused.body()).contains("foreign-client");
    JsonNode claim = server.get(initech, path + "/10.5.0.1").assertStatus(200).json();
    assertThat(claim.at("/note/labels/rack").asString()).isEqualTo("b7");
  }

  @Test
  void theAnswerHasOnlyANoteThatWasWritten() {
    String path = "/v1/pools/noted/claims";
    server
        .post(initech, path, "{\"client\": \"of-initech\", \"value\": \"10.5.0.2\"}")
        .assertStatus(201);
    String body =
        "{\"client\": \"of-initech\", \"owner\": \"%s\", \"note\": {\"description\": \"new\"}}";

    JsonNode foreign = server.post(admin, path, body.formatted("acme")).json();
    JsonNode own = server.post(admin, path, body.formatted("initech")).json();

    assertThat(foreign.path("owner").asString()).isEqualTo("initech");
    assertThat(foreign.path("note").isNull()).isTrue();
    assertThat(own.at("/note/description").asString()).isEqualTo("new");
  }

  @Test
  void aClientWithoutAnOwnerIsForeignToo() {
    claim(admin, "p", "ownerless").assertStatus(201);

    claim(acme, "p", "ownerless").assertProblem(403, "foreign-client");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/v1/pools",
        "/v1/pools/p",
        "/v1/pools/p/map",
        "/v1/pools/p/density",
        "/v1/pools/p/usage",
        "/v1/pools/p/held",
        "/v1/pools/p/held?after=10.0.0.1",
        "/v1/pools/p/free",
        "/v1/pools/p/gate",
        "/v1/pools/p/quarantine",
        "/v1/pools/p/history",
        "/v1/pools/p/history?client=initech-vm",
        "/v1/pools/p/claims",
        "/v1/pools/p/claims?client=initech-vm",
      })
  void nothingNamesAnotherOwner(String path) {
    Answer answer = server.get(acme, path).assertStatus(200);

    assertNamesNobody(answer);
    assertThat(server.get(admin, path).status()).isEqualTo(200);
  }

  @Test
  void theAdministratorSeesWhatIsHidden() {
    assertThat(server.get(admin, "/v1/pools/p/history").body()).contains("initech-vm");
    assertThat(server.get(admin, "/v1/pools/p/claims").body()).contains("initech-vm");
    assertThat(server.get(admin, "/v1/pools/p/gate").body()).contains("initech");
    assertThat(server.get(initech, "/v1/pools/p/claims").body()).contains("initech-vm");
    assertThat(server.get(acme, "/v1/pools/p/gate").json().path("owners").valueStream())
        .extracting(JsonNode::asString)
        .containsExactly("acme");
  }

  @ParameterizedTest
  @ValueSource(strings = {"/v1/pools/p/history?owner=initech", "/v1/pools/p/claims?owner=initech"})
  void askingForAnotherOwnerIsRefused(String path) {
    server.get(acme, path).assertProblem(403, "foreign-owner");
  }

  @Test
  void heldValuesAreNotSearchedBackwards() {
    server.get(acme, "/v1/pools/p/held?before=10.0.0.14").assertProblem(403, "insufficient-scope");
  }

  @Test
  void aClaimOfAnotherOwnerIsNotThere() {
    String path = "/v1/pools/p/claims/" + value;

    assertNamesNobody(server.get(acme, path).assertProblem(404, "claim-not-found"));
    server
        .send(acme, "DELETE", path, null, "If-Match", "\"" + token + "\"")
        .assertProblem(404, "claim-not-found");
    server
        .send(acme, "POST", path + "/renewal", "{}", "If-Match", "\"" + token + "\"")
        .assertProblem(404, "claim-not-found");
    server
        .send(initech, "POST", path + "/renewal", "{}", "If-Match", "\"" + token + "\"")
        .assertStatus(200);
  }

  @Test
  void claimsOfAnotherOwnerAreNotKeptAlive() {
    JsonNode own = claim(acme, "p", "kept").assertStatus(201).json();
    String body =
        "{\"claims\": [{\"value\": \"%s\", \"token\": \"%s\"}, {\"value\": \"%s\", \"token\": \"%s\"}]}"
            .formatted(own.path("value").asString(), own.path("token").asString(), value, token);

    JsonNode kept = server.post(acme, "/v1/pools/p/keep-alive", body).assertStatus(200).json();

    assertThat(kept.path("renewed")).hasSize(1);
    assertThat(kept.at("/renewed/0/client").asString()).isEqualTo("kept");
    assertThat(kept.at("/lost/0/value").asString()).isEqualTo(value);
  }

  @Test
  void anOwnClaimIsRenewedAndReleased() {
    JsonNode claim = claim(acme, "p", "own").assertStatus(201).json();
    String path = "/v1/pools/p/claims/" + claim.path("value").asString();
    String tag = "\"" + claim.path("token").asString() + "\"";

    server.get(acme, path).assertStatus(200);
    server.send(acme, "POST", path + "/renewal", "{}", "If-Match", tag).assertStatus(200);
    server
        .send(acme, "DELETE", path, null, "If-Match", "\"1" + tag.substring(1))
        .assertProblem(412, "token-superseded");
    server.send(acme, "DELETE", path, null, "If-Match", tag).assertStatus(204);
  }

  @Test
  void refusalsNameNobody() {
    Answer taken =
        server.post(
            acme, "/v1/pools/p/claims", "{\"client\": \"taker\", \"value\": \"" + value + "\"}");
    claim(initech, "full", "initech-1").assertStatus(201);
    claim(initech, "full", "initech-2").assertStatus(201);
    Answer exhausted = claim(acme, "full", "late");
    claim(acme, "owned", "first").assertStatus(201);
    Answer quota = claim(acme, "owned", "second");

    assertNamesNobody(taken.assertProblem(409, "value-taken"));
    assertNamesNobody(exhausted.assertProblem(409, "pool-exhausted"));
    assertNamesNobody(quota.assertProblem(409, "quota-reached"));
  }

  @Test
  void anIpv6AddressOfAnotherOwnerIsNotFound() {
    JsonNode claim = claim(initech, "six", "initech-six").assertStatus(201).json();
    String path = "/v1/pools/six/claims?ipv6=" + claim.path("ipv6").asString();

    assertThat(server.get(acme, path).assertStatus(200).json().path("claims")).isEmpty();
    assertThat(server.get(initech, path).json().path("claims")).hasSize(1);
  }

  @Test
  void theInspectorNamesNobody() {
    String text = "{\"text\": \"held by " + value + "\"}";

    Answer hidden = server.post(acme, "/v1/inspections", text).assertStatus(200);

    assertThat(server.post(initech, "/v1/inspections", text).body()).contains("initech-vm");
    assertNamesNobody(hidden);
    KeyText withoutPools = server.key("ids:read");
    assertNamesNobody(server.post(withoutPools, "/v1/inspections", text).assertStatus(200));
  }

  @Test
  void metricsAndTheAuditNeedScopesThatNoOwnerHas() {
    server.get(acme, "/metrics").assertProblem(403, "insufficient-scope");
    server.get(acme, "/v1/audit").assertProblem(403, "insufficient-scope");
    server.get(acme, "/v1/keys").assertProblem(403, "insufficient-scope");
  }

  private static void assertNamesNobody(Answer answer) {
    assertThat(answer.body()).doesNotContain("initech");
  }
}
