package dev.mintmark.postgres.pool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariDataSource;
import dev.mintmark.Block;
import dev.mintmark.PoolSpec;
import dev.mintmark.fixtures.TestDatabase;
import dev.mintmark.postgres.pool.ClaimAttempt.Slot;
import dev.mintmark.postgres.pool.ClaimResult.AlreadyHeld;
import dev.mintmark.postgres.pool.ClaimResult.Elsewhere;
import dev.mintmark.postgres.pool.ClaimResult.Granted;
import dev.mintmark.postgres.pool.SliceOptions.Journal;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Values that instances grant from their slices. */
@Tag("long")
class SlicedPoolTest {
  /** Outlasts a machine that stalls for seconds. */
  private static final Duration LEASE = Duration.ofMinutes(1);

  /** Of tests that wait for its end. */
  private static final Duration SHORT_LEASE = Duration.ofSeconds(2);

  /** Slices are renewed four times in the time by which their lease is longer. */
  private static final Duration LONGER = Duration.ofSeconds(4);

  private static final SliceOptions OPTIONS = named("a");

  private final TestDatabase database = TestDatabase.create();
  private final List<HikariDataSource> connections = new ArrayList<>();
  private final List<Pools> instances = new ArrayList<>();
  private final Pools pools = newInstance();

  @AfterEach
  void nothingIsHandedOutTwiceAndNothingIsLost() {
    assertThat(PoolInvariants.violations(database)).isEmpty();
    instances.forEach(Pools::close);
    connections.forEach(HikariDataSource::close);
  }

  private Pools newInstance() {
    HikariDataSource dataSource = database.connectionPool(2);
    connections.add(dataSource);
    Pools instance = Pools.over(dataSource);
    instances.add(instance);
    return instance;
  }

  private void create(String block) {
    create(block, LEASE);
  }

  private void create(String block, Duration lease) {
    pools.create(
        PoolSpec.of("ports", List.of(Block.parse(block)))
            .withLease(lease)
            .withQuarantine(Duration.ZERO)
            .withPerClient(3));
  }

  private static SliceOptions named(String instance) {
    return SliceOptions.of(instance).withLease(LEASE.plus(LONGER));
  }

  private static SliceOptions shortLeased(String instance) {
    return SliceOptions.of(instance).withLease(SHORT_LEASE.plus(LONGER));
  }

  @Test
  void aClaimOfANewClientSendsNoStatementAndIsRecorded() {
    create("1..100");
    try (SlicedPool sliced = SlicedPool.open(pools, "ports", OPTIONS)) {
      await("a slice", () -> sliced.usage().unused() > 0 && sliced.usage().buckets() == 1_024);
      Claim claim = granted(sliced.claim(ClaimRequest.of("vm-1")));

      Session.await("the record", () -> sliced.usage().unrecorded() == 0);

      Claim found = pools.open("ports").find(claim.value()).orElseThrow();
      assertThat(found.client()).isEqualTo("vm-1");
      assertThat(found.token()).isEqualTo(claim.token());
      assertThat(found.expiresAt().orElseThrow())
          .isEqualTo(claim.expiresAt().orElseThrow().truncatedTo(ChronoUnit.MICROS));
      assertThat(PoolInvariants.violations(database)).isEmpty();
    }
    assertThat(
            database.number("select count(*) from mintmark.pool_claim where slice_id is not null"))
        .isZero();
  }

