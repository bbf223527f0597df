package dev.mintmark.app.http;

import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mintmark.Block;
import dev.mintmark.PoolSpec;
import dev.mintmark.app.access.ApiKey;
import dev.mintmark.app.access.AuditEntry;
import dev.mintmark.app.access.KeyText;
import dev.mintmark.app.access.Scope;
import dev.mintmark.app.http.AccessServer.Answer;
import dev.mintmark.app.view.ClaimOutcomesJson;
import dev.mintmark.fixtures.BreakableDataSource;
import dev.mintmark.fixtures.TestDatabase;
import dev.mintmark.postgres.pool.ClaimRequest;
import dev.mintmark.postgres.pool.Pool;
import dev.mintmark.postgres.pool.Pools;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

/** A request that claims a value for each of many clients. */
@Tag("slow")
class ManyClientsTest {
  private static AccessServer server;
  private static KeyText admin;
  private static KeyText acme;

  @BeforeAll
  static void start() {
    server = AccessServer.start();
    admin = server.key("admin");
    acme = server.key(Optional.of("acme"), Optional.empty(), "claim");
    server.createPool(admin, "{\"name\": \"three\", \"range\": \"1..3\", \"lease\": \"1m\"}");
    server.createPool(admin, "{\"name\": \"owned\", \"range\": \"1..9\", \"per_owner\": 2}");
    server.createPool(admin, "{\"name\": \"shared\", \"range\": \"1..9\"}");
    server.createPool(admin, "{\"name\": \"slots\", \"range\": \"1..9\", \"per_client\": 2}");
    server.createPool(admin, "{\"name\": \"large\", \"blocks\": [\"10.0.0.0/20\"]}");
    server.createPool(
        admin,
        "{\"name\": \"embeds\", \"range\": \"1..9\","
            + " \"ipv6\": {\"prefix\": \"2001:db8:42::/96\", \"embed\": \"client\"}}");
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  private static Answer claim(KeyText key, String pool, String body) {
    return server.post(key, "/v1/pools/" + pool + "/claims", body);
  }

  private static List<JsonNode> outcomes(Answer answer) {
    List<JsonNode> outcomes = new ArrayList<>();
    answer.assertStatus(200).json().get("outcomes").forEach(outcomes::add);
    return outcomes;
  }

  private static List<Integer> statuses(List<JsonNode> outcomes) {
    return outcomes.stream().map(outcome -> outcome.get("status").asInt()).toList();
  }

  /** Each client is answered as if it had asked alone, in the order of the request. */
  @Test
  void eachClientGetsItsOwnAnswer() {
    claim(admin, "three", "{\"client\": \"b\"}").assertStatus(201);
    List<JsonNode> outcomes =
        outcomes(
            claim(
                admin,
                "three",
                "{\"clients\": [\"a\", \"b\", \"c\", \"d\"], \"note\": {\"dns_name\": \"x.example\"},"
                    + " \"lease\": \"5s\"}"));

    assertThat(outcomes.stream().map(outcome -> outcome.get("client").asString()))
        .containsExactly("a", "b", "c", "d");
    assertThat(statuses(outcomes)).containsExactlyInAnyOrder(201, 200, 201, 409);
    assertThat(outcomes.get(1).get("status").asInt()).isEqualTo(200);
    Set<String> values = new TreeSet<>();
    for (JsonNode outcome : outcomes) {
      if (outcome.get("status").asInt() == 409) {
        assertThat(outcome.get("code").asString()).isEqualTo("pool-exhausted");
        assertThat(outcome.get("retry_after").asLong()).isBetween(1L, 5L);
        assertThat(outcome.get("detail").asString()).contains("exhausted");
        assertThat(outcome.get("claim").isNull()).isTrue();
      } else {
        JsonNode claim = outcome.get("claim");
        assertThat(claim.get("client")).isEqualTo(outcome.get("client"));
        assertThat(claim.at("/note/dns_name").asString()).isEqualTo("x.example");
        values.add(claim.get("value").asString());
      }
    }
    assertThat(values).containsExactly("1", "2", "3");
  }

  @Test
  void aRepeatedRequestGetsTheSameValues() {
    Random random = new Random(7);
    String clients =
        IntStream.range(0, 1_024)
            .mapToObj(i -> "\"client-%d-%x\"".formatted(i, random.nextInt()))
            .collect(joining(", ", "{\"clients\": [", "]}"));

    List<JsonNode> first = outcomes(claim(admin, "large", clients));
    List<JsonNode> again = outcomes(claim(admin, "large", clients));

    assertThat(statuses(first)).hasSize(1_024).containsOnly(201);
    assertThat(statuses(again)).containsOnly(200);
    assertThat(first.stream().map(outcome -> outcome.at("/claim/value").asString()))
        .doesNotHaveDuplicates()
        .containsExactlyElementsOf(
            again.stream().map(outcome -> outcome.at("/claim/value").asString()).toList());
  }

  @Test
  void aQuotaOfTheOwnerHolds() {
    List<JsonNode> outcomes =
        outcomes(
            claim(admin, "owned", "{\"clients\": [\"a\", \"b\", \"c\"], \"owner\": \"acme\"}"));

    assertThat(statuses(outcomes)).containsExactlyInAnyOrder(201, 201, 409);
    assertThat(outcomes.stream().map(outcome -> outcome.get("code").asString("none")))
        .contains("quota-reached");
  }

  @Test
  void clientsOfAnotherOwnerAreForeignAndTheOthersAreNot() {
    for (String pool : List.of("shared", "slots")) {
      claim(admin, pool, "{\"client\": \"theirs\", \"owner\": \"initech\"}").assertStatus(201);
      Answer answer = claim(acme, pool, "{\"clients\": [\"ours\", \"theirs\"]}");

      List<JsonNode> outcomes = outcomes(answer);
      assertThat(statuses(outcomes)).containsExactly(201, 403);
      assertThat(outcomes.get(0).at("/claim/owner").asString()).isEqualTo("acme");
      assertThat(outcomes.get(1).get("code").asString()).isEqualTo("foreign-client");
      assertThat(answer.body()).doesNotContain("initech");
    }
    claim(acme, "shared", "{\"clients\": [\"a\"], \"owner\": \"initech\"}")
        .assertProblem(403, "foreign-owner");
  }

  @Test
  void theAuditHasTheValues() {
    List<JsonNode> outcomes =
        outcomes(claim(acme, "large", "{\"clients\": [\"audited-1\", \"audited-2\"]}"));

    AuditEntry entry = server.audit(1).get(0);
    assertThat(entry.action()).isEqualTo("createClaim");
    for (JsonNode outcome : outcomes) {
      assertThat(entry.target()).contains(outcome.at("/claim/value").asString());
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          {"clients": []} | 0 clients: expected 1 to 1,024
          {"clients": ["a", "b", "a"]} | clients[0] and clients[2] are both "a": a client is listed once
          {"clients": ["a", null]} | clients[1] is null
          {"clients": ["a"], "client": "b"} | client and clients: expected one of them
          {"clients": ["a"], "value": "1"} | value applies to one client, not to clients
          {"clients": ["a"], "count": 1} | count applies to one client, not to clients
          {"owner": "acme"} | client is missing
          """)
  void saysWhatIsWrongAndClaimsNothing(String body, String detail) {
    Answer answer = claim(admin, "shared", body).assertProblem(400, "invalid-request");

    assertThat(answer.json().get("detail").asString()).isEqualTo(detail);
    assertThat(server.get(admin, "/v1/pools/shared/claims?client=a").json().get("claims"))
        .isEmpty();
  }

  @Test
  void ifThePoolCannotGrantToOneClientNothingIsClaimed() {
    claim(admin, "embeds", "{\"clients\": [\"500000\", \"vm-2\"]}")
        .assertProblem(400, "invalid-request");
    claim(admin, "owned", "{\"clients\": [\"a\"]}").assertProblem(400, "invalid-request");

    assertThat(server.get(admin, "/v1/pools/embeds/claims").json().get("claims")).isEmpty();
    assertThat(statuses(outcomes(claim(admin, "embeds", "{\"clients\": [\"500000\"]}"))))
        .containsExactly(201);
  }

  /** The claims of a client for other owners are looked up before it claims. */
  @Test
  void aDatabaseThatFailsBeforeAClaimIsTheOutcomeOfItsClient() {
    BreakableDataSource breakable = new BreakableDataSource(TestDatabase.create().dataSource());
    ApiKey key =
        new ApiKey(
            "id",
            "test",
            List.of(Scope.parse("claim")),
            Optional.of("acme"),
            Instant.EPOCH,
            "command:test",
            Optional.empty(),
            Optional.empty(),
            Optional.empty());
    Caller caller = new Caller(Optional.of(key), Optional.empty(), "here", Optional.empty());
    try (Pools pools = Pools.over(breakable.dataSource())) {
      pools.create(PoolSpec.of("slots", List.of(Block.parse("10.0.0.0/29"))).withPerClient(2));
      Pool pool = pools.open("slots");
      breakable.cut();

      ClaimOutcomesJson answer =
          ManyClients.claim(pool, List.of(ClaimRequest.of("a"), ClaimRequest.of("b")), caller)
              .join();

      assertThat(answer.outcomes())
          .hasSize(2)
          .allSatisfy(
              outcome -> {
                assertThat(outcome.status()).isEqualTo(503);
                assertThat(outcome.code()).isEqualTo("pool-unavailable");
                assertThat(outcome.retryAfter()).isEqualTo(1);
              });
    }
  }

  @Test
  void aClientMoreThanTheMostIsRefused() {
    String clients =
        IntStream.rangeClosed(0, 1_024)
            .mapToObj(i -> "\"x" + i + "\"")
            .collect(joining(",", "{\"clients\":[", "]}"));

    assertThat(claim(admin, "shared", clients).json().get("detail").asString())
        .isEqualTo("1025 clients: expected 1 to 1,024");
  }
}
