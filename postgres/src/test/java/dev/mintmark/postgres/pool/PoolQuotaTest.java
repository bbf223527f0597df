package dev.mintmark.postgres.pool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.fail;

import dev.mintmark.Block;
import dev.mintmark.PoolSpec;
import dev.mintmark.fixtures.TestDatabase;
import dev.mintmark.postgres.pool.ClaimResult.AlreadyHeld;
import dev.mintmark.postgres.pool.ClaimResult.Contended;
import dev.mintmark.postgres.pool.ClaimResult.Granted;
import dev.mintmark.postgres.pool.ClaimResult.Quota;
import dev.mintmark.postgres.pool.ClaimResult.QuotaReached;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What owners and clients may hold at most. */
@Tag("slow")
class PoolQuotaTest {
  private final TestDatabase database = TestDatabase.create();
  private final List<Pools> instances =
      Stream.generate(() -> Pools.over(database.dataSource())).limit(4).toList();

  @AfterEach
  void everyValueIsInJustOneState() {
    assertThat(PoolInvariants.violations(database)).isEmpty();
    instances.forEach(Pools::close);
  }

  @Test
  void ownersNeverHoldMoreThanTheirQuotaHoweverManyInstancesCount() {
    create(spec().withPerOwner(Optional.of(5)).withPerClient(3));
    List<CompletableFuture<ClaimResult>> asked = new ArrayList<>();
    for (int i = 0; i < 200; i++) {
      ClaimRequest request = ClaimRequest.of("c" + i).withOwner("owner-" + i % 4);
      asked.add(pool(i % 4).claimAsync(i % 5 == 0 ? request.withCount(2) : request));
      asked.add(pool((i + 1) % 4).claimAsync(request.withValue("10.0.1." + (i + 1))));
    }

    asked.forEach(Session::join);

    assertThat(database.rows("select owner, count(*) <= 5 from mintmark.pool_claim group by owner"))
        .hasSize(4)
        .allSatisfy(row -> assertThat(row.get(1)).isEqualTo("t"));
    // Those who met others at each try may have been turned away: who asks alone is not.
    for (int owner = 0; owner < 4; owner++) {
      for (int i = 0; i < 5; i++) {
        pool(0).claim(ClaimRequest.of("late-" + owner + "-" + i).withOwner("owner-" + owner));
      }
    }
    assertThat(database.number("select count(*) from mintmark.pool_claim")).isEqualTo(20);
  }

  @Test
  void oneBatchDoesNotExceedAQuota() {
    create(spec().withPerOwner(Optional.of(3)));

    List<ClaimRequest> requests =
        IntStream.range(0, 100).mapToObj(i -> ClaimRequest.of("c" + i).withOwner("acme")).toList();
    List<CompletableFuture<ClaimResult>> asked =
        requests.stream().map(pool(0)::claimAsync).toList();
    List<ClaimResult> results =
        IntStream.range(0, 100)
            .mapToObj(
                i -> ClaimResults.decided(pool(0), requests.get(i), Session.join(asked.get(i))))
            .toList();

    assertThat(ClaimResults.values(results)).hasSize(3).doesNotHaveDuplicates();
    assertThat(database.number("select count(*) from mintmark.pool_claim")).isEqualTo(3);
    assertThat(results)
        .filteredOn(result -> ClaimResults.held(result).isEmpty())
        .hasSize(97)
        .containsOnly(new QuotaReached("p", Quota.OWNER, "acme", 3));
  }

  @Test
  void whatIsHeldAlreadyIsNotCountedTwice() {
    create(inOrder().withPerOwner(Optional.of(2)).withPerClient(3));
    ClaimRequest request = ClaimRequest.of("a").withOwner("acme");
    Claim first = ((Granted) pool(0).claim(request)).claim();
    Claim second = ((Granted) pool(1).claim(request.withSlot(1))).claim();

    assertThat(pool(2).claim(request)).isEqualTo(new AlreadyHeld(List.of(first)));
    assertThat(pool(2).claim(request.withCount(2)))
        .isEqualTo(new AlreadyHeld(List.of(first, second)));
    assertThat(pool(2).claim(request.withValue(second.value())))
        .isEqualTo(new AlreadyHeld(List.of(second)));
    assertThat(pool(2).claim(request.withCount(3)))
        .isEqualTo(new QuotaReached("p", Quota.OWNER, "acme", 2));
    assertThat(pool(2).claim(ClaimRequest.of("b").withOwner("acme").withValue("10.0.1.9")))
        .isEqualTo(new QuotaReached("p", Quota.OWNER, "acme", 2));
  }