  @Test
  void aClientThatClaimsAgainGetsTheSameValueHereAndAtAnotherInstance() {
    create("1..100");
    Pools other = newInstance();
    try (SlicedPool a = SlicedPool.open(pools, "ports", named("a"));
        SlicedPool b = SlicedPool.open(other, "ports", named("b"))) {
      await("shares", () -> a.usage().buckets() == 512 && b.usage().buckets() == 512);
      int here = 0;
      int there = 0;
      for (int i = 0; i < 40; i++) {
        ClaimRequest request = ClaimRequest.of("vm-" + i);
        ClaimResult atA = a.claim(request);
        ClaimResult atB = b.claim(request);
        if (atA instanceof Granted granted) {
          here++;
          assertThat(((AlreadyHeld) a.claim(request)).claims()).hasSize(1);
          assertThat(((AlreadyHeld) settled(b, request)).claim().value())
              .isEqualTo(granted.claim().value());
          assertThat(((AlreadyHeld) pools.open("ports").claim(request)).claim().value())
              .isEqualTo(granted.claim().value());
        } else {
          there++;
          assertThat(atA).isEqualTo(new Elsewhere("ports", "b"));
          Claim claim = granted(atB);
          assertThat(((AlreadyHeld) settled(a, request)).claim().value()).isEqualTo(claim.value());
        }
      }
      assertThat(here).isPositive();
      assertThat(there).isPositive();
      assertThat(pools.open("ports").claim(ClaimRequest.of("new-client")))
          .isInstanceOf(Elsewhere.class);
      assertThat(pools.open("ports").claim(ClaimRequest.of("new-client").withValue("100")))
          .isInstanceOfAny(Elsewhere.class, ClaimResult.ValueTaken.class);
    }
    assertThat(pools.open("ports").claim(ClaimRequest.of("new-client")))
        .isInstanceOf(Granted.class);
  }

  @Test
  void claimsInTransactionsOfCallersAreSentToTheInstance() throws SQLException {
    create("1..100");
    try (SlicedPool sliced = SlicedPool.open(pools, "ports", named("a"))) {
      await("a slice", () -> sliced.usage().buckets() == 1_024);
      Claim claim = granted(sliced.claim(ClaimRequest.of("vm-1")));
      await("the record", () -> sliced.usage().unrecorded() == 0);

      String outcome = "select outcome from mintmark.claim_value('ports', '%s')";
      assertThat(database.text(outcome.formatted("vm-1"))).isEqualTo("held");
      assertThat(database.text(outcome.formatted("vm-2"))).isEqualTo("elsewhere");
      assertThat(database.text("select string_agg(value, ',') from mintmark.pool_claims"))
          .isEqualTo(claim.value());
      try (Connection connection = database.dataSource().getConnection()) {
        connection.setAutoCommit(false);
        assertThat(pools.open("ports").claim(connection, ClaimRequest.of("vm-2")))
            .isEqualTo(new Elsewhere("ports", "a"));
        connection.commit();
      }
    }
    assertThat(database.text("select outcome from mintmark.claim_value('ports', 'vm-2')"))
        .isEqualTo("granted");
  }

  @Test
  void theGateOfThePoolHoldsForSlices() {
    create("1..100");
    pools.open("ports").setGate(new PoolGate(Set.of("alpha"), Optional.empty(), Optional.empty()));
    try (SlicedPool sliced = SlicedPool.open(pools, "ports", OPTIONS)) {
      assertThat(sliced.claim(ClaimRequest.of("vm-1").withOwner("beta")))
          .isEqualTo(new ClaimResult.NotOpen("ports", "beta"));
      assertThat(sliced.claim(ClaimRequest.of("vm-1").withOwner("alpha")))
          .isInstanceOf(Granted.class);
    }
  }

  /** Another instance sees a grant when it is recorded. */
  private static ClaimResult settled(SlicedPool pool, ClaimRequest request) {
    Session.await("the record", () -> pool.claim(request) instanceof AlreadyHeld);
    return pool.claim(request);
  }

  @Test
  void twoInstancesGrantEveryValueOnce() {
    create("1..40");
    Pools other = newInstance();
    try (SlicedPool a = SlicedPool.open(pools, "ports", named("a"));
        SlicedPool b = SlicedPool.open(other, "ports", named("b"))) {
      await("shares", () -> a.usage().buckets() == 512 && b.usage().buckets() == 512);
      Set<String> values = new HashSet<>();
      List<Claim> held = new ArrayList<>();
      await(
          "all values",
          () -> {
            for (int i = 0; i < 4; i++) {
              ClaimRequest request =
                  ClaimRequest.of("vm-" + System.nanoTime()).withLease(Duration.ofHours(1));
              ClaimResult result = a.claim(request);
              if (result instanceof Elsewhere) {
                result = b.claim(request);
              }
              if (result instanceof Granted granted) {
                held.addAll(granted.claims());
              }
            }
            return held.size() == 40;
          });
      held.forEach(claim -> assertThat(values.add(claim.value())).isTrue());
      Claim first = held.get(0);
      assertThat(a.release(first.value(), first.token()))
          .isInstanceOf(ReleaseResult.Released.class);
    }
  }

