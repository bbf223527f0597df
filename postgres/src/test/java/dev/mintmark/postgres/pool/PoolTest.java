package dev.mintmark.postgres.pool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariDataSource;
import dev.mintmark.Block;
import dev.mintmark.CidrBlock;
import dev.mintmark.Ipv6Embedding;
import dev.mintmark.PoolSpec;
import dev.mintmark.fixtures.Patience;
import dev.mintmark.fixtures.TestDatabase;
import dev.mintmark.postgres.pool.ClaimResult.AlreadyHeld;
import dev.mintmark.postgres.pool.ClaimResult.Contended;
import dev.mintmark.postgres.pool.ClaimResult.Exhausted;
import dev.mintmark.postgres.pool.ClaimResult.Granted;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("slow")
class PoolTest {
  private final TestDatabase database = TestDatabase.create();
  private final Pools pools = Pools.over(database.dataSource());

  /** Another program on the same database. */
  private final Pools elsewhere = Pools.over(database.dataSource());

  @AfterEach
  void everyValueIsInJustOneState() {
    assertThat(PoolInvariants.violations(database)).isEmpty();
    pools.close();
    elsewhere.close();
  }

  @Test
  void theArticlesBlocksHaveTwoThousandAndFortyFourValues() {
    Pool pool = create("public-ipv4", "45.67.80.0/22", "203.0.112.0/22");

    assertThat(PoolInvariants.counts(pool)).containsExactly(2044L, 0L, 0L);
    assertThat(pool.stats().total().capacity()).isEqualTo(2044);
  }

  @Test
  void aClientIsGivenOneValueHoweverOftenItAsks() {
    Pool pool = create("ports", "8000..8009");

    Claim claim = granted(pool, "vm-1");

    assertThat(pool.claim(ClaimRequest.of("vm-1"))).isEqualTo(new AlreadyHeld(List.of(claim)));
    assertThat(elsewhere.open("ports").claim(ClaimRequest.of("vm-1")))
        .isEqualTo(new AlreadyHeld(List.of(claim)));
    assertThat(pool.stats().total().held()).isEqualTo(1);
  }

  @Test
  void theNewestTokenChangesAlsoIfTheCountsDoNot() {
    Pool pool = create("ports", "8000..8009");
    assertThat(pool.newestToken()).isZero();
    Claim first = granted(pool, "vm-1");
    Claim second = granted(pool, "vm-2");
    assertThat(pool.newestToken()).isEqualTo(second.token());

    pool.release(first.value(), first.token());
    Claim third = granted(pool, "vm-3");

    assertThat(pool.newestToken()).isEqualTo(third.token()).isGreaterThan(second.token());
    assertThat(create("others", "1..9").newestToken()).isZero();
  }

  @Test
  void aClaimKeepsWhatItWasAskedWith() {
    Pool pool = create("ports", "8000..8009");

    ClaimResult result =
        pool.claim(ClaimRequest.of("vm-1").withOwner("acme").withLease(Duration.ofMinutes(2)));

    Claim claim = ((Granted) result).claim();
    assertThat(claim.owner()).contains("acme");
    assertThat(claim.expiresAt()).contains(claim.claimedAt().plus(Duration.ofMinutes(2)));
    assertThat(pool.find(claim.value())).contains(claim);
  }

  @Test
  void exhaustionIsAnAnswerAndThoseWhoHoldAValueStillGetIt() {
    Pool pool = create("tiny", "10.0.0.0/30");
    Claim first = granted(pool, "a");
    Claim second = granted(pool, "b");

    assertThat(pool.claim(ClaimRequest.of("c")))
        .isInstanceOfSatisfying(
            Exhausted.class,
            exhausted -> {
              assertThat(exhausted.pool()).isEqualTo("tiny");
              assertThat(exhausted.retryAfter()).isPositive();
            });
    assertThat(pool.claim(ClaimRequest.of("a"))).isEqualTo(new AlreadyHeld(List.of(first)));
    assertThat(pool.claim(ClaimRequest.of("b"))).isEqualTo(new AlreadyHeld(List.of(second)));
    assertThat(Set.of(first.value(), second.value()))
        .containsExactlyInAnyOrder("10.0.0.1", "10.0.0.2");
  }

