package dev.mintmark.client;

import static dev.mintmark.client.ScriptedServer.interrupting;
import static dev.mintmark.client.ScriptedServer.json;
import static dev.mintmark.client.ScriptedServer.problem;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.mintmark.client.ScriptedServer.Answer;
import dev.mintmark.fixtures.Patience;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** How long claims are trusted that are kept alive together. The tests move the clock. */
class SessionTest {
  private static final Duration LEASE = Duration.ofSeconds(60);

  private final ScriptedServer server = new ScriptedServer(json(201, claim(7, 12)));
  private final ManualTicker ticker = new ManualTicker(false);
  private final BlockingQueue<LeaseLoss> losses = new LinkedBlockingQueue<>();

  private final Pool pool = server.pool(ticker);

  private final Session session = pool.session(LEASE, losses::add);

  @AfterEach
  void stop() {
    server.next(json(204, ""));
    session.close();
    server.close();
  }

  private static String claim(int value, long token) {
    return ScriptedServer.CLAIM
        .replace("\"value\": \"7\"", "\"value\": \"" + value + "\"")
        .replace("\"token\": \"12\"", "\"token\": \"" + token + "\"");
  }

  private static String kept(String renewed, String lost) {
    return "{\"renewed\": [%s], \"lost\": [%s]}".formatted(renewed, lost);
  }

  private Claim granted(int value, long token) {
    server.next(json(201, claim(value, token)));
    return session.claim("vm-" + value).orElseThrow();
  }

  /** Moves to the next round of renewals, and waits until it is over. */
  private void round() throws InterruptedException {
    ticker.awaitSleeper();
    int asked = server.asked().size();
    ticker.advance(LEASE.dividedBy(3));
    Patience.await("a request", () -> server.asked().size() > asked);
    ticker.awaitSleeper();
  }

  private ScriptedServer.Asked lastAsked() {
    return server.asked().get(server.asked().size() - 1);
  }

  @Test
  void allClaimsAreRenewedWithOneRequestAtEachThirdOfTheLease() throws InterruptedException {
    Claim seven = granted(7, 12);
    Claim eight = granted(8, 13);
    assertThat(server.asked().get(0).body()).isEqualTo("{\"lease\":\"1m\",\"client\":\"vm-7\"}");
    server.next(json(200, kept(claim(7, 12) + "," + claim(8, 13), "")));

    for (int i = 0; i < 5; i++) {
      round();
    }

    assertThat(server.asked()).hasSize(7);
    assertThat(lastAsked().uri()).isEqualTo("/v1/pools/codes/keep-alive");
    assertThat(lastAsked().body())
        .contains("\"lease\":\"1m\"")
        .contains("\"7\"", "\"12\"", "\"8\"", "\"13\"");
    assertThat(session.isHeld(seven)).isTrue();
    assertThat(session.claims()).extracting(Claim::value).containsExactlyInAnyOrder("7", "8");
    assertThat(session).hasToString("Session[codes, claims=2]");
    server.next(problem(503, "pool-unavailable"));
    ticker.advance(Duration.ofMillis(56_999));
    assertThat(session.isHeld(eight)).isTrue();
    ticker.advance(Duration.ofMillis(1));
    assertThat(session.isHeld(eight)).as("even if its thread does not run").isFalse();
  }

  @Test
  void aClaimThatIsLostIsReportedAndTheOthersAreKept() throws InterruptedException {
    Claim seven = granted(7, 12);
    Claim eight = granted(8, 13);
    server.next(json(200, kept(claim(8, 13), "{\"value\": \"7\", \"token\": \"12\"}")));

    round();

    LeaseLoss loss = losses.poll(Patience.MAX.toSeconds(), TimeUnit.SECONDS);
    assertThat(loss.claim()).isEqualTo(seven);
    assertThat(loss.reason()).isEqualTo(LeaseLoss.Reason.NOT_HELD);
    assertThat(session.isHeld(seven)).isFalse();
    assertThat(session.isHeld(eight)).isTrue();
    round();
    assertThat(lastAsked().body()).contains("\"8\"").doesNotContain("\"7\"");
    assertThat(losses).isEmpty();
  }

