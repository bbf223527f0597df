package dev.mintmark.app.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mintmark.app.access.KeyText;
import dev.mintmark.app.http.AccessServer.Answer;
import dev.mintmark.fixtures.Patience;
import dev.mintmark.fixtures.ThreadPerTask;
import dev.mintmark.postgres.pool.PoolGate.Rate;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a server admits of one caller. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Tag("database")
class LimitsTest {
  /** So slow that no request comes back during a test. */
  private static final RequestLimits TEN_A_DAY =
      new RequestLimits(Optional.of(Rate.parse("10/24h")), OptionalInt.empty());

  private AccessServer server;
  private KeyText key;

  @BeforeAll
  void start() {
    server = AccessServer.start();
    key = server.key("admin");
    server.createPool(key, "{\"name\": \"p\", \"blocks\": [\"10.0.0.0/24\"]}");
  }

  @AfterAll
  void stop() {
    server.close();
  }

  private AccessServer limited(RequestLimits limits) {
    return server.another(ServerOptions.onLoopback(0).withLimits(limits));
  }

  private static RequestLimits atOnce(int requests) {
    return new RequestLimits(Optional.empty(), OptionalInt.of(requests));
  }

  @Test
  void aKeyThatSendsMoreThanItsRateIsToldWhenToSendAgain() {
    KeyText other = server.key("pools:read");
    try (AccessServer limited = limited(TEN_A_DAY)) {
      for (int i = 0; i < 10; i++) {
        limited
            .post(key, "/v1/pools/p/claims", "{\"client\": \"c\"}")
            .assertStatus(i == 0 ? 201 : 200);
      }

      Answer refused = limited.post(key, "/v1/pools/p/claims", "{\"client\": \"never\"}");

      refused.assertProblem(429, "too-many-requests");
      assertThat(Integer.parseInt(refused.header("Retry-After"))).isBetween(1, 8_640);
      assertThat(refused.json().path("detail").asString())
          .isEqualTo(
              "%s has reached the limit of this server: 10 requests in 1d".formatted(key.id()));
      assertThat(server.get(key, "/v1/pools/p/claims?client=never").json().path("claims"))
          .isEmpty();
      limited.get(other, "/v1/pools").assertStatus(200);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "mmk_0", "a.b.c"})
  void aRequestWithoutAKeyThatIsAcceptedCountsForItsAddress(String proof) {
    try (AccessServer limited = limited(TEN_A_DAY)) {
      for (int i = 0; i < 10; i++) {
        assertThat(sendAs(limited, proof).status()).isEqualTo(401);
      }

      Answer refused = sendAs(limited, proof).assertProblem(429, "too-many-requests");

      assertThat(refused.json().path("detail").asString())
          .isEqualTo("127.0.0.1 has reached the limit of this server: 10 requests in 1d");
      assertThat(Integer.parseInt(refused.header("Retry-After"))).isBetween(1, 8_640);
      assertThat(refused.header("WWW-Authenticate")).isEmpty();
      limited.get(key, "/v1/pools").assertStatus(200);
    }
  }

  private static Answer sendAs(AccessServer limited, String proof) {
    return proof.isEmpty()
        ? limited.get(null, "/v1/pools")
        : limited.sendAs(proof, "GET", "/v1/pools", null);
  }

  @Test
  void requestsWithoutAKeyThatEndFreeTheirPlace() {
    try (AccessServer limited = limited(atOnce(1))) {
      for (int i = 0; i < 5; i++) {
        limited.get(null, "/v1/pools").assertProblem(401, "key-required");
      }
    }
  }

  @Test
  void whatNeedsNoScopeIsNotLimited() {
    try (AccessServer limited = limited(TEN_A_DAY)) {
      for (int i = 0; i < 15; i++) {
        limited.get(null, "/livez").assertStatus(200);
        limited.get(null, "/console.js").assertStatus(200);
      }
      assertThat(IntStream.range(0, 15).map(i -> limited.get(null, "/v1/session").status()))
          .as("signing in is limited by address")
          .contains(429);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"/%761/pools/p", "/v1;x=1/pools/p"})
  void anOperationIsLimitedHoweverItsPathIsWritten(String path) throws IOException {
    KeyText own = server.key("pools:read");
    String head =
        "GET %s HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer %s\r\n"
            .formatted(path, own.text());
    try (AccessServer limited = limited(TEN_A_DAY)) {
      for (int i = 0; i < 10; i++) {
        assertThat(limited.raw(head)).startsWith("HTTP/1.1 200");
      }

      assertThat(limited.raw(head)).startsWith("HTTP/1.1 429");
    }
  }

  @Test
  void requestsThatEndFreeTheirPlaceWhateverTheyAnswer() {
    try (AccessServer limited = limited(atOnce(1))) {
      for (int i = 0; i < 5; i++) {
        limited.post(key, "/v1/pools/p/claims", "{\"client\": \"c\"}");
        limited.post(key, "/v1/pools/p/claims", "{\"client\": 5}").assertStatus(400);
        limited.get(key, "/v1/pools/unknown").assertStatus(404);
        limited.get(key, "/v1/pools/p").assertStatus(200);
        limited.send(key, "DELETE", "/v1/pools", null).assertStatus(405);
      }
    }
  }

  @Test
  void noMoreRequestsAreInProgressThanAtOnce() {
    try (AccessServer limited = limited(atOnce(2))) {
      List<CompletableFuture<Integer>> statuses =
          IntStream.range(0, 200)
              .mapToObj(
                  i ->
                      CompletableFuture.supplyAsync(
                          () ->
                              limited
                                  .post(
                                      key,
                                      "/v1/pools/p/claims",
                                      "{\"client\": \"many-%d\"}".formatted(i % 50))
                                  .status(),
                          ThreadPerTask.EXECUTOR))
              .toList();

      assertThat(statuses.stream().map(CompletableFuture::join))
          .contains(201)
          .isSubsetOf(200, 201, 429);
      // A request ends after its answer was sent.
      Patience.await("a place", () -> limited.get(key, "/v1/pools/p").status() == 200);
      assertThat(limited.get(key, "/metrics").body())
          .contains("mintmark_requests_refused_total{limit=\"at_once\"} ")
          .doesNotContain("mintmark_requests_refused_total{limit=\"at_once\"} 0.0");
    }
  }

  @Test
  void aWatchThatLastsIsNotInProgress() throws Exception {
    try (AccessServer limited = limited(atOnce(1));
        InputStream watch = watch(limited)) {
      assertThat(watch.read()).isPositive();

      limited.get(key, "/v1/pools/p").assertStatus(200);
    }
  }

  private InputStream watch(AccessServer limited) throws IOException, InterruptedException {
    HttpRequest request =
        HttpRequest.newBuilder(
                URI.create("http://127.0.0.1:%d/v1/pools/p/watch".formatted(limited.port())))
            .header("Authorization", "Bearer " + key.text())
            .build();
    return HttpClient.newHttpClient().send(request, BodyHandlers.ofInputStream()).body();
  }
}
