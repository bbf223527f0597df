package dev.mintmark.verify;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.mintmark.client.Claim;
import dev.mintmark.client.ClaimFilter;
import dev.mintmark.client.ClaimNote;
import dev.mintmark.client.ClaimOptions;
import dev.mintmark.client.ClaimResult;
import dev.mintmark.client.ClaimResult.AlreadyHeld;
import dev.mintmark.client.ClaimResult.Granted;
import dev.mintmark.client.ClaimResult.Reason;
import dev.mintmark.client.ClaimResult.Rejected;
import dev.mintmark.client.Lease;
import dev.mintmark.client.LeaseLoss;
import dev.mintmark.client.MintmarkClient;
import dev.mintmark.client.NotHeld;
import dev.mintmark.client.NoteResult;
import dev.mintmark.client.Pool;
import dev.mintmark.client.ProblemException;
import dev.mintmark.client.ReleaseResult;
import dev.mintmark.client.RenewResult;
import dev.mintmark.client.Session;
import dev.mintmark.client.SteeredClock;
import dev.mintmark.client.Superseded;
import dev.mintmark.fixtures.Patience;
import dev.mintmark.fixtures.Ports;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The client for Java and a server that runs. */
@Tag("long")
class ClientIT {
  private static Path directory;
  private static RunningServer server;