  @Test
  void aKnownEmptyPoolTurnsClientsAwayWithoutAskingTheDatabase() {
    Pool pool = create("one", "10.0.0.1");
    granted(pool, "a");
    pool.claim(ClaimRequest.of("b"));
    long before = pools.statements();

    long exhausted =
        IntStream.range(0, 1_000)
            .mapToObj(i -> pool.claim(ClaimRequest.of("late-" + i)))
            .filter(Exhausted.class::isInstance)
            .count();

    assertThat(exhausted).isEqualTo(1_000);
    // A few may be taken for holders, and the memory may end once on a slow machine.
    assertThat(pools.statements() - before).isLessThan(100);
  }

  @Test
  void theFirstClaimOfAnInstanceIsOneStatement() {
    create("p", "10.0.0.0/28");
    granted(elsewhere.open("p"), "a"); // Values have rows.
    try (Pools beginning = Pools.over(database.dataSource())) {
      Pool pool = beginning.open("p");
      long before = beginning.statements();

      granted(pool, "b");

      assertThat(beginning.statements() - before).isEqualTo(1);
    }
  }

  @Test
  void instancesThatBeginDoNotWaitForOneAnother() throws SQLException {
    create("p", "10.0.0.0/28");
    try (Connection other = database.dataSource().getConnection();
        Pools beginning = Pools.over(database.dataSource())) {
      other.setAutoCommit(false);
      try (Statement lock = other.createStatement()) {
        lock.execute(
            "select pg_catalog.pg_advisory_xact_lock(pg_catalog.hashtext('mintmark.pool_epoch'))");
      }

      granted(beginning.open("p"), "a");
    }
  }

  @Test
  void aReleaseIsSeenAtOnceHereAndWithinTheBoundElsewhere() throws InterruptedException {
    Pool pool = create("one", "10.0.0.1");
    Pool other = elsewhere.open("one");
    Claim claim = granted(pool, "a");
    assertThat(pool.claim(ClaimRequest.of("b"))).isInstanceOf(Exhausted.class);
    assertThat(other.claim(ClaimRequest.of("c"))).isInstanceOf(Exhausted.class);

    assertThat(pool.release(claim.value(), claim.token()))
        .isInstanceOf(ReleaseResult.Released.class);

    Claim again = granted(pool, "b");
    pool.release(again.value(), again.token());
    Thread.sleep(Pool.REMEMBERED_FOR.toMillis() + 50);
    assertThat(other.claim(ClaimRequest.of("c"))).isInstanceOf(Granted.class);
  }

  @Test
  void whoCameToHoldAValueElsewhereIsFoundOnceThePoolIsEmptyAgain() throws InterruptedException {
    Pool pool = create("one", "10.0.0.1");
    Claim claim = granted(pool, "a");
    assertThat(pool.claim(ClaimRequest.of("b"))).isInstanceOf(Exhausted.class);

    Pool other = elsewhere.open("one");
    other.release(claim.value(), claim.token());
    Claim moved = granted(other, "b");
    Thread.sleep(Pool.REMEMBERED_FOR.toMillis() + 50);
    assertThat(pool.claim(ClaimRequest.of("c"))).isInstanceOf(Exhausted.class);

    assertThat(pool.claim(ClaimRequest.of("b"))).isEqualTo(new AlreadyHeld(List.of(moved)));
  }

  @Test
  void aValueRestsInQuarantineBeforeItIsHandedOutAgain() {
    pools.create(spec("resting", "10.0.0.1").withQuarantine(Duration.ofHours(1)));
    Pool pool = pools.open("resting");
    Claim claim = granted(pool, "a");

    assertThat(pool.release(claim.value(), claim.token()))
        .isInstanceOf(ReleaseResult.Released.class);

    assertThat(PoolInvariants.counts(pool)).containsExactly(0L, 0L, 1L);
    Exhausted exhausted = (Exhausted) pool.claim(ClaimRequest.of("b"));
    assertThat(exhausted.retryAfter()).isBetween(Duration.ofMinutes(30), Duration.ofHours(1));
    database.execute("update mintmark.pool_quarantine set until = pg_catalog.now()");
    assertThat(claimUntilGranted(pool, ClaimRequest.of("b")).value()).isEqualTo("10.0.0.1");
  }