  private static void failWithAnException(LeaseLoss loss) {
    throw new IllegalStateException("of the program");
  }

  private static void failWithAnError(LeaseLoss loss) {
    throw new NoClassDefFoundError("of the program");
  }

  private static void failInterrupted(LeaseLoss loss) {
    Thread.currentThread().interrupt();
    throw new IllegalStateException("of the program");
  }

  private static Stream<Consumer<LeaseLoss>> callbacksThatFail() {
    return Stream.of(
        SessionTest::failWithAnException,
        SessionTest::failWithAnError,
        SessionTest::failInterrupted);
  }

  @ParameterizedTest
  @MethodSource("callbacksThatFail")
  void aCallbackThatFailsEndsNothing(Consumer<LeaseLoss> callback) throws InterruptedException {
    BlockingQueue<Throwable> reported = new LinkedBlockingQueue<>();
    Thread.setDefaultUncaughtExceptionHandler(
        (thread, failure) -> {
          reported.add(failure);
          throw new IllegalStateException("of the handler");
        });
    try (Session other = pool.session(LEASE, callback)) {
      server.next(json(201, claim(7, 12)));
      Claim seven = other.claim("vm-7").orElseThrow();
      server.next(json(201, claim(8, 13)));
      Claim eight = other.claim("vm-8").orElseThrow();
      server.next(json(200, kept(claim(8, 13), "{\"value\": \"7\", \"token\": \"12\"}")));

      ticker.awaitSleepers(2);
      ticker.advance(LEASE.dividedBy(3));

      assertThat(reported.poll(Patience.MAX.toSeconds(), TimeUnit.SECONDS))
          .hasMessage("of the program");
      assertThat(other.isHeld(seven)).isFalse();
      ticker.awaitSleepers(2);
      ticker.advance(LEASE.dividedBy(3));
      Patience.await("another renewal", () -> server.asked().size() == 4);
      ticker.awaitSleepers(2);
      assertThat(other.isHeld(eight)).isTrue();
      server.next(json(204, ""));
    } finally {
      Thread.setDefaultUncaughtExceptionHandler(null);
    }
  }

  @Test
  void withoutARenewalInTimeEveryClaimIsLost() throws InterruptedException {
    granted(7, 12);
    granted(8, 13);
    server.next(problem(500, "internal-error"));
    ticker.awaitSleeper();

    ticker.advance(Duration.ofSeconds(57));

    List<LeaseLoss> lost =
        List.of(
            losses.poll(Patience.MAX.toSeconds(), TimeUnit.SECONDS),
            losses.poll(Patience.MAX.toSeconds(), TimeUnit.SECONDS));
    assertThat(lost).allMatch(loss -> loss.reason() == LeaseLoss.Reason.NOT_RENEWED);
    assertThat(lost.get(0).cause().orElseThrow()).isInstanceOf(MintmarkException.class);
    assertThat(session.claims()).isEmpty();
  }

  @Test
  void aFailedRenewalIsRepeated() throws InterruptedException {
    Claim seven = granted(7, 12);
    server.next(problem(500, "internal-error"));
    round();
    server.next(json(200, kept(claim(7, 12), "")));

    ticker.advance(Term.PAUSE_MAX);
    Patience.await("a renewal", () -> server.asked().size() == 3);
    ticker.awaitSleeper();
    ticker.advance(Duration.ofSeconds(50));

    assertThat(session.isHeld(seven)).isTrue();
    assertThat(losses).isEmpty();
  }

