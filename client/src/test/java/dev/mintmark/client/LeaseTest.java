package dev.mintmark.client;

import static dev.mintmark.client.ScriptedServer.CLAIM;
import static dev.mintmark.client.ScriptedServer.interrupting;
import static dev.mintmark.client.ScriptedServer.json;
import static dev.mintmark.client.ScriptedServer.problem;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.mintmark.fixtures.Patience;
import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** How long a claim is trusted that is kept alive. The tests move the clock of the client. */
class LeaseTest {
  private static final Duration LEASE = Duration.ofSeconds(60);

  private final ScriptedServer server = new ScriptedServer(json(200, CLAIM));
  private final ManualTicker ticker = new ManualTicker(false);
  private final BlockingQueue<LeaseLoss> losses = new LinkedBlockingQueue<>();

  private final Pool pool = server.pool(ticker);

  @AfterEach
  void stop() {
    server.close();
  }

  private Lease keepAlive() {
    return pool.keepAlive(pool.claim("vm-1").orElseThrow(), LEASE, losses::add);
  }

  private LeaseLoss awaitLoss() throws InterruptedException {
    LeaseLoss loss = losses.poll(Patience.MAX.toSeconds(), TimeUnit.SECONDS);
    assertThat(loss).isNotNull();
    return loss;
  }

  @Test
  void itIsRenewedAtEachThirdOfItsLease() throws InterruptedException {
    Lease lease = keepAlive();
    assertThat(server.asked()).as("a claim, and a renewal at once").hasSize(2);
    assertThat(lease.remaining()).isEqualTo(Duration.ofSeconds(57));

    for (int renewals = 2; renewals < 5; renewals++) {
      ticker.awaitSleeper();
      ticker.advance(Duration.ofSeconds(19));
      assertThat(server.asked()).hasSize(renewals);
      ticker.advance(Duration.ofSeconds(1));
      awaitRequests(renewals + 1);
    }

    ticker.awaitSleeper();
    assertThat(lease.isHeld()).isTrue();
    assertThat(lease.remaining()).isEqualTo(Duration.ofSeconds(57));
    assertThat(server.asked().get(4).body()).isEqualTo("{\"lease\":\"1m\"}");
    assertThat(lease).hasToString("Lease[codes, 7, remaining=57s]");
  }

  @Test
  void itIsNotTrustedToTheEndEvenIfItsThreadDoesNotRun() throws InterruptedException {
    Lease lease = keepAlive();
    server.next(problem(503, "pool-unavailable"));

    ticker.advance(Duration.ofMillis(56_999));
    assertThat(lease.isHeld()).isTrue();
    ticker.advance(Duration.ofMillis(1));
    assertThat(lease.isHeld()).isFalse();
    assertThat(lease.remaining()).isZero();

    // Its thread may only now begin the pause after an attempt.
    Patience.await(
        "a loss",
        () -> {
          ticker.advance(Duration.ofMillis(1));
          return !losses.isEmpty();
        });
    LeaseLoss loss = awaitLoss();
    assertThat(loss.reason()).isEqualTo(LeaseLoss.Reason.NOT_RENEWED);
    assertThat(loss.claim()).isEqualTo(lease.claim());
    assertThat(lease.loss()).contains(loss);
  }

  /** The server holds the claim from when it got the request, which is not before it was sent. */
  @Test
  void theTimeOfTheAnswerDoesNotCount() {
    server.next(
        exchange -> {
          if (exchange.getRequestURI().getPath().endsWith("/renewal")) {
            ticker.advance(Duration.ofSeconds(10));
          }
          json(200, CLAIM).to(exchange);
        });

    assertThat(keepAlive().remaining()).isEqualTo(Duration.ofSeconds(47));
  }

  @ParameterizedTest
  @CsvSource({"404, claim-not-found, NOT_HELD", "412, token-superseded, SUPERSEDED"})
  void theServerSaysThatItIsLost(int status, String code, LeaseLoss.Reason reason)
      throws InterruptedException {
    Lease lease = keepAlive();
    server.next(problem(status, code));
    ticker.awaitSleeper();
    ticker.advance(Duration.ofSeconds(20));

    assertThat(awaitLoss().reason()).isEqualTo(reason);
    assertThat(lease.isHeld()).isFalse();
    int asked = server.asked().size();
    lease.close();
    assertThat(server.asked()).as("a lost claim is not released").hasSize(asked);
  }