  @Test
  void aClientHasAsManySlotsAsThePoolGivesIt() {
    create(spec().withPerClient(2));

    assertThat(pool(0).claim(ClaimRequest.of("a").withSlot(2)))
        .isEqualTo(new QuotaReached("p", Quota.CLIENT, "a", 2));
    assertThat(pool(0).claim(ClaimRequest.of("a").withCount(3)))
        .isEqualTo(new QuotaReached("p", Quota.CLIENT, "a", 2));
    assertThat(pool(0).stats().total().held()).isZero();
  }

  @Test
  void aClaimThatNamesNoOwnerIsRefusedWhereOwnersAreCounted() {
    create(spec().withPerOwner(Optional.of(2)));

    assertThatThrownBy(() -> pool(0).claim(ClaimRequest.of("a")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("pool \"p\" gives an owner 2 values: the claim must name its owner");
  }

  @Test
  void aQuotaThatIsLoweredTakesNothingAway() {
    create(spec().withPerOwner(Optional.of(3)));
    for (String client : List.of("a", "b", "c")) {
      pool(0).claim(ClaimRequest.of(client).withOwner("acme"));
    }

    instances.get(0).declare(spec().withPerOwner(Optional.of(1)));

    assertThat(pool(0).stats().total().held()).isEqualTo(3);
    assertThat(pool(0).claim(ClaimRequest.of("a").withOwner("acme")))
        .isInstanceOf(AlreadyHeld.class);
    assertThat(pool(0).claim(ClaimRequest.of("d").withOwner("acme")))
        .isEqualTo(new QuotaReached("p", Quota.OWNER, "acme", 1));
  }

  @Test
  void endedLeasesDoNotCount() {
    create(spec().withPerOwner(Optional.of(1)).withLease(Duration.ofHours(1)));
    pool(0).claim(ClaimRequest.of("a").withOwner("acme"));
    endLeases();

    assertThat(pool(0).claim(ClaimRequest.of("b").withOwner("acme"))).isInstanceOf(Granted.class);
    assertThat(pool(0).claim(ClaimRequest.of("a").withOwner("acme")))
        .isInstanceOf(QuotaReached.class);
  }

  /** As a renewal that has begun before the end of the lease, and commits after it. */
  @Test
  void aClaimThatMayBeRenewedCountsAfterTheEndOfItsLease() {
    create(spec().withPerOwner(Optional.of(1)).withLease(Duration.ofHours(1)));
    pool(0).claim(ClaimRequest.of("a").withOwner("acme"));
    endLeases();
    ClaimRequest other = ClaimRequest.of("b").withOwner("acme");
    try (Session renewal = new Session(database)) {
      renewal.run("update mintmark.pool_claim set expires_at = now() + interval '1 hour'");

      assertThat(pool(0).claim(other)).isInstanceOf(Contended.class);
      assertThat(pool(0).claim(other.withValue("10.0.1.9"))).isInstanceOf(Contended.class);
      renewal.commit();
    }
    assertThat(pool(0).claim(other)).isEqualTo(new QuotaReached("p", Quota.OWNER, "acme", 1));

    endLeases();
    assertThat(pool(0).claim(other.withValue("10.0.1.9"))).isInstanceOf(Granted.class);
  }

  /** The transaction began before the lease ended: it waited for another session. */
  @Test
  void aRenewalThatComesAfterTheEndOfTheLeaseExtendsNothing() {
    create(spec().withLease(Duration.ofHours(1)));
    Claim claim = ((Granted) pool(0).claim(ClaimRequest.of("a").withValue("10.0.0.1"))).claim();
    try (Session late = new Session(database)) {
      late.value("select now()");
      database.execute("update mintmark.pool_claim set expires_at = clock_timestamp()");
      Map<String, Object> one =
          Map.of(
              "pool_id",
              pool(0).id(),
              "block_id",
              1,
              "place",
              0L,
              "token",
              claim.token(),
              "lease_millis",
              60_000L);
      Map<String, Object> many =
          Map.of(
              "pool_id",
              pool(0).id(),
              "block_ids",
              new Integer[] {1},
              "places",
              new Long[] {0L},
              "tokens",
              new Long[] {claim.token()},
              "owner",
              "acme",
              "lease_millis",
              60_000L);

      assertThat(late.run("renew", one)).isEmpty();
      assertThat(late.run("renew_many", many)).isEmpty();
      late.rollback();
    }
  }

  @Test
  void aClientThatHoldsMoreThanALoweredLimitGetsNoMore() {
    create(inOrder().withPerClient(3).withLease(Duration.ofHours(1)));
    List<Claim> three = ((Granted) pool(0).claim(ClaimRequest.of("a").withCount(3))).claims();
    pool(0).change(spec -> spec.withPerClient(2));
    pool(0).release(three.get(0).value(), three.get(0).token());
    QuotaReached reached = new QuotaReached("p", Quota.CLIENT, "a", 2);

    assertThat(pool(0).claim(ClaimRequest.of("a"))).isEqualTo(reached);
    assertThat(pool(0).claim(ClaimRequest.of("a").withCount(2))).isEqualTo(reached);
    assertThat(pool(0).claim(ClaimRequest.of("a").withValue("10.0.1.9"))).isEqualTo(reached);
    assertThat(pool(0).claim(ClaimRequest.of("a").withSlot(1)))
        .isEqualTo(new AlreadyHeld(List.of(three.get(1))));
    assertThat(pool(0).claim(ClaimRequest.of("b").withCount(2))).isInstanceOf(Granted.class);

    database.execute(
        "update mintmark.pool_claim set expires_at = now() - interval '1 second' where client = 'a' and slot = 2");
    assertThat(pool(0).claim(ClaimRequest.of("a").withCount(2))).isInstanceOf(Granted.class);
  }

  /** Both are in one batch: what the client does not get was counted for the owner. */
  @Test
  void aClaimThatItsClientsLimitRefusesTakesNothingFromTheOwnersQuota() {
    create(inOrder().withPerClient(2).withPerOwner(Optional.of(2)));
    List<Claim> two =
        ((Granted) pool(0).claim(ClaimRequest.of("full").withOwner("other").withCount(2))).claims();
    pool(0).release(two.get(0).value(), two.get(0).token());
    pool(0).change(spec -> spec.withPerClient(1).withPerOwner(Optional.of(1)));

    Pool pool = pool(0);
    CompletableFuture<ClaimResult> before =
        pool.claimAsync(ClaimRequest.of("before").withOwner("umbrella"));
    CompletableFuture<ClaimResult> refused =
        pool.claimAsync(ClaimRequest.of("full").withOwner("acme"));
    CompletableFuture<ClaimResult> next =
        pool.claimAsync(ClaimRequest.of("next").withOwner("acme"));

    assertThat(Session.join(before)).isInstanceOf(Granted.class);
    assertThat(Session.join(refused)).isEqualTo(new QuotaReached("p", Quota.CLIENT, "full", 1));
    assertThat(Session.join(next)).isInstanceOf(Granted.class);
  }

  @Test
  void aClientsOwnEndedLeaseDoesNotKeepItFromANamedValue() {
    create(spec().withLease(Duration.ofHours(1)));
    pool(0).claim(ClaimRequest.of("a").withValue("10.0.1.1"));
    endLeases();

    assertThat(pool(0).claim(ClaimRequest.of("a").withValue("10.0.1.2")))
        .isInstanceOf(Granted.class);
  }

  @Test
  void aSessionThatHangsWithAnOwnersRowHoldsUpNobodyElse() {
    create(spec().withPerOwner(Optional.of(2)));
    ClaimResult first = pool(0).claim(ClaimRequest.of("a").withOwner("acme"));
    try (Session hanging = new Session(database)) {
      hanging.run("select from mintmark.pool_owner where owner = 'acme' for update");

      CompletableFuture<ClaimResult> same =
          pool(0).claimAsync(ClaimRequest.of("b").withOwner("acme"));
      CompletableFuture<ClaimResult> other =
          pool(0).claimAsync(ClaimRequest.of("c").withOwner("globex"));
      CompletableFuture<ClaimResult> known =
          pool(0).claimAsync(ClaimRequest.of("a").withOwner("acme"));

      assertThat(Session.join(same))
          .isEqualTo(
              new Contended(
                  "p", Optional.of("acme"), Duration.ofSeconds(2), Duration.ofSeconds(1)));
      assertThat(Session.join(other)).isInstanceOf(Granted.class);
      assertThat(Session.join(known)).isEqualTo(new AlreadyHeld(((Granted) first).claims()));
    }
    assertThat(pool(0).claim(ClaimRequest.of("b").withOwner("acme"))).isInstanceOf(Granted.class);
  }

  /**
   * Each waits for its turn. Begins again if one gave up before all waited, as it does after two
   * seconds, which a busy machine can take.
   */
  @Test
  void aClaimWaitsForAnOwnersRowThatAnotherSessionUses() {
    create(inOrder().withPerOwner(Optional.of(9)).withPerClient(3));
    pool(0).claim(ClaimRequest.of("a").withOwner("acme"));
    for (int attempt = 1; attempt <= 20; attempt++) {
      List<CompletableFuture<ClaimResult>> asked;
      boolean allWaited;
      try (Session busy = new Session(database)) {
        busy.run("select from mintmark.pool_owner where owner = 'acme' for update");
        asked = claimsOfEachKind("acme");
        Session.awaitWaiting(
            database, 3, CompletableFuture.anyOf(asked.toArray(CompletableFuture[]::new)));
        allWaited = asked.stream().noneMatch(CompletableFuture::isDone);
        busy.rollback();
      }
      List<ClaimResult> results = asked.stream().map(Session::join).toList();
      if (allWaited && results.stream().allMatch(Granted.class::isInstance)) {
        return;
      }
      assertThat(results).hasOnlyElementsOfTypes(Granted.class, Contended.class);
      results.stream()
          .flatMap(
              result -> result instanceof Granted granted ? granted.claims().stream() : Stream.of())
          .forEach(claim -> pool(0).release(claim.value(), claim.token()));
    }
    fail("a claim did not wait, or gave up before all waited");
  }

  @Test
  void claimsForABusyOwnerAreContendedNotExhaustedWhileValuesAreFree() {
    create(inOrder().withPerOwner(Optional.of(9)).withPerClient(3));
    pool(0).claim(ClaimRequest.of("a").withOwner("acme"));
    try (Session hanging = new Session(database)) {
      hanging.run("select from mintmark.pool_owner where owner = 'acme' for update");

      List<CompletableFuture<ClaimResult>> asked = claimsOfEachKind("acme");

      assertThat(asked.stream().map(Session::join)).hasOnlyElementsOfType(Contended.class);
    }
  }

  /** Claims for an owner: of any value, of several and of a named one. */
  private List<CompletableFuture<ClaimResult>> claimsOfEachKind(String owner) {
    return Stream.of(
            ClaimRequest.of("b"),
            ClaimRequest.of("c").withCount(2),
            ClaimRequest.of("d").withValue("10.0.1.9"))
        .map(request -> pool(0).claimAsync(request.withOwner(owner)))
        .toList();
  }

  /** The first claim for an owner writes the owner's row: nobody waits for that either. */
  @Test
  void theFirstClaimForAnOwnerThatHangsHoldsUpNoOtherOwner() {
    create(spec().withPerOwner(Optional.of(2)));
    try (Session hanging = new Session(database)) {
      // What a claim for "acme" has done when its instance stops before the end.
      hanging.run("lock_owners", Map.of("pool_id", 1, "owners", new String[] {"acme"}));

      assertThat(Session.join(pool(0).claimAsync(ClaimRequest.of("b").withOwner("acme"))))
          .isInstanceOf(Granted.class);
    }
  }

  @Test
  void transactionsThatHangAreEndedByTheServer() {
    create(spec());
    try (Session hanging = new Session(database)) {
      hanging.begin();

      assertThat(hanging.value("show idle_in_transaction_session_timeout")).isEqualTo("10s");
    }
  }

  /**
   * A client that holds a value asks again while another session counts for its owner; between the
   * look and the claim its value is released and given to another client of the same owner.
   */
  @Test
  void whoHeldAllItAsksForTakesNothingWithoutHavingCounted() {
    create(spec().withPerOwner(Optional.of(1)));
    pool(0).claim(ClaimRequest.of("a").withOwner("acme"));
    try (Session other = new Session(database)) {
      other.run("lock table mintmark.pool_free, mintmark.pool_quarantine");
      other.run("select from mintmark.pool_owner where owner = 'acme' for update");
      CompletableFuture<ClaimResult> asked =
          pool(0).claimAsync(ClaimRequest.of("a").withOwner("acme"));
      Session.await(
          "answered, or waits",
          () ->
              asked.isDone()
                  || database.number(
                          "select count(*) from pg_stat_activity where wait_event_type = 'Lock'")
                      > 0);
      other.run("update mintmark.pool_claim set client = 'b'");
      other.commit();

      Session.join(asked);
    }
    assertThat(database.number("select count(*) from mintmark.pool_claim")).isEqualTo(1);
  }

  private void endLeases() {
    database.execute("update mintmark.pool_claim set expires_at = now() - interval '1 second'");
  }

  private void create(PoolSpec spec) {
    assertThat(instances.get(0).create(spec)).isTrue();
  }

  private Pool pool(int instance) {
    return instances.get(instance).open("p");
  }

  /** Clients that name no value are granted the first ones, never one that a client names. */
  private static PoolSpec inOrder() {
    return spec().withOrder(PoolSpec.Order.ASCENDING);
  }

  private static PoolSpec spec() {
    return PoolSpec.of("p", List.of(Block.parse("10.0.0.0/23")));
  }
}
