package dev.mintmark.client;

import static dev.mintmark.client.ScriptedServer.CLAIM;
import static dev.mintmark.client.ScriptedServer.answer;
import static dev.mintmark.client.ScriptedServer.json;
import static dev.mintmark.client.ScriptedServer.problem;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.mintmark.client.ClaimResult.Granted;
import dev.mintmark.client.ClaimResult.Reason;
import dev.mintmark.client.ClaimResult.Rejected;
import dev.mintmark.client.ScriptedServer.Answer;
import dev.mintmark.client.ScriptedServer.Asked;
import dev.mintmark.fixtures.Patience;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpHeaders;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Which requests are sent again, when, and to whom. Pauses move a clock of their own. */
class RetriesTest {
  private static final Answer GRANTED = json(201, CLAIM);

  /** Draws the longest pause. */
  private static final RandomGenerator LONGEST =
      new RandomGenerator() {
        @Override
        public long nextLong() {
          throw new AssertionError("a bound is missing");
        }

        @Override
        public long nextLong(long bound) {
          return bound - 1;
        }
      };

  private final ManualTicker ticker = new ManualTicker(true);
  private final List<AutoCloseable> open = new ArrayList<>();

  @AfterEach
  void stop() throws Exception {
    for (AutoCloseable each : open) {
      each.close();
    }
  }

  private ScriptedServer server(Answer... answers) {
    ScriptedServer server = new ScriptedServer(answers);
    open.add(server);
    return server;
  }

  private Pool pool(MintmarkClient.Builder builder) {
    Backoff backoff = new Backoff(Duration.ofMillis(100), Duration.ofSeconds(1), () -> LONGEST);
    return builder
        .build(backoff, ticker, () -> Instant.parse("2026-11-22T12:00:00Z"))
        .pool("codes");
  }

  private Pool pool(URI... servers) {
    return pool(
        MintmarkClient.builder(servers).connectTimeout(Patience.MAX).answerTimeout(Patience.MAX));
  }

  /** An address where nobody listens, and nobody else can until the test is over. */
  private URI nobody() throws IOException {
    Socket bound = new Socket();
    open.add(bound);
    bound.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
    return URI.create("http://127.0.0.1:" + bound.getLocalPort());
  }

  @ParameterizedTest
  @ValueSource(ints = {429, 502, 503, 504})
  void aStatusThatCanPassIsRepeated(int status) {
    ScriptedServer server =
        server(
            answer(status, "text/html", "<html>proxy</html>"),
            answer(status, "text/html", "<html>proxy</html>"),
            GRANTED);

    assertThat(pool(server.uri()).claim("vm-1")).isInstanceOf(Granted.class);
    assertThat(server.asked()).hasSize(3);
    assertThat(ticker.pauses()).containsExactly(Duration.ofMillis(100), Duration.ofMillis(200));
  }

  @Test
  void pausesGrowUpToTheirLimitAndEndBeforeTheDeadline() {
    ScriptedServer server = server(problem(503, "values-contended"));

    ClaimResult result =
        pool(MintmarkClient.builder(server.uri()).deadline(Duration.ofMillis(3_600))).claim("vm-1");

    assertThat(((Rejected) result).reason()).isEqualTo(Reason.CONTENDED);
    assertThat(ticker.pauses())
        .extracting(Duration::toMillis)
        .containsExactly(100L, 200L, 400L, 800L, 1_000L, 1_000L);
    assertThat(server.asked()).hasSize(7);
  }

  @Test
  void claimThatIsCutOffIsRepeatedUntilTheDeadline() {
    ScriptedServer server = server(problem(503, "blocks-not-renewed", "Retry-After", "5"));

    ClaimResult result =
        pool(MintmarkClient.builder(server.uri()).deadline(Duration.ofSeconds(12))).claim("vm-1");

    assertThat(((Rejected) result).reason()).isEqualTo(Reason.CUT_OFF);
    assertThat(ticker.pauses()).containsExactly(Duration.ofSeconds(5), Duration.ofSeconds(5));
  }

  @ParameterizedTest
  @CsvSource({"3, 3000", "0, 100", "soon, 100", "-3, 100", "'', 100"})
  void retryAfterIsHonoured(String after, long millis) {
    ScriptedServer server = server(answer(503, "text/html", "", "Retry-After", after), GRANTED);

    assertThat(pool(server.uri()).claim("vm-1")).isInstanceOf(Granted.class);
    assertThat(ticker.pauses()).containsExactly(Duration.ofMillis(millis));
  }

