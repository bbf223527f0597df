package dev.mintmark.postgres.pool;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import dev.mintmark.Block;
import dev.mintmark.PoolSpec;
import dev.mintmark.fixtures.TestDatabase;
import dev.mintmark.fixtures.ThreadPerTask;
import dev.mintmark.postgres.pool.ClaimResult.AlreadyHeld;
import dev.mintmark.postgres.pool.ClaimResult.Granted;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The history names one holder of a value at any instant, whatever transactions waited for. */
@Tag("slow")
class PoolHistoryOverlapTest {
  private static final int CALLERS = 9;
  private static final int ROUNDS = 60;

  private final TestDatabase database = TestDatabase.create();
  private final HikariDataSource connections = database.connectionPool(12);
  private final List<Pools> instances =
      Stream.generate(() -> Pools.over(connections)).limit(3).toList();

  @AfterEach
  void theHistoryNamesOneHolder() {
    assertThat(PoolInvariants.violations(database)).isEmpty();
    instances.forEach(Pools::close);
    connections.close();
  }

  @Test
  void aClaimBeginsWhenItGotItsValueNotWhenItsTransactionBegan() {
    create(spec("10.0.0.1").withPerOwner(Optional.of(5)));
    claimWhileAnotherReleases(ClaimRequest.of("late"));
  }

  @Test
  void aClaimOfSeveralValuesBeginsWhenItGotThem() {
    create(spec("10.0.0.1", "10.0.0.2").withPerClient(2).withPerOwner(Optional.of(5)));
    claimWhileAnotherReleases(ClaimRequest.of("late").withCount(2));
  }

  @Test
  void aClaimByNameBeginsWhenItGotTheValue() {
    create(spec("10.0.0.1").withPerOwner(Optional.of(5)));
    Claim before = ((Granted) claim(ClaimRequest.of("early"))).claim();
    pool(0).release(before.value(), before.token());
    ClaimRequest request = ClaimRequest.of("late").withValue(before.value());

    // Claimed and released since the transaction of the late claim began.
    Claim got =
        claimWhile(
            request,
            () ->
                database.execute(
                    "update mintmark.pool_history set ended_at = clock_timestamp()"
                        + " where client = 'early'"));

    assertThat(got.value()).isEqualTo(before.value());
  }

  /** The transaction of a claim begins, waits, and only then its value is released. */
  private void claimWhileAnotherReleases(ClaimRequest request) {
    Claim early = ((Granted) claim(ClaimRequest.of("early"))).claim();

    Claim got = claimWhile(request, () -> pool(0).release(early.value(), early.token()));

    assertThat(got.claimedAt()).isAfter(early.claimedAt());
  }

  /** Does something while the transaction of a claim waits. */
  private Claim claimWhile(ClaimRequest request, Runnable work) {
    ClaimResult result =
        ClaimResults.decided(
            attempt -> {
              try (Session locking = new Session(database)) {
                locking.run("lock table mintmark.pool_owner in exclusive mode");
                CompletableFuture<ClaimResult> late = pool(1).claimAsync(request.withOwner("acme"));
                Session.awaitWaiting(database, 1, late);
                work.run();
                locking.rollback();
                return Session.join(late);
              }
            });
    assertThat(result).isInstanceOfAny(Granted.class, AlreadyHeld.class);
    return ClaimResults.held(result).get(0);
  }

  @Test
  void aLeaseIsNotShortenedByTheTimeThatItsTransactionWaited() {
    create(spec("10.0.0.1").withPerOwner(Optional.of(5)).withLease(Duration.ofHours(1)));
    AtomicReference<String> released = new AtomicReference<>();

    Claim got =
        claimWhile(
            ClaimRequest.of("late"),
            () -> released.set(database.text("select clock_timestamp()::text")));

    assertThat(got.expiresAt()).contains(got.claimedAt().plus(Duration.ofHours(1)));
    assertThat(
            database.rows(
                "select claimed_at > '%s'::timestamptz from mintmark.pool_claim"
                    .formatted(released)))
        .containsExactly(List.of("t"));
  }

  @Test
  void claimsOfAllKindsAtOnceDoNotOverlap() {
    long seed = System.nanoTime();
    create(
        spec("10.0.0.0/29")
            .withPerClient(3)
            .withPerOwner(Optional.of(4))
            .withLease(Duration.ofSeconds(1)));
    List<CompletableFuture<Void>> callers = new ArrayList<>();
    for (int i = 0; i < CALLERS; i++) {
      int caller = i;
      callers.add(
          CompletableFuture.runAsync(
              () -> work(pool(caller % 3), new Random(seed + caller)), ThreadPerTask.EXECUTOR));
    }
    for (int i = 0; i < 20; i++) {
      instances.get(0).sweep();
    }
    callers.forEach(Session::join);

    assertThat(PoolInvariants.violations(database)).as("seed %d", seed).isEmpty();
  }

  private static void work(Pool pool, Random random) {
    for (int round = 0; round < ROUNDS; round++) {
      String owner = "owner-" + random.nextInt(3);
      ClaimRequest request = ClaimRequest.of("client-" + random.nextInt(12)).withOwner(owner);
      ClaimRequest asked =
          switch (random.nextInt(4)) {
            case 0 -> request.withCount(2);
            case 1 -> request.withValue("10.0.0." + (1 + random.nextInt(6)));
            default -> request;
          };
      ClaimResult result = Session.repeated(() -> pool.claim(asked));
      if (result instanceof Granted granted) {
        for (Claim claim : granted.claims()) {
          if (random.nextInt(3) == 0) {
            Optional<Duration> lease = Optional.of(Duration.ofSeconds(2));
            var unused = Session.repeated(() -> pool.renew(claim.value(), claim.token(), lease));
          }
          if (random.nextInt(5) > 0) {
            var unused = Session.repeated(() -> pool.release(claim.value(), claim.token()));
          }
        }
      }
    }
  }

  private ClaimResult claim(ClaimRequest request) {
    return pool(0).claim(request.withOwner("acme"));
  }

  private void create(PoolSpec spec) {
    assertThat(instances.get(0).create(spec)).isTrue();
    instances.forEach(pools -> pools.open("p"));
  }

  private Pool pool(int instance) {
    return instances.get(instance).open("p");
  }

  private static PoolSpec spec(String... blocks) {
    return PoolSpec.of("p", Stream.of(blocks).map(Block::parse).toList());
  }
}