  @Test
  void aLeaseThatIsNotRenewedEndsAndTheValueGoesToAnother() {
    pools.create(spec("leased", "10.0.0.1").withLease(Duration.ofSeconds(1)));
    Pool pool = pools.open("leased");
    Claim claim = granted(pool, "a");

    Claim next = claimUntilGranted(pool, ClaimRequest.of("b").withLease(Duration.ofHours(1)));

    assertThat(next.value()).isEqualTo(claim.value());
    assertThat(next.token()).isGreaterThan(claim.token());
    assertThat(pool.renew(claim.value(), claim.token(), Optional.empty()))
        .isInstanceOf(Superseded.class);
    assertThat(pool.release(claim.value(), claim.token())).isInstanceOf(Superseded.class);
    assertThat(pool.find(next.value())).contains(next);
  }

  @Test
  void aClientWhoseLeaseHasEndedIsGrantedAnew() throws InterruptedException {
    pools.create(spec("leased", "10.0.0.1", "10.0.0.2").withLease(Duration.ofSeconds(1)));
    Pool pool = pools.open("leased");
    Claim claim = granted(pool, "a");

    Thread.sleep(1_100);

    assertThat(granted(pool, "a").token()).isGreaterThan(claim.token());
    assertThat(pool.stats().total().held()).isEqualTo(1);
  }

  @Test
  void renewingExtendsTheLease() {
    pools.create(spec("leased", "10.0.0.1").withLease(Duration.ofSeconds(50)));
    Pool pool = pools.open("leased");
    Claim claim = granted(pool, "a");

    RenewResult result =
        pool.renew(claim.value(), claim.token(), Optional.of(Duration.ofMinutes(1)));

    Claim renewed = ((RenewResult.Renewed) result).claim();
    assertThat(renewed.token()).isEqualTo(claim.token());
    assertThat(renewed.expiresAt().orElseThrow())
        .isAfter(claim.claimedAt().plus(Duration.ofSeconds(59)));
  }

  @Test
  void renewingWithoutATimeTakesTheOneItWasClaimedWith() {
    Pool pool = create("unleased", "10.0.0.1", "10.0.0.2");
    Claim leased =
        ((Granted) pool.claim(ClaimRequest.of("a").withLease(Duration.ofHours(2)))).claim();
    Claim unleased = granted(pool, "b");

    RenewResult first = pool.renew(leased.value(), leased.token(), Optional.empty());
    RenewResult second = pool.renew(unleased.value(), unleased.token(), Optional.empty());

    assertThat(((RenewResult.Renewed) first).claim().expiresAt().orElseThrow())
        .isAfterOrEqualTo(leased.expiresAt().orElseThrow());
    assertThat(((RenewResult.Renewed) second).claim().expiresAt()).isEmpty();
  }

  @Test
  void anEndedClaimThatSomebodyHasLockedHoldsUpNobodyElse() throws Exception {
    pools.create(spec("leased", "10.0.0.1", "10.0.0.2").withLease(Duration.ofSeconds(1)));
    Pool pool = pools.open("leased");
    granted(pool, "a");
    Thread.sleep(1_100);
    try (Connection connection = database.dataSource().getConnection();
        Statement statement = connection.createStatement()) {
      connection.setAutoCommit(false);
      statement.execute("select from mintmark.pool_claim for share");

      assertThat(pool.claim(ClaimRequest.of("a"))).isInstanceOf(Contended.class);
      assertThat(pool.claim(ClaimRequest.of("b"))).isInstanceOf(Granted.class);
    }
    assertThat(claimUntilGranted(pool, ClaimRequest.of("a")).pool()).isEqualTo("leased");
  }