  @Test
  void anErrorOfTheSupplierOfKeysEndsNothing() throws InterruptedException {
    AtomicBoolean fails = new AtomicBoolean();
    Pool own = server.pool(ticker, ScriptedServer.keysThatFail(fails));
    try (Session other = own.session(LEASE, losses::add)) {
      Claim seven = other.claim("vm-7").orElseThrow();
      server.next(json(200, kept(claim(7, 12), "")));
      ticker.awaitSleepers(2);
      fails.set(true);
      ticker.advance(LEASE.dividedBy(3));
      Patience.await("a failure", () -> !fails.get());
      ticker.awaitSleepers(2);

      ticker.advance(Term.PAUSE_MAX);
      Patience.await("a renewal", () -> server.asked().size() == 2);
      ticker.awaitSleepers(2);
      ticker.advance(Duration.ofSeconds(50));

      assertThat(other.isHeld(seven)).isTrue();
      assertThat(losses).isEmpty();
      server.next(json(204, ""));
    }
  }

  @Test
  void whatTheClientHoldsAlreadyIsRenewedAtOnce() {
    server.answers(json(200, claim(7, 12)), json(200, kept(claim(7, 12), "")));

    Claim claim = session.claim("vm-7").orElseThrow();

    assertThat(session.isHeld(claim)).isTrue();
    assertThat(server.asked()).hasSize(2);
    assertThat(lastAsked().uri()).endsWith("/keep-alive");
  }

  @Test
  void aClaimThatEndsBeforeItIsRenewedIsMadeAgain() {
    server.answers(
        json(200, claim(7, 12)),
        json(200, kept("", "{\"value\": \"7\", \"token\": \"12\"}")),
        json(201, claim(8, 13)));

    assertThat(session.claim("vm-7").orElseThrow().value()).isEqualTo("8");
    assertThat(session.claims()).hasSize(1);
  }

  @Test
  void manyClientsClaimWithOneRequest() {
    server.answers(
        json(
            200,
            """
            {"outcomes": [
              {"client": "a", "status": 201, "claim": %s, "code": null, "detail": null, "retry_after": null},
              {"client": "b", "status": 409, "claim": null, "code": "pool-exhausted", "detail": "none", "retry_after": 3}]}
            """
                .formatted(claim(7, 12))));

    Map<String, ClaimResult> results =
        session.claimAll(List.of("a", "b"), ClaimOptions.DEFAULT.withOwner("acme"));

    assertThat(results.keySet()).containsExactlyInAnyOrder("a", "b");
    assertThat(session.claims()).extracting(Claim::value).containsExactly("7");
  }

  private static String outcome(int value, long token) {
    return """
        {"outcomes": [
          {"client": "vm-%s", "status": 201, "claim": %s, "code": null, "detail": null, "retry_after": null}]}
        """
        .formatted(value, claim(value, token));
  }