  @Test
  void anotherProblemIsTriedAgainUntilTheEnd() throws InterruptedException {
    Lease lease = keepAlive();
    server.next(problem(401, "key-rejected"));
    ticker.awaitSleeper();
    ticker.advance(Duration.ofSeconds(20));
    awaitRequests(3);
    ticker.awaitSleeper();
    server.next(json(200, CLAIM));
    ticker.advance(Duration.ofSeconds(1));
    awaitRequests(4);
    ticker.awaitSleeper();

    assertThat(lease.isHeld()).isTrue();
    assertThat(lease.remaining()).isEqualTo(Duration.ofSeconds(57));
    assertThat(losses).isEmpty();
  }

  @Test
  void anErrorOfTheSupplierOfKeysIsTriedAgainUntilTheEnd() throws InterruptedException {
    AtomicBoolean fails = new AtomicBoolean();
    Pool own = server.pool(ticker, ScriptedServer.keysThatFail(fails));
    Lease lease = own.keepAlive(own.claim("vm-1").orElseThrow(), LEASE, losses::add);
    ticker.awaitSleeper();
    fails.set(true);
    ticker.advance(Duration.ofSeconds(20));
    Patience.await("a failure", () -> !fails.get());
    ticker.awaitSleeper();
    ticker.advance(Duration.ofSeconds(1));
    awaitRequests(3);
    ticker.awaitSleeper();
    assertThat(lease.remaining()).isEqualTo(Duration.ofSeconds(57));
    assertThat(losses).isEmpty();
  }

  @Test
  void closingReleasesOnce() {
    Lease lease = keepAlive();
    server.next(json(204, ""));
    lease.close();
    lease.close();

    assertThat(lease.isHeld()).isFalse();
    assertThat(lease.loss()).isEmpty();
    assertThat(server.asked()).hasSize(3);
    assertThat(server.asked().get(2).method()).isEqualTo("DELETE");
    assertThat(losses).isEmpty();
  }

  @Test
  void closingAgainAfterAnInterruptReleases() {
    Lease lease = keepAlive();
    server.next(json(204, ""));
    Thread.currentThread().interrupt();
    assertThatExceptionOfType(InterruptedCallException.class).isThrownBy(lease::close);
    assertThat(Thread.interrupted()).as("it is still interrupted").isTrue();
    assertThat(lease.isHeld()).isFalse();

    lease.close();
    lease.close();

    assertThat(server.asked()).hasSize(3);
    assertThat(server.asked().get(2).method()).isEqualTo("DELETE");
  }

  /** While it waits for the answer to its release. */
  @Test
  void closingAgainAfterAnInterruptOfTheReleaseReleases() {
    Lease lease = keepAlive();
    server.answers(interrupting(Thread.currentThread()), json(204, ""));
    assertThatExceptionOfType(InterruptedCallException.class).isThrownBy(lease::close);
    assertThat(Thread.interrupted()).isTrue();

    lease.close();

    assertThat(server.asked()).hasSize(4);
    assertThat(server.asked().get(3).method()).isEqualTo("DELETE");
  }

  @Test
  void aClaimThatIsLostAlreadyIsNotKept() {
    Claim claim = pool.claim("vm-1").orElseThrow();
    server.next(problem(404, "claim-not-found"));

    assertThatExceptionOfType(ProblemException.class)
        .isThrownBy(() -> pool.keepAlive(claim, LEASE))
        .satisfies(e -> assertThat(e.code()).isEqualTo("claim-not-found"));
  }

  @Test
  void theLeaseOfThePoolIsRead() {
    Claim claim = pool.claim("vm-1").orElseThrow();
    server.next(
        exchange -> {
          boolean isPool = exchange.getRequestURI().getPath().equals("/v1/pools/codes");
          json(200, isPool ? "{\"lease\": \"20s\"}" : CLAIM).to(exchange);
        });

    assertThat(pool.keepAlive(claim).remaining()).isEqualTo(Duration.ofSeconds(19));
  }

  private void awaitRequests(int count) throws InterruptedException {
    long start = System.nanoTime();
    while (server.asked().size() < count) {
      if (System.nanoTime() - start > Patience.MAX.toNanos()) {
        throw new AssertionError("no request came");
      }
      Thread.sleep(5);
    }
  }
}