  /** A date counts from the Date of the answer, or without one from the clock of this machine. */
  @ParameterizedTest
  @CsvSource({
    "'Sun, 22 Nov 2026 12:00:07 GMT', 'Sun, 22 Nov 2026 12:00:02 GMT', 5",
    "'Sun, 22 Nov 2026 12:00:07 GMT', yesterday, 7",
    "'Sun, 22 Nov 2026 11:00:00 GMT', yesterday, 0",
    "'Sun, 22 Nov 2099 11:00:00 GMT', yesterday, 86400",
  })
  void retryAfterCanBeADate(String after, String date, long seconds) {
    HttpHeaders headers =
        HttpHeaders.of(
            Map.of("Retry-After", List.of(after), "Date", List.of(date)), (name, value) -> true);

    assertThat(RetryAfter.of(headers, () -> Instant.parse("2026-11-22T12:00:00Z")))
        .contains(Duration.ofSeconds(seconds));
  }

  @ParameterizedTest
  @ValueSource(strings = {"21", "99999999999999999999999999", "Sun, 22 Nov 2099 12:00:07 GMT"})
  void noPauseIsLongerThanTheDeadline(String after) {
    ScriptedServer server = server(problem(429, "rate-limited", "Retry-After", after));

    ClaimResult result = pool(server.uri()).claim("vm-1");

    assertThat(((Rejected) result).reason()).isEqualTo(Reason.TOO_MANY_CLAIMS);
    assertThat(((Rejected) result).problem().retryAfter())
        .hasValueSatisfying(
            length -> assertThat(length).isBetween(Duration.ofSeconds(21), RetryAfter.MAX));
    assertThat(server.asked()).hasSize(1);
  }

  @Test
  void serversAreTriedInTurnWithoutAPause() throws IOException {
    ScriptedServer down = server(answer(502, "text/html", ""));
    ScriptedServer up = server(GRANTED);
    Pool pool = pool(nobody(), down.uri(), up.uri());

    pool.claim("vm-1");
    pool.claim("vm-2");

    assertThat(ticker.pauses()).isEmpty();
    assertThat(down.asked()).as("the one that answered is asked first").hasSize(1);
    assertThat(up.asked()).hasSize(2);
  }

  /** An ingress without a backend, and a page to sign in. */
  @Test
  void aServerThatAnotherProgramAnswersForIsPassedOver() {
    ScriptedServer ingress = server(answer(404, "text/plain", "default backend - 404"));
    ScriptedServer login = server(answer(200, "text/html", "<html>"));
    ScriptedServer up = server(GRANTED);
    Pool pool = pool(ingress.uri(), login.uri(), up.uri());

    assertThat(pool.claim("vm-1")).isInstanceOf(Granted.class);
    assertThat(pool.claim("vm-2")).isInstanceOf(Granted.class);

    assertThat(ticker.pauses()).isEmpty();
    assertThat(ingress.asked()).hasSize(1);
    assertThat(login.asked()).hasSize(1);
    assertThat(up.asked()).hasSize(2);
  }

  @Test
  void whenAnotherProgramAnswersForAllServersTheRequestEnds() {
    ScriptedServer ingress = server(answer(404, "text/plain", "default backend - 404"));
    ScriptedServer login = server(answer(200, "text/html", "<html>"));
    Pool pool = pool(ingress.uri(), login.uri());

    assertThatExceptionOfType(AnswerException.class)
        .isThrownBy(() -> pool.claim("vm-1"))
        .satisfies(e -> assertThat(e.status()).isEqualTo(200));
    assertThat(ticker.pauses()).isEmpty();
    assertThat(ingress.asked()).hasSize(1);
  }

  @Test
  void aServerThatIsDownIsTriedAgainAlthoughTheOthersAreHopeless() {
    ScriptedServer ingress = server(answer(404, "text/plain", "default backend - 404"));
    ScriptedServer down = server(answer(503, "text/html", ""), GRANTED);

    assertThat(pool(ingress.uri(), down.uri()).claim("vm-1")).isInstanceOf(Granted.class);
    assertThat(ticker.pauses()).containsExactly(Duration.ofMillis(100));
    assertThat(ingress.asked()).hasSize(2);
  }