  @Test
  void aDatabaseThatGivesNoConnectionIsSaidToBeUnavailable() throws Exception {
    create("a", "10.0.0.0/30");
    try (HikariDataSource one = database.connectionPool(1, Duration.ofMillis(250));
        Pools starved = Pools.over(one)) {
      // A new session may take longer to open.
      Pool pool = Session.repeated(() -> starved.open("a"));
      try (Connection held = one.getConnection()) {
        assertThat(held.isValid(600)).isTrue();
        assertThatThrownBy(() -> pool.claim(ClaimRequest.of("x")))
            .isInstanceOf(PoolUnavailableException.class);
        assertThatThrownBy(starved::sweep).isInstanceOf(PoolUnavailableException.class);
      }
      ClaimResult result = Session.repeated(() -> pool.claim(ClaimRequest.of("x")));
      assertThat(ClaimResults.held(result)).hasSize(1);
    }
  }

  @Test
  void claimsAfterTheEndAreRefusedNotForgotten() {
    Pools closed = Pools.over(database.dataSource());
    create("a", "10.0.0.0/30");
    Pool pool = closed.open("a");
    closed.close();

    for (int i = 0; i < 3; i++) {
      assertThatThrownBy(() -> pool.claim(ClaimRequest.of("x")))
          .isInstanceOf(PoolUnavailableException.class);
    }
  }

  /** So does what follows the claim itself: its note. */
  @Test
  void aClaimInProgressFinishesAfterTheEnd() {
    Pools closed = Pools.over(database.dataSource());
    create("a", "10.0.0.0/30");
    Pool pool = closed.open("a");
    ClaimNote note = ClaimNote.of(Map.of("rack", "b7"));
    CompletableFuture<ClaimResult> claiming;
    try (Session session = new Session(database)) {
      session.run("lock table mintmark.pool_claim in share mode");
      claiming = pool.claimAsync(ClaimRequest.of("x").withNote(note));
      Session.awaitWaiting(database, 1, claiming);
      closed.close();
    }

    ClaimResult result = Session.join(claiming);

    assertThat(result).isInstanceOfAny(Granted.class, Contended.class); // After a stall of 2 s.
    if (result instanceof Granted granted) {
      assertThat(pool.notes().of(granted.claim().token())).isEqualTo(note);
    }
  }

  @Test
  void aValueThatNobodyHoldsIsNeitherRenewedNorReleased() {
    Pool pool = create("ports", "8000..8009");

    assertThat(pool.renew("8000", 1, Optional.empty())).isInstanceOf(NotHeld.class);
    assertThat(pool.release("8000", 1)).isInstanceOf(NotHeld.class);
    assertThat(pool.release("no such value", 1)).isInstanceOf(NotHeld.class);
    assertThat(pool.find("10.0.0.1")).isEmpty();
  }

  @Test
  void excludedValuesAreNeverHandedOut() {
    PoolSpec spec =
        PoolSpec.of("some", List.of(Block.parse("10.0.0.0/28"), Block.parse("10.0.1.0/30")))
            .withExclude(List.of(Block.parse("10.0.0.1"), Block.parse("10.0.0.8/29")));
    pools.create(spec);
    Pool pool = pools.open("some");

    Set<String> values = new HashSet<>();
    for (int i = 0; i < 8; i++) {
      values.add(granted(pool, "client-" + i).value());
    }

    assertThat(pool.claim(ClaimRequest.of("late"))).isInstanceOf(Exhausted.class);
    assertThat(values)
        .containsExactlyInAnyOrder(
            "10.0.0.2",
            "10.0.0.3",
            "10.0.0.4",
            "10.0.0.5",
            "10.0.0.6",
            "10.0.0.7",
            "10.0.1.1",
            "10.0.1.2");
    assertThat(pool.spec()).isEqualTo(spec);
    assertThat(pool.map(0, 16).states()).isEqualTo("xhhhhhhxxxxxxxhh");
  }