  @BeforeAll
  static void start(@TempDir Path temporary) {
    directory = temporary;
    server = RunningServer.start(Mintmark.in(directory), directory.resolve("data"));
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  /** A pool of consecutive numbers. */
  private static Pool pool(String name, int values, String settings, URI... servers) {
    HttpApi.Answer created =
        server
            .http()
            .post(
                "/v1/pools",
                "{\"name\": \"%s\", \"range\": \"1..%d\"%s}".formatted(name, values, settings));
    assertThat(created.status()).as(created.body()).isEqualTo(201);
    return client(servers.length == 0 ? new URI[] {server.console()} : servers).pool(name);
  }

  private static MintmarkClient client(URI... servers) {
    return MintmarkClient.builder(servers)
        .answerTimeout(Patience.MAX)
        .deadline(Patience.MAX)
        .build();
  }

  @Test
  void aClaimIsMadeFoundRenewedWrittenAboutAndReleased() {
    Pool pool = pool("single", 3, ", \"lease\": \"1h\"");
    ClaimNote note = ClaimNote.of(Map.of("rack", "b7")).withDescription("the ä one");

    ClaimResult first = pool.claim("vm/1 ä", ClaimOptions.DEFAULT.withOwner("acme").withNote(note));
    ClaimResult second = pool.claim("vm/1 ä");
    Claim claim = first.orElseThrow();

    assertThat(first).isInstanceOf(Granted.class);
    assertThat(second).isInstanceOf(AlreadyHeld.class);
    assertThat(second.orElseThrow().token()).isEqualTo(claim.token());
    assertThat(claim.client()).isEqualTo("vm/1 ä");
    assertThat(claim.owner()).contains("acme");
    assertThat(claim.note()).contains(note);
    assertThat(claim.expiresAt()).contains(claim.claimedAt().plus(Duration.ofHours(1)));
    assertThat(pool.find(claim.value())).contains(claim);
    assertThat(pool.claims(ClaimFilter.ofClient("vm/1 ä"))).containsExactly(claim);
    assertThat(pool.claims(ClaimFilter.ALL.withLabel("rack", "b7"))).containsExactly(claim);
    assertThat(pool.claims(ClaimFilter.ofOwner("other"))).isEmpty();

    assertThat(pool.renew(claim.value(), claim.token(), Optional.of(Duration.ofHours(2))))
        .isInstanceOfSatisfying(
            RenewResult.Renewed.class,
            renewed -> assertThat(renewed.claim().expiresAt()).isNotEqualTo(claim.expiresAt()));
    assertThat(pool.setNote(claim, ClaimNote.NONE)).isEqualTo(new NoteResult.Noted(ClaimNote.NONE));
    assertThat(pool.renew(claim.value(), claim.token() + 1, Optional.empty()))
        .isEqualTo(new Superseded("single", claim.value()));
    assertThat(pool.release(claim)).isEqualTo(new ReleaseResult.Released("single", claim.value()));
    assertThat(pool.release(claim)).isEqualTo(new NotHeld("single", claim.value()));
    assertThat(pool.find(claim.value())).isEmpty();
  }

  @Test
  void rejectionsHaveTheirReasons() {
    Pool pool = pool("small", 2, ", \"lease\": \"1h\", \"per_client\": 2");

    ClaimResult both = pool.claim("a", ClaimOptions.DEFAULT.withCount(2));
    ClaimResult none = pool.claim("b");
    ClaimResult taken = pool.claim("b", ClaimOptions.DEFAULT.withValue("1"));
    ClaimResult tooMany = pool.claim("a", ClaimOptions.DEFAULT.withSlot(2));

    assertThat(both.claims()).extracting(Claim::slot).containsExactly(0, 1);
    assertThat(reason(none)).isEqualTo(Reason.EXHAUSTED);
    assertThat(((Rejected) none).problem().retryAfter()).isPresent();
    assertThat(reason(taken)).isEqualTo(Reason.VALUE_TAKEN);
    assertThat(reason(tooMany)).isEqualTo(Reason.QUOTA_REACHED);
    Pool nowhere = client(server.console()).pool("nowhere");
    assertThatExceptionOfType(ProblemException.class)
        .isThrownBy(() -> nowhere.claim("a"))
        .satisfies(e -> assertThat(e.code()).isEqualTo("pool-not-found"));
  }

  private static Reason reason(ClaimResult result) {
    return ((Rejected) result).reason();
  }

  @Test
  void manyClientsClaimAtOnceAndAreListedPageByPage() {
    Pool pool = pool("many", 1_023, "");
    List<String> clients = IntStream.range(0, 1_024).mapToObj(i -> "vm-" + i).toList();

    Map<String, ClaimResult> results = pool.claimAll(clients);
    Map<String, ClaimResult> again = pool.claimAll(clients);

    assertThat(results.keySet()).containsExactlyElementsOf(clients);
    List<ClaimResult> granted =
        results.values().stream().filter(Granted.class::isInstance).toList();
    assertThat(granted).hasSize(1_023);
    assertThat(results.values())
        .filteredOn(Rejected.class::isInstance)
        .singleElement()
        .satisfies(rejected -> assertThat(reason(rejected)).isEqualTo(Reason.EXHAUSTED));
    assertThat(again.values().stream().flatMap(result -> result.claims().stream()))
        .extracting(Claim::token)
        .containsExactlyElementsOf(
            granted.stream().map(result -> result.orElseThrow().token()).toList());
    assertThat(pool.claims(ClaimFilter.ALL).map(Claim::token))
        .as("of two pages")
        .containsExactlyInAnyOrderElementsOf(
            granted.stream().map(result -> result.orElseThrow().token()).toList());

    assertThat(pool.renewAll(ClaimFilter.ALL.withClientPrefix("vm-"), Optional.empty()))
        .isEqualTo(1_023);
    assertThat(pool.releaseAll(ClaimFilter.ALL.withClientPrefix("vm-"))).isEqualTo(1_023);
    assertThat(pool.claims(ClaimFilter.ALL)).isEmpty();
  }

  @Test
  void aClaimWhoseAnswerIsLostIsMadeOnce() {
    try (Relay relay = new Relay(server.port())) {
      Pool pool =
          pool("cut", 10, ", \"lease\": \"1h\"", URI.create("http://127.0.0.1:" + relay.port()));
      relay.loseAnswers(2);

      ClaimResult result = pool.claim("vm-1");

      assertThat(relay.answersToLose()).isZero();
      assertThat(result).as("the first attempt was granted").isInstanceOf(AlreadyHeld.class);
      assertThat(pool.claims(ClaimFilter.ALL)).containsExactlyElementsOf(result.claims());

      relay.loseAnswers(1);
      assertThat(pool.renew(result.orElseThrow())).isInstanceOf(RenewResult.Renewed.class);
      relay.loseAnswers(1);
      assertThat(pool.release(result.orElseThrow()))
          .as("the first attempt has released it")
          .isInstanceOf(NotHeld.class);
    }
  }

  @Test
  void anotherServerAnswersWhenTheNetworkLosesEveryPacket() {
    try (Relay relay = new Relay(server.port())) {
      pool("lost", 10, "");
      relay.cut(true);
      Pool pool =
          MintmarkClient.builder(URI.create("http://127.0.0.1:" + relay.port()), server.console())
              .answerTimeout(Duration.ofSeconds(1))
              .deadline(Duration.ofMinutes(10))
              .build()
              .pool("lost");

      Claim claim = pool.claim("vm-1").orElseThrow();
      relay.cut(false);

      assertThat(pool.claim("vm-1").orElseThrow().token()).isEqualTo(claim.token());
      assertThat(pool.claims(ClaimFilter.ALL)).extracting(Claim::client).containsExactly("vm-1");
    }
  }

  @Test
  void aSessionKeepsManyClaimsAndReleasesThem() {
    SteeredClock clock = new SteeredClock();
    Pool other = pool("session", 2_000, ", \"lease\": \"1h\"");
    Pool pool = clock.client(server.console()).pool("session");
    Claim before =
        other.claim("vm-0", ClaimOptions.DEFAULT.withLease(Duration.ofSeconds(90))).orElseThrow();
    List<LeaseLoss> losses = new CopyOnWriteArrayList<>();
    List<String> clients = IntStream.range(0, 1_024).mapToObj(i -> "vm-" + i).toList();
    try (Session session = pool.session(Duration.ofHours(1), losses::add)) {
      Map<String, ClaimResult> results = session.claimAll(clients, ClaimOptions.DEFAULT);

      assertThat(results.get("vm-0")).isInstanceOf(AlreadyHeld.class);
      assertThat(session.isHeld(before)).as("it was held, and is renewed").isTrue();
      assertThat(other.find(before.value()).flatMap(Claim::expiresAt).orElseThrow())
          .isAfter(before.expiresAt().orElseThrow().plus(Duration.ofMinutes(30)));
      Claim stolen = Objects.requireNonNull(results.get("vm-1")).orElseThrow();
      Claim kept = Objects.requireNonNull(results.get("vm-2")).orElseThrow();
      other.release(stolen);
      clock.advance(Duration.ofMinutes(21));

      LeaseLoss loss = Eventually.present(Patience.MAX, () -> losses.stream().findFirst());

      assertThat(loss.claim().token()).isEqualTo(stolen.token());
      assertThat(loss.reason()).isEqualTo(LeaseLoss.Reason.NOT_HELD);
      assertThat(session.isHeld(stolen)).isFalse();
      assertThat(session.isHeld(kept)).isTrue();
      assertThat(session.claims()).hasSize(1_023);
      assertThat(other.find(kept.value()).flatMap(Claim::expiresAt).orElseThrow())
          .isAfter(kept.expiresAt().orElseThrow());
    }
    assertThat(losses).hasSize(1);
    assertThat(other.claims(ClaimFilter.ALL)).isEmpty();
  }

  @Test
  void aLeaseIsLostWhenItsClaimIsReleasedElsewhere() {
    SteeredClock clock = new SteeredClock();
    pool("stolen", 1, ", \"lease\": \"1h\"");
    Pool pool = clock.client(server.console()).pool("stolen");
    Claim claim = pool.claim("vm-1").orElseThrow();
    List<LeaseLoss> losses = new CopyOnWriteArrayList<>();
    try (Lease lease = pool.keepAlive(claim, Duration.ofHours(1), losses::add)) {
      pool.release(claim);
      assertThat(lease.isHeld()).as("it does not know yet").isTrue();
      clock.advance(Duration.ofMinutes(21));

      LeaseLoss loss = Eventually.present(Patience.MAX, () -> losses.stream().findFirst());

      assertThat(loss.reason()).isEqualTo(LeaseLoss.Reason.NOT_HELD);
      assertThat(lease.isHeld()).isFalse();
    }
    assertThat(losses).hasSize(1);
  }

  @Test
  void aLeaseOutlivesTheServer() {
    SteeredClock clock = new SteeredClock();
    Mintmark mintmark = Mintmark.in(directory);
    String data = directory.resolve("killed").toString();
    String port = Integer.toString(Ports.free());
    RunningServer first = RunningServer.start(mintmark, "--port", port, "--data", data);
    Pool pool = clock.client(first.console()).pool("public-ipv4");
    Claim claim =
        pool.claim("vm-1", ClaimOptions.DEFAULT.withLease(Duration.ofHours(1))).orElseThrow();
    List<LeaseLoss> losses = new CopyOnWriteArrayList<>();
    Lease lease = pool.keepAlive(claim, Duration.ofHours(1), losses::add);
    Instant end = lease.claim().expiresAt().orElseThrow();
    first.signal("KILL");
    assertThat(first.awaitEnd().status()).isNotZero();
    clock.advance(Duration.ofMinutes(21));
    assertThat(lease.isHeld()).isTrue();

    try (RunningServer second = RunningServer.start(mintmark, "--port", port, "--data", data);
        lease) {
      Instant renewed =
          Eventually.present(
              Patience.MAX, () -> lease.claim().expiresAt().filter(time -> time.isAfter(end)));

      assertThat(second.console()).isEqualTo(first.console());
      assertThat(lease.isHeld()).isTrue();
      assertThat(lease.claim().value()).isEqualTo(claim.value());
      assertThat(lease.claim().token()).isEqualTo(claim.token());
      assertThat(pool.find(claim.value()).flatMap(Claim::expiresAt)).contains(renewed);
    }
    assertThat(lease.isHeld()).isFalse();
    assertThat(losses).isEmpty();
  }
}