  @Test
  void whenAllServersHaveFailedTheyAreTriedAgainAfterAPause() throws IOException {
    ScriptedServer server =
        server(answer(503, "text/html", ""), answer(503, "text/html", ""), GRANTED);

    assertThat(pool(nobody(), server.uri()).claim("vm-1")).isInstanceOf(Granted.class);
    assertThat(ticker.pauses()).containsExactly(Duration.ofMillis(100), Duration.ofMillis(200));
  }

  @Test
  void nobodyThereIsUnavailable() throws IOException {
    Pool pool = pool(nobody());

    assertThatExceptionOfType(UnavailableException.class)
        .isThrownBy(() -> pool.claim("vm-1"))
        .withMessageStartingWith("no answer: java.net.ConnectException")
        .withCauseInstanceOf(IOException.class);
    assertThat(ticker.pauses()).hasSizeGreaterThan(4);
  }

  @Test
  void aConnectionThatIsClosedWithoutAnAnswerIsTriedAgain() {
    ScriptedServer server = server(exchange -> {}, GRANTED);

    assertThat(pool(server.uri()).claim("vm-1")).isInstanceOf(Granted.class);
    assertThat(server.asked()).hasSizeGreaterThanOrEqualTo(2);
  }

  /** Nothing of the answer arrives, or its headers and a beginning of its body. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void anAnswerThatTakesTooLongIsAskedForAgain(boolean begins) {
    ScriptedServer server =
        server(
            exchange -> {
              if (begins) {
                exchange.getResponseHeaders().set("Content-Type", "application/json");
                exchange.sendResponseHeaders(201, 100);
                exchange.getResponseBody().write('{');
                exchange.getResponseBody().flush();
              }
              hang();
            },
            GRANTED);
    MintmarkClient.Builder builder =
        MintmarkClient.builder(server.uri()).answerTimeout(Duration.ofMillis(300));

    // The first connection of a JVM can take longer than that, so there may be further attempts.
    assertThat(pool(builder).claim("vm-1")).isInstanceOf(Granted.class);
    assertThat(server.asked()).hasSizeGreaterThanOrEqualTo(2);
  }

  /** Until the server stops its threads. */
  private static void hang() {
    try {
      Thread.sleep(Long.MAX_VALUE);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** A clock of a thread that is interrupted when it pauses. */
  private record InterruptedTicker(Ticker ticker) implements Ticker {
    @Override
    public long nanos() {
      return ticker.nanos();
    }

    @Override
    public void sleep(Duration length) throws InterruptedException {
      Thread.currentThread().interrupt();
      ticker.sleep(length);
    }
  }

  @Test
  void anInterruptEndsTheRequest() {
    ScriptedServer server = server(GRANTED);
    Pool pool = pool(server.uri());

    Thread.currentThread().interrupt();
    assertThatExceptionOfType(InterruptedCallException.class).isThrownBy(() -> pool.claim("vm-1"));
    assertThat(Thread.interrupted()).as("it is still interrupted").isTrue();
  }

  @Test
  void anInterruptEndsThePause() {
    ScriptedServer server = server(answer(503, "text/html", ""));
    Pool pool = server.pool(new InterruptedTicker(ticker));

    assertThatExceptionOfType(InterruptedCallException.class).isThrownBy(() -> pool.claim("vm-1"));
    assertThat(Thread.interrupted()).isTrue();
    assertThat(server.asked()).hasSize(1);
  }

  @Test
  void eachAttemptAsksForTheKey() {
    ScriptedServer server = server(problem(503, "access-unavailable"), GRANTED);
    AtomicInteger number = new AtomicInteger();

    pool(MintmarkClient.builder(server.uri()).apiKey(() -> "mmk_" + number.incrementAndGet()))
        .claim("vm-1");

    assertThat(server.asked())
        .extracting(Asked::keys)
        .containsExactly(List.of("Bearer mmk_1"), List.of("Bearer mmk_2"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "mmk_1\r\nX: y", "mmk_\u00e4"})
  void aMalformedKeyIsInNoMessage(String key) {
    ScriptedServer server = server(GRANTED);

    assertThatIllegalArgumentException()
        .isThrownBy(() -> pool(MintmarkClient.builder(server.uri()).apiKey(key)).claim("vm-1"))
        .withMessage(
            "the API key is malformed: expected visible ASCII characters, got %d characters"
                .formatted(key.length()))
        .withNoCause();
    assertThat(server.asked()).isEmpty();
  }
}