  @Test
  void aSliceOfAnInstanceThatIsGoneFlowsBackAndItsClientsAreGrantedElsewhere() throws Exception {
    create("1..100", SHORT_LEASE);
    Pools dying = newInstance();
    SlicedPool dead = SlicedPool.open(dying, "ports", shortLeased("dead"));
    await("a slice", () -> dead.usage().unused() > 0 && dead.usage().buckets() == 1_024);
    ClaimRequest request = ClaimRequest.of("vm-1");
    Claim claim = granted(dead.claim(request));
    connections.get(1).close();

    try (SlicedPool live = SlicedPool.open(pools, "ports", shortLeased("live"))) {
      assertThat(live.claim(request))
          .isInstanceOfAny(
              Elsewhere.class, ClaimResult.Contended.class, Granted.class, AlreadyHeld.class);
      await("the buckets", () -> live.usage().buckets() == 1_024);
      await(
          "a value for the client",
          () -> {
            ClaimResult again = live.claim(request);
            return again instanceof Granted
                || (again instanceof AlreadyHeld held && held.claim().token() == claim.token());
          });
      assertThatThrownBy(() -> dead.claim(ClaimRequest.of("vm-2")))
          .isInstanceOf(PoolUnavailableException.class);
      pools.sweep();
      Session.await(
          "the values",
          () -> {
            pools.sweep();
            return database.number(
                    "select count(*) from mintmark.pool_claim join mintmark.pool_slice using (slice_id)"
                        + " where instance = 'dead'")
                == 0;
          });
    }
    dead.close();
  }

  @Test
  void aLeaseThatOutlastsTheSliceIsAnsweredAfterTheRecord() {
    create("1..100");
    try (SlicedPool sliced = SlicedPool.open(pools, "ports", OPTIONS)) {
      Claim claim =
          granted(sliced.claim(ClaimRequest.of("vm-1").withLease(Duration.ofDays(1)).withCount(2)));

      assertThat(claim.expiresAt().orElseThrow())
          .isAfter(claim.claimedAt().plus(Duration.ofHours(23)));
      assertThat(pools.open("ports").find(claim.value())).isPresent();
      assertThat(database.text("select longest_lease from mintmark.pool"))
          .as("how long a failover waits that loses the record")
          .isEqualTo("24:00:00");
      assertThat(sliced.renew(claim.value(), claim.token(), Optional.of(Duration.ofDays(2))))
          .isInstanceOf(RenewResult.Renewed.class);
    }
  }

  @Test
  void aClaimHasAtMostAsManyValuesAsASlice() {
    create("1..100");
    try (SlicedPool sliced = SlicedPool.open(pools, "ports", OPTIONS.withValuesMax(2))) {
      assertThatThrownBy(() -> sliced.claimAsync(ClaimRequest.of("vm-1").withCount(3)))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessage(
              "pool \"ports\": count is 3: expected at most 2, the valuesMax of this instance's slice");
      assertThat(sliced.claim(ClaimRequest.of("vm-1").withCount(2))).isInstanceOf(Granted.class);
      assertThat(sliced.claim(ClaimRequest.of("vm-2").withCount(4)))
          .isInstanceOf(ClaimResult.QuotaReached.class);
    }
  }

  @Test
  void aRecordBeforeTheAnswerIsInTheDatabaseWithTheAnswer() {
    create("1..100");
    try (SlicedPool sliced =
        SlicedPool.open(pools, "ports", OPTIONS.withJournal(Journal.BEFORE_ANSWER))) {
      for (int i = 0; i < 30; i++) {
        Claim claim = granted(sliced.claim(ClaimRequest.of("vm-" + i)));
        assertThat(pools.open("ports").find(claim.value()).map(Claim::client)).contains("vm-" + i);
      }
    }
  }

