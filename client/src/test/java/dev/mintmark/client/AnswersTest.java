package dev.mintmark.client;

import static dev.mintmark.client.ScriptedServer.CLAIM;
import static dev.mintmark.client.ScriptedServer.answer;
import static dev.mintmark.client.ScriptedServer.json;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.mintmark.client.ScriptedServer.Answer;
import java.net.URI;
import java.net.http.HttpClient;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Answers that no server of ours gives, and what a client is built from. */
class AnswersTest {
  private static AnswerException failure(Answer answer) {
    try (ScriptedServer server = new ScriptedServer(answer)) {
      Pool pool = MintmarkClient.of(server.uri()).pool("codes");
      AnswerException[] failure = new AnswerException[1];
      assertThatExceptionOfType(AnswerException.class)
          .isThrownBy(() -> pool.claim("vm-1"))
          .satisfies(e -> failure[0] = e);
      assertThat(server.asked()).as("it is not repeated").hasSize(1);
      return failure[0];
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "{",
        "[]",
        "null",
        "7",
        "{\"pool\": \"codes\"",
        "{\"pool\": \"codes\"}",
        "{} {}",
        "{\"a\": 1, \"a\": 2}",
        "{\"pool\": 7}",
        "{\"pool\": \"\\ud800",
        "<html>",
      })
  void malformedJsonIsAnError(String body) {
    assertThat(failure(json(201, body)).status()).isEqualTo(201);
  }

  @Test
  void aWrongTypeIsNamed() {
    assertThat(failure(json(201, CLAIM.replace("\"12\"", "\"twelve\""))))
        .hasMessageEndingWith("a token is not a number");
    assertThat(failure(json(201, CLAIM.replace("\"slot\": 0", "\"slot\": 0.5"))))
        .hasMessageEndingWith("slot is \"0.5\": expected an integer");
    assertThat(failure(json(201, CLAIM.replace("2026-11-22T12:00:00Z", "today"))))
        .hasMessageEndingWith("claimed_at is \"today\": expected a time");
  }

  @Test
  void deepNestingIsAnError() {
    assertThat(failure(json(201, "{\"a\": " + "[".repeat(100_000)))).isNotNull();
  }

  @Test
  void htmlOfAProxyIsAnErrorThatShowsItsBeginning() {
    AnswerException failure =
        failure(answer(404, "text/html; charset=utf-8", "<html>\u0007" + "x".repeat(500)));

    assertThat(failure.status()).isEqualTo(404);
    assertThat(failure.getMessage())
        .startsWith("http://127.0.0.1:")
        .contains("answered with status 404, text/html, \"<html>\\u0007xxx")
        .endsWith("not a problem of the HTTP API")
        .hasSizeLessThan(300);
  }

  @Test
  void aProblemWithoutACodeIsAnError() {
    assertThat(failure(answer(400, "application/problem+json", "{}")).status()).isEqualTo(400);
  }

  @ParameterizedTest
  @ValueSource(ints = {301, 302, 307, 308})
  void theKeyDoesNotFollowARedirect(int status) {
    try (ScriptedServer elsewhere = new ScriptedServer(json(201, CLAIM))) {
      AnswerException failure =
          failure(answer(status, "text/html", "", "Location", elsewhere.uri() + "/v1"));

      assertThat(failure).hasMessageContaining("redirects are not followed");
      assertThat(elsewhere.asked()).isEmpty();
    }
  }

  @Test
  void aHugeAnswerIsCutOff() {
    AnswerException failure =
        failure(
            exchange -> {
              exchange.sendResponseHeaders(200, 0);
              byte[] block = new byte[1 << 16];
              for (int i = 0; i < 1 << 14; i++) { // 1 GiB
                exchange.getResponseBody().write(block);
              }
            });

    assertThat(failure).hasMessageContaining("the answer is larger than 33554432 bytes");
  }

  @Test
  void anAnswerForTooFewSlotsIsAnError() {
    try (ScriptedServer server =
        new ScriptedServer(json(200, "{\"claims\": [%s]}".formatted(CLAIM)))) {
      Pool pool = MintmarkClient.of(server.uri()).pool("codes");

      assertThatExceptionOfType(AnswerException.class)
          .isThrownBy(() -> pool.claim("vm-1", ClaimOptions.DEFAULT.withCount(2)));
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "127.0.0.1:7300",
        "ftp://127.0.0.1",
        "http:///v1",
        "https://u:p@a.example",
        "https://a.example/?key=p",
        "https://a.example/#p"
      })
  void aMalformedAddressIsRejectedWithoutShowingIt(String address) {
    URI uri = address.contains(":7300") ? URI.create("//" + address) : URI.create(address);

    assertThatIllegalArgumentException()
        .isThrownBy(() -> MintmarkClient.of(uri))
        .satisfies(e -> assertThat(e.getMessage()).doesNotContain("u:p", "=p", "#p"));
    assertThatIllegalArgumentException().isThrownBy(MintmarkClient::of);
  }

  @Test
  void anAddressCanHaveAPath() {
    try (ScriptedServer server = new ScriptedServer(json(201, CLAIM))) {
      MintmarkClient.of(server.uri().resolve("/ids/")).pool("codes").claim("vm-1");

      assertThat(server.asked().get(0).uri()).isEqualTo("/ids/v1/pools/codes/claims");
    }
  }

  @Test
  void anHttpClientOfTheProgramMustNotFollowRedirects() {
    MintmarkClient.Builder builder = MintmarkClient.builder(URI.create("http://a.example"));
    HttpClient following =
        HttpClient.newBuilder().followRedirects(HttpClient.Redirect.NORMAL).build();

    assertThatIllegalArgumentException().isThrownBy(() -> builder.httpClient(following));
    assertThatIllegalStateException()
        .isThrownBy(
            () ->
                builder
                    .httpClient(HttpClient.newHttpClient())
                    .connectTimeout(Duration.ofSeconds(1))
                    .build());
  }

  @Test
  void timeoutsHaveLimits() {
    MintmarkClient.Builder builder = MintmarkClient.builder(URI.create("http://a.example"));

    for (Duration wrong : List.of(Duration.ZERO, Duration.ofSeconds(-1), Duration.ofHours(2))) {
      assertThatIllegalArgumentException().isThrownBy(() -> builder.connectTimeout(wrong));
      assertThatIllegalArgumentException().isThrownBy(() -> builder.answerTimeout(wrong));
      assertThatIllegalArgumentException().isThrownBy(() -> builder.deadline(wrong));
    }
  }

  @Test
  void aFileWithoutCertificatesIsRejected(@TempDir Path directory) throws Exception {
    Path empty = Files.writeString(directory.resolve("empty.pem"), "");
    MintmarkClient.Builder builder = MintmarkClient.builder(URI.create("https://a.example"));

    assertThatExceptionOfType(GeneralSecurityException.class)
        .isThrownBy(() -> builder.trustedCertificates(empty));
  }

  @Test
  void noTextShowsTheKey() {
    MintmarkClient client =
        MintmarkClient.builder(URI.create("https://a.example")).apiKey("mmk_secret").build();

    assertThat(client).hasToString("MintmarkClient[https://a.example]");
    assertThat(client.pool("codes")).hasToString("Pool[codes]");
  }
}
