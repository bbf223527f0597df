package dev.mintmark.app.http;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import dev.mintmark.app.access.KeyText;
import dev.mintmark.app.http.AccessServer.Answer;
import dev.mintmark.fixtures.Patience;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.web.servlet.DispatcherServlet;
import tools.jackson.databind.node.ObjectNode;

/** Claims from a pool that is remembered as exhausted: most of them do not reach Spring. */
@Tag("slow")
class RejectionTest {
  private static final String CLAIMS = "/v1/pools/full/claims";

  private static AccessServer server;
  private static LogEvents dispatched;
  private static KeyText admin;
  private static KeyText acme;
  private static KeyText reader;

  @BeforeAll
  static void start() {
    dispatched = LogEvents.of(DispatcherServlet.class.getName());
    dispatched.setLevel(Level.DEBUG);
    server = AccessServer.start();
    admin = server.key("admin");
    acme = server.key(Optional.of("acme"), Optional.empty(), "claim");
    reader = server.key("pools:read");
    for (String pool : List.of("full", "released")) {
      server.createPool(
          admin, "{\"name\": \"%s\", \"range\": \"1..2\", \"lease\": \"1h\"}".formatted(pool));
      claim(admin, pool, "holder").assertStatus(201);
    }
    server
        .post(admin, CLAIMS, "{\"client\": \"theirs\", \"owner\": \"initech\"}")
        .assertStatus(201);
    claim(admin, "released", "other").assertStatus(201);
  }

  @AfterAll
  static void stop() {
    server.close();
    dispatched.close();
  }

  private static Answer claim(KeyText key, String pool, String client) {
    return server.post(
        key, "/v1/pools/" + pool + "/claims", "{\"client\": \"%s\"}".formatted(client));
  }

  /** Whether a request did not reach Spring's dispatcher, which logs those that it handles. */
  private static boolean isQuick(Answer answer) {
    String id = answer.header(RequestId.HEADER);
    return dispatched.rest().stream()
        .noneMatch(event -> id.equals(event.getMDCPropertyMap().get(RequestId.KEY)));
  }

  /** Claims until the pool is remembered as exhausted, which lasts for a second. */
  private static Answer rejected(KeyText key, String... headers) {
    List<Answer> answers = new ArrayList<>();
    Patience.await(
        "a quick rejection",
        () -> {
          dispatched.rest().clear();
          answers.add(server.send(key, "POST", CLAIMS, "{\"client\": \"new\"}", headers));
          return isQuick(answers.get(answers.size() - 1));
        });
    return answers.get(answers.size() - 1);
  }

  /** What identifies one response is left out. */
  private static Map<String, List<String>> headers(Answer answer) {
    Map<String, List<String>> headers = new TreeMap<>(answer.response().headers().map());
    headers.keySet().removeAll(List.of("content-length", "date", "retry-after", "x-request-id"));
    return headers;
  }

  private static ObjectNode problem(Answer answer) {
    return ((ObjectNode) answer.json()).without("request_id");
  }

  /** The text says when the pool was found empty, so both must come from one memory of it. */
  @Test
  void aQuickRejectionIsLikeAnyOther() {
    Patience.await(
        "two answers from one memory",
        () -> {
          Answer quick = rejected(admin).assertProblem(409, "pool-exhausted");
          Answer other =
              server.send(
                  admin, "POST", CLAIMS, "{\"client\": \"new\"}", "Accept", "application/*");
          assertThat(isQuick(other)).isFalse();
          Answer after = rejected(admin);
          assertThat(headers(quick)).isEqualTo(headers(other));
          assertThat(quick.json().path("request_id").asString())
              .isEqualTo(quick.header("X-Request-Id"));
          assertThat(Long.parseLong(quick.header("Retry-After"))).isPositive();
          boolean isOne = problem(quick).equals(problem(after));
          if (isOne) {
            assertThat(problem(quick)).isEqualTo(problem(other));
          }
          return isOne;
        });
  }

  @Test
  void aRequestKeepsItsId() {
    assertThat(rejected(admin, "X-Request-Id", "storm-1").json().path("request_id").asString())
        .isEqualTo("storm-1");
  }

  @Test
  void whoHoldsAValueGetsIt() {
    rejected(admin);
    claim(admin, "full", "holder").assertStatus(200);
    claim(acme, "full", "theirs").assertProblem(403, "foreign-client");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "                 | {\"client\": \"\"}                                | 400 | invalid-request",
        "                 | {\"client\": \"new\", \"customer\": \"acme\"}     | 400 | unknown-key",
        "                 | {\"client\": 7}                                   | 400 | wrong-type",
        "                 | {\"client\": \"new\"                              | 400 | malformed-json",
        "                 | {\"client\": \"new\", \"lease\": \"for ever\"}    | 400 | invalid-request",
        "                 | {\"clients\": [\"new\", \"new\"]}                 | 400 | invalid-request",
        "                 | {\"client\": \"new\", \"value\": \"3\"}           | 400 | invalid-request",
        "                 | {\"client\": \"new\", \"value\": \"2\"}           | 409 | value-taken",
        "?wait=1           | {\"client\": \"new\"}                             | 400 | unknown-parameter",
      })
  void whatIsWrongIsReportedAsEver(String query, String body, int status, String code) {
    rejected(admin);
    server.post(admin, CLAIMS + (query == null ? "" : query), body).assertProblem(status, code);
  }

  @Test
  void aKeyThatMayNotClaimIsToldSo() {
    rejected(admin);
    claim(reader, "full", "new").assertProblem(403, "insufficient-scope");
    server
        .post(acme, CLAIMS, "{\"client\": \"new\", \"owner\": \"initech\"}")
        .assertProblem(403, "foreign-owner");
    server.post(null, CLAIMS, "{\"client\": \"new\"}").assertProblem(401, "key-required");
    rejected(acme).assertProblem(409, "pool-exhausted");
  }

  @Test
  void aQuickRejectionIsCountedOnce() {
    Patience.await(
        "a quick rejection",
        () -> {
          Answer warm = rejected(admin);
          double before = rejections();
          Answer answer = claim(admin, "full", "new");
          if (isQuick(answer)) {
            assertThat(rejections()).isEqualTo(before + 1);
          }
          return isQuick(warm) && isQuick(answer);
        });
  }

  private static double rejections() {
    return server
        .get(admin, "/metrics")
        .body()
        .lines()
        .filter(line -> line.startsWith("mintmark_pool_claim_seconds_count"))
        .filter(line -> line.contains("pool=\"full\"") && line.contains("exhausted"))
        .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)))
        .sum();
  }

  @Test
  void aValueThatIsReleasedIsGrantedAtOnce() {
    Answer held = claim(admin, "released", "other").assertStatus(200);
    Patience.await("a quick rejection", () -> isQuick(claim(admin, "released", "waiting")));

    server
        .send(
            admin,
            "DELETE",
            "/v1/pools/released/claims/" + held.json().path("value").asString(),
            null,
            "If-Match",
            "\"" + held.json().path("token").asString() + "\"")
        .assertStatus(204);

    claim(admin, "released", "waiting").assertStatus(201);
  }
}