  @Test
  void excludedAndDrainedValuesAreNotGrantedOnceThatHasReturned() {
    create("1..50");
    pools.open("ports").addBlock(Block.parse("101..150"), List.of());
    try (SlicedPool sliced = SlicedPool.open(pools, "ports", OPTIONS)) {
      await("a slice", () -> sliced.usage().unused() > 0);

      pools.open("ports").exclude(List.of(Block.parse("1..25")));
      pools.open("ports").drain("101..150", true);

      Set<Integer> values = new HashSet<>();
      for (int i = 0; i < 60; i++) {
        ClaimResult result = sliced.claim(ClaimRequest.of("vm-" + i));
        if (result instanceof Granted granted) {
          values.add(Integer.parseInt(granted.claim().value()));
        }
      }
      assertThat(values).isSubsetOf(IntStream.rangeClosed(26, 50).boxed().toList());
      assertThat(values).isNotEmpty();
    }
  }

  @Test
  void anInstanceThatLacksValuesGetsThoseOfAnotherOne() {
    create("1..64", SHORT_LEASE);
    Pools other = newInstance();
    try (SlicedPool a = SlicedPool.open(pools, "ports", shortLeased("a").withValuesMax(64))) {
      await(
          "all values",
          () -> {
            for (int i = 0; i < 8; i++) {
              var unused = a.claim(ClaimRequest.of("warm-" + System.nanoTime()));
            }
            return a.usage().unused() >= 20;
          });
      try (SlicedPool b = SlicedPool.open(other, "ports", shortLeased("b"))) {
        await("shares", () -> b.usage().buckets() == 512);
        Set<String> clients = new HashSet<>();
        await(
            "more values than were left",
            () -> {
              String client = "b-" + System.nanoTime();
              if (b.claim(ClaimRequest.of(client).withLease(Duration.ofHours(1)))
                  instanceof Granted) {
                clients.add(client);
              }
              return clients.size() >= 40;
            });
      }
    }
  }

  @Test
  void poolsThatCannotBeSlicedAreRefused() {
    pools.create(PoolSpec.of("no-lease", List.of(Block.parse("1..10"))));
    pools.create(
        PoolSpec.of("quota", List.of(Block.parse("1..10")))
            .withLease(LEASE)
            .withPerOwner(Optional.of(2)));
    create("1..10");

    assertThatThrownBy(() -> SlicedPool.open(pools, "no-lease", OPTIONS))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("it has no lease");
    assertThatThrownBy(() -> SlicedPool.open(pools, "quota", OPTIONS))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("quota");
    assertThatThrownBy(() -> SlicedPool.open(pools, "ports", OPTIONS.withLease(LEASE)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("lease of slices is 1m");
  }

  @Test
  void theBucketOfAClientIsTheSameInSql() {
    create("1..10");
    Pool pool = pools.open("ports");
    List<String> clients = List.of("vm-1", "a", "Zürich", "日本", "x".repeat(255));
    clients.forEach(client -> granted(pool.claim(ClaimRequest.of(client))));

    Map<Integer, Set<Slot>> loaded =
        new SliceStore(pool.context())
            .loadBuckets(IntStream.range(0, ClientBuckets.COUNT).boxed().toList());

    assertThat(loaded)
        .isEqualTo(
            clients.stream()
                .collect(
                    Collectors.groupingBy(
                        ClientBuckets::of,
                        Collectors.mapping(client -> new Slot(client, 0), Collectors.toSet()))));
  }

  @Test
  void aTermIsOverBeforeTheLeaseWhateverOneClockSays() {
    SliceTerm.Now sent = new SliceTerm.Now(0, 0);
    SliceTerm term = new SliceTerm(Instant.EPOCH, sent, Duration.ofSeconds(10));

    assertThat(term.isOver(new SliceTerm.Now(9_800_000_000L, 0))).isFalse();
    assertThat(term.isOver(new SliceTerm.Now(9_950_000_000L, 0))).isTrue();
    assertThat(term.isOver(new SliceTerm.Now(0, 9_950))).isTrue();
    assertThat(term.end(new SliceTerm.Now(5_000_000_000L, 0), Duration.ofSeconds(4)))
        .contains(Instant.EPOCH.plusSeconds(9));
    assertThat(term.end(new SliceTerm.Now(6_000_000_000L, 0), Duration.ofSeconds(4))).isEmpty();
  }

  private static Claim granted(ClaimResult result) {
    assertThat(result).isInstanceOf(Granted.class);
    return ((Granted) result).claim();
  }

  private static void await(String what, BooleanSupplier condition) {
    Session.await(what, condition);
  }
}