  private Answer after(Duration time, Answer answer) {
    return exchange -> {
      ticker.advance(time);
      answer.to(exchange);
    };
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aLeaseCountsFromTheAttemptThatWasGranted(boolean many) {
    server.next(many ? json(200, outcome(7, 12)) : json(201, claim(7, 12)));
    Answer late = after(Duration.ofSeconds(15), problem(503, "values-contended"));
    try (ScriptedServer busy = new ScriptedServer(late);
        Session other =
            ScriptedServer.pool(ticker, () -> "mmk_test", busy.uri(), server.uri())
                .session(Duration.ofSeconds(10))) {
      ClaimResult result =
          many
              ? other.claimAll(List.of("vm-7"), ClaimOptions.DEFAULT).values().iterator().next()
              : other.claim("vm-7");

      assertThat(busy.asked()).hasSize(1);
      assertThat(other.isHeld(result.orElseThrow())).isTrue();
      ticker.advance(Duration.ofMillis(9_500));
      assertThat(other.isHeld(result.orElseThrow())).isFalse();
      server.next(json(204, ""));
    }
  }

  /** The others were held before, with leases that began at an earlier time. */
  @Test
  void ofSeveralClaimsEachIsRenewedAlthoughOneWasGranted() {
    String claims = claim(7, 12) + "," + claim(8, 13);
    server.answers(json(201, "{\"claims\": [%s]}".formatted(claims)), json(200, kept(claims, "")));

    ClaimResult result = session.claim("vm-7", ClaimOptions.DEFAULT.withCount(2));

    assertThat(result.claims()).hasSize(2).allMatch(session::isHeld);
    assertThat(server.asked()).hasSize(2);
    assertThat(lastAsked().uri()).endsWith("/keep-alive");
  }

  @Test
  void whatIsReleasedIsNotRenewedAndNotLost() throws InterruptedException {
    Claim seven = granted(7, 12);
    Claim eight = granted(8, 13);
    server.next(json(204, ""));
    assertThat(session.release(seven)).isInstanceOf(ReleaseResult.Released.class);
    assertThat(session.isHeld(seven)).isFalse();
    server.next(json(200, kept(claim(8, 13), "")));

    round();

    assertThat(lastAsked().body()).doesNotContain("\"7\"");
    assertThat(session.isHeld(eight)).isTrue();
    assertThat(losses).isEmpty();
  }

  @Test
  void closingReleasesEveryClaim() {
    Claim seven = granted(7, 12);
    granted(8, 13);
    server.next(json(204, ""));

    session.close();
    session.close();

    assertThat(server.asked().subList(2, 4))
        .extracting(ScriptedServer.Asked::method)
        .containsExactly("DELETE", "DELETE");
    assertThat(server.asked()).hasSize(4);
    assertThat(session.isHeld(seven)).isFalse();
    assertThatIllegalStateException()
        .isThrownBy(() -> session.claim("vm-9"))
        .withMessage("the session of pool \"codes\" is closed");
    assertThat(losses).isEmpty();
  }

  @Test
  void closingAgainAfterAnInterruptReleasesEveryClaim() {
    Claim seven = granted(7, 12);
    var unused = granted(8, 13);
    server.answers(interrupting(Thread.currentThread()), json(204, ""));
    Thread.currentThread().interrupt();
    assertThatExceptionOfType(InterruptedCallException.class).isThrownBy(session::close);
    assertThat(Thread.interrupted()).as("it is still interrupted").isTrue();
    assertThat(session.isHeld(seven)).isFalse();
    assertThat(server.asked()).hasSize(2);

    assertThatExceptionOfType(InterruptedCallException.class).isThrownBy(session::close);
    assertThat(Thread.interrupted()).isTrue();
    assertThat(server.asked()).as("the release whose answer did not come").hasSize(3);

    session.close();

    assertThat(server.asked().subList(3, 5))
        .extracting(ScriptedServer.Asked::method)
        .containsExactly("DELETE", "DELETE");
    assertThat(server.asked()).hasSize(5);
  }

  @Test
  void closingGivesUpWhenNothingIsReleasedUntilTheDeadline() {
    for (int value = 7; value < 10; value++) {
      var unused = granted(value, value);
    }
    server.next(after(Duration.ofSeconds(20), problem(503, "database-unavailable")));

    assertThatExceptionOfType(ProblemException.class).isThrownBy(session::close);

    assertThat(server.asked()).hasSize(4);
    assertThat(session.claims()).isEmpty();
  }

  @Test
  void closingGoesOnWhileClaimsAreReleased() {
    try (ScriptedServer next = new ScriptedServer(json(204, ""))) {
      Session other =
          ScriptedServer.pool(ticker, () -> "mmk_test", server.uri(), next.uri()).session(LEASE);
      for (int value = 7; value < 10; value++) {
        server.next(json(201, claim(value, value)));
        var unused = other.claim("vm-" + value);
      }
      server.answers(
          after(Duration.ofSeconds(15), json(204, "")),
          after(Duration.ofSeconds(15), problem(503, "database-unavailable")));

      other.close();

      assertThat(server.asked()).hasSize(5);
      assertThat(next.asked()).hasSize(2);
    }
  }

  @Test
  void theLeaseIsThatOfTheSession() {
    ClaimOptions options = ClaimOptions.DEFAULT.withLease(Duration.ofHours(1));

    assertThatIllegalArgumentException()
        .isThrownBy(() -> session.claim("vm-7", options))
        .withMessage("a claim of a session has the lease of the session, 1m");
    assertThatIllegalArgumentException().isThrownBy(() -> pool.session(Duration.ofMillis(1)));
  }
}