  @Test
  void theMapShowsTheStateOfEveryValueBlockByBlock() {
    pools.create(spec("two", "10.0.0.0/29", "10.0.1.0/29").withQuarantine(Duration.ofHours(1)));
    Pool pool = pools.open("two");
    Claim released = granted(pool, "a");
    Claim held = granted(pool, "b");
    pool.release(released.value(), released.token());

    PoolMap map = pool.map(2, 8);

    PoolMap whole = pool.map(0, Pool.MAP_MAX);
    assertThat(whole.states()).hasSize(12).containsOnlyOnce("q").containsOnlyOnce("h");
    assertThat(whole.states().charAt(place(whole, held.value()))).isEqualTo('h');
    assertThat(whole.states().charAt(place(whole, released.value()))).isEqualTo('q');
    assertThat(map.states()).isEqualTo(whole.states().substring(2, 10));
    assertThat(map.stretches())
        .containsExactly(
            new PoolMap.Stretch(Block.parse("10.0.0.0/29"), 2, "10.0.0.3", 4),
            new PoolMap.Stretch(Block.parse("10.0.1.0/29"), 6, "10.0.1.1", 4));
    assertThat(pool.map(12, 5).states()).isEmpty();
    assertThatThrownBy(() -> pool.map(0, Pool.MAP_MAX + 1))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void claimsAreListedPageByPageAndByClientAndOwner() {
    Pool pool = create("ports", "8000..8009");
    for (int i = 0; i < 10; i++) {
      String owner = i % 2 == 0 ? "even" : "odd";
      pool.claim(ClaimRequest.of("client-" + i).withOwner(owner));
    }

    List<Claim> first = list(pool, Optional.empty(), Optional.empty(), Optional.empty(), 6);
    List<Claim> second =
        list(pool, Optional.empty(), Optional.empty(), Optional.of(first.get(5).value()), 6);

    assertThat(Stream.concat(first.stream(), second.stream()).map(Claim::value))
        .containsExactlyElementsOf(
            IntStream.range(8000, 8010).mapToObj(Integer::toString).toList());
    assertThat(list(pool, Optional.of("client-3"), Optional.empty(), Optional.empty(), 10))
        .extracting(Claim::client)
        .containsExactly("client-3");
    assertThat(list(pool, Optional.empty(), Optional.of("odd"), Optional.empty(), 10))
        .hasSize(5)
        .allSatisfy(claim -> assertThat(claim.owner()).contains("odd"));
    assertThatThrownBy(
            () -> list(pool, Optional.empty(), Optional.empty(), Optional.of("9999"), 10))
        .hasMessage("pool \"ports\" has no value \"9999\"");
  }

  @Test
  void anIpv6AddressGoesWithEveryClaimWhereOneIsDeclared() {
    Ipv6Embedding ipv6 =
        new Ipv6Embedding(CidrBlock.parse("2001:db8:42::/96"), Ipv6Embedding.Source.IPV4);
    pools.create(
        PoolSpec.of("dual", List.of(Block.parse("45.67.80.1"))).withIpv6(Optional.of(ipv6)));

    assertThat(granted(pools.open("dual"), "a").ipv6()).contains("2001:db8:42::2d43:5001");
  }

  @Test
  void declaringAPoolAgainChangesWhatDiffersAndTakesNothingAway() {
    Pool pool = create("growing", "10.0.0.0/30");
    Claim claim = granted(pool, "a");

    PoolSpec grown = spec("growing", "10.0.0.0/30", "10.0.1.0/30").withLease(Duration.ofHours(1));
    assertThat(pools.declare(grown))
        .isEqualTo(
            new Pools.Declared(
                false, List.of(Block.parse("10.0.1.0/30")), List.of(), List.of(), List.of()));
    assertThat(pools.declare(grown))
        .isEqualTo(new Pools.Declared(false, List.of(), List.of(), List.of(), List.of()));
    assertThat(pool.spec()).isEqualTo(grown);
    assertThat(pools.declare(spec("growing", "10.0.1.0/30")).undeclared())
        .containsExactly(Block.parse("10.0.0.0/30"));

    assertThat(PoolInvariants.counts(pool)).containsExactly(3L, 1L, 0L);
    assertThat(pool.find(claim.value())).contains(claim);
    for (String client : List.of("b", "c", "d")) {
      granted(pool, client);
    }
    assertThat(pool.claim(ClaimRequest.of("e"))).isInstanceOf(Exhausted.class);
  }

  @Test
  void aBlockThatOverlapsOneOfThePoolIsRefused() {
    create("a", "10.0.0.0/24");

    assertThatThrownBy(() -> pools.declare(spec("a", "10.0.0.0/23")))
        .hasMessage("pool \"a\": blocks 10.0.0.0/24 and 10.0.0.0/23 overlap");
  }

  @Test
  void aDeclarationThatDoesNotGoWithWhatStaysIsRefusedAndChangesNothing() {
    Pool pool = create("a", "10.0.0.0/28");

    assertThatThrownBy(() -> pools.declare(spec("a", "0..9").withLease(Duration.ofHours(1))))
        .hasMessage("pool \"a\": 10.0.0.0/28 and 0..9 are of different families");

    assertThat(elsewhere.open("a").spec()).isEqualTo(pool.spec());
  }

  @Test
  void theDatabaseItselfRefusesBlocksThatOverlap() {
    create("a", "10.0.0.0/24");
    create("b", "10.0.0.0/25");

    assertThatThrownBy(
            () ->
                database.execute(
                    "insert into mintmark.pool_block (pool_id, declared, addresses, gaps, size, seed)"
                        + " select pool_id, 'x', '10.0.0.4/30', '{}', 2, 'x' from mintmark.pool"
                        + " where name = 'a'"))
        .hasMessageContaining("pool_block_addresses_overlap");
  }

  @Test
  void aNameIsGivenToOnePool() {
    assertThat(pools.create(spec("once", "10.0.0.0/30"))).isTrue();
    assertThat(pools.create(spec("once", "10.0.0.0/24"))).isFalse();

    assertThat(pools.open("once").stats().total().capacity()).isEqualTo(2);
    assertThat(pools.names()).containsExactly("once");
  }

  @Test
  void aPoolThatIsNotThereIsCalledUnknown() {
    assertThatThrownBy(() -> pools.open("nowhere"))
        .isInstanceOf(UnknownPoolException.class)
        .hasMessage("no pool \"nowhere\"");

    Pool pool = create("gone", "10.0.0.0/30");
    elsewhere.delete("gone");
    assertThatThrownBy(() -> pool.claim(ClaimRequest.of("a")))
        .isInstanceOf(UnknownPoolException.class);
  }

  @Test
  void namesOfClientsAndOwnersAreCheckedAtTheDoor() {
    assertThatThrownBy(() -> ClaimRequest.of("")).hasMessageContaining("client \"\"");
    assertThatThrownBy(() -> ClaimRequest.of("x".repeat(256))).hasMessageContaining("got 256");
    assertThatThrownBy(() -> ClaimRequest.of("a\u0000b")).hasMessageContaining("character 1");
    assertThatThrownBy(() -> ClaimRequest.of("a").withLease(Duration.ofMillis(1)))
        .hasMessage("lease is 1ms: expected 1s to 3650d");
    assertThatThrownBy(() -> ClaimRequest.of("\ud800")).hasMessageContaining("surrogate");
    assertThat(ClaimRequest.of("x".repeat(255)).client()).hasSize(255);
  }

  private Pool create(String name, String... blocks) {
    assertThat(pools.create(spec(name, blocks))).isTrue();
    return pools.open(name);
  }

  private static PoolSpec spec(String name, String... blocks) {
    return PoolSpec.of(name, Stream.of(blocks).map(Block::parse).toList());
  }

  private static Claim granted(Pool pool, String client) {
    ClaimResult result = pool.claim(ClaimRequest.of(client));
    assertThat(result).isInstanceOf(Granted.class);
    return ((Granted) result).claim();
  }

  private static Claim claimUntilGranted(Pool pool, ClaimRequest request) {
    return Patience.awaitValue(
        "granted", () -> ClaimResults.held(pool.claim(request)).stream().findFirst());
  }

  private static List<Claim> list(
      Pool pool,
      Optional<String> client,
      Optional<String> owner,
      Optional<String> after,
      int limit) {
    return pool.claims(
        ClaimFilter.ALL
            .withClient(client.map(NameMatch::exactly))
            .withOwner(owner.map(NameMatch::exactly))
            .withAfter(after),
        limit);
  }

  private static int place(PoolMap map, String value) {
    for (PoolMap.Stretch stretch : map.stretches()) {
      var place = stretch.block().positionOf(value);
      if (place.isPresent()) {
        return (int) (stretch.from() + place.getAsLong());
      }
    }
    throw new AssertionError(value + " is not on the map");
  }
}
