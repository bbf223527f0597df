package dev.mintmark.postgres.pool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mintmark.Block;
import dev.mintmark.CidrBlock;
import dev.mintmark.DurationText;
import dev.mintmark.Ipv6Embedding;
import dev.mintmark.PoolSpec;
import dev.mintmark.PoolSpec.Source;
import dev.mintmark.fixtures.BreakableDataSource;
import dev.mintmark.fixtures.OnServers;
import dev.mintmark.fixtures.Patience;
import dev.mintmark.fixtures.TestDatabase;
import dev.mintmark.fixtures.TestServer;
import dev.mintmark.fixtures.ThreadPerTask;
import dev.mintmark.postgres.internal.SqlFile;
import dev.mintmark.postgres.pool.ClaimResult.AlreadyHeld;
import dev.mintmark.postgres.pool.ClaimResult.CutOff;
import dev.mintmark.postgres.pool.ClaimResult.Exhausted;
import dev.mintmark.postgres.pool.ClaimResult.Granted;
import dev.mintmark.postgres.pool.ManyClaims.Named;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A pool that gets its blocks from a pool of another database. */
@Tag("slow")
class PoolSupplyTest {
  private static final Duration SOURCE_LEASE = Duration.ofHours(1);
  private static final Duration LEASE = Duration.ofMinutes(10);

  private final TestDatabase home = TestDatabase.create();
  private final TestDatabase eu = TestDatabase.create();
  private final BreakableDataSource toHome = new BreakableDataSource(home.dataSource());
  private final BreakableDataSource toEu = new BreakableDataSource(eu.dataSource());
  private final Pools pools = across();

  @AfterEach
  void everyValueIsInJustOneState() {
    pools.close();
    assertThat(PoolInvariants.violations(home)).isEmpty();
    assertThat(PoolInvariants.violations(eu)).isEmpty();
  }

  private Pools across() {
    return Pools.across(
        List.of(Pools.over("home", toHome.dataSource()), Pools.over("eu", toEu.dataSource())));
  }

  private static PoolSpec source(String block) {
    return PoolSpec.of("all", List.of(Block.parse(block)))
        .withLease(SOURCE_LEASE)
        .withQuarantine(LEASE);
  }

  private static PoolSpec supplied(long keepFree) {
    return PoolSpec.of("p", new Source("all", keepFree)).withLease(LEASE);
  }

  private static PoolSpec inEu(PoolSpec spec) {
    return spec.withDatabase(Optional.of("eu"));
  }

  /** A pool in the other database than its source, without blocks. */
  private void create(String block, long keepFree) {
    assertThat(pools.create(source(block))).isTrue();
    assertThat(pools.create(inEu(supplied(keepFree)))).isTrue();
  }

  /** The same, with its first block. */
  private void createSupplied(String block, long keepFree) {
    create(block, keepFree);
    pools.supply();
  }

  private ClaimResult claim(String client) {
    return pools.open("p").claim(ClaimRequest.of(client));
  }

  private Claim granted(String client) {
    return granted(claim(client));
  }

  private static Claim granted(ClaimResult result) {
    return ((Granted) result).claim();
  }

  /** Claims for so many clients. */
  private List<Claim> grantedTo(String prefix, int clients) {
    return IntStream.range(0, clients).mapToObj(i -> granted(prefix + i)).toList();
  }

  private void release(Claim claim) {
    assertThat(pools.open(claim.pool()).release(claim.value(), claim.token()))
        .isInstanceOf(ReleaseResult.Released.class);
  }

  private List<String> blocks() {
    return pools.open("p").context().reload().spec().blocks().stream()
        .map(Block::toString)
        .toList();
  }

  /** The runs that the pool has claimed. */
  private List<String> claimed() {
    return pools.open("all").claims(ClaimFilter.ofOwner("p"), 100).stream()
        .map(Claim::value)
        .toList();
  }

  /** The next round asks the source, as it does each minute. */
  private void aMinutePasses() {
    eu.execute("update mintmark.pool_source set asked_at = asked_at - interval '1 minute'");
  }

  private Instant until() {
    return eu.value("select until from mintmark.pool_supply", OffsetDateTime.class).toInstant();
  }

  @Test
  void runOfTheSourceBecomesABlock() {
    create("1..1000 by 100", 50);
    assertThat(blocks()).isEmpty();
    assertThat(claim("early"))
        .isEqualTo(new CutOff("p", "all", Optional.empty(), Duration.ofSeconds(5)));
    assertThat(pools.open("p").stats().blocks()).isEmpty();
    assertThat(pools.open("p").map(0, 10).states()).isEmpty();

    pools.supply();

    assertThat(blocks()).containsExactly("1..100");
    Claim run = pools.open("all").claims(ClaimFilter.ALL, 9).get(0);
    assertThat(run.value()).isEqualTo("1..100");
    assertThat(run.owner()).contains("p");
    assertThat(run.client()).startsWith("p/");
    grantedTo("c", 50);
    pools.supply();
    assertThat(blocks()).as("50 are free").hasSize(1);
    granted("one more");
    pools.supply();
    assertThat(blocks()).containsExactly("1..100", "101..200");
    assertThat(claimed()).containsExactly("1..100", "101..200");
    assertThat(pools.open("p").spec().source()).contains(new Source("all", 50));
  }

  @Test
  void asManyBlocksAreClaimedAsAreNeeded() {
    createSupplied("1..1000 by 100", 350);

    assertThat(blocks()).hasSize(4);
  }

  @Test
  void poolWaitsForItsSourceWhileThatIsExhausted() {
    createSupplied("1..200 by 100", 300);

    assertThat(blocks()).hasSize(2);
    grantedTo("c", 200);
    assertThat(((Exhausted) claim("late")).retryAfter()).isLessThan(Duration.ofSeconds(3));
    assertThat(eu.text("select retry_after < '3 s' from mintmark.claim_value('p', 'later')"))
        .isEqualTo("t");
    assertThat(eu.number("select count(*) from mintmark.pool_supply where state = 'asked'"))
        .isZero();

    pools.open("all").addBlock(Block.parse("201..300 by 100"), List.of());
    pools.supply();

    granted("late");
  }

  /** The quota of an owner in the source is that of the pool. */
  @Test
  void poolHasAsManyBlocksAsTheSourceGivesAnOwner() {
    pools.create(source("1..1000 by 100").withPerOwner(Optional.of(2)));
    pools.create(inEu(supplied(500)));

    pools.supply();

    assertThat(blocks()).hasSize(2);
  }

  @Test
  void sourceMayBeInTheSameDatabase() {
    TestDatabase one = TestDatabase.create();
    try (Pools alone = Pools.over(one.dataSource())) {
      alone.create(source("10.0.0.0/16 by /24"));
      alone.create(supplied(10));

      alone.supply();

      Claim claim = granted(alone.open("p").claim(ClaimRequest.of("a")));
      assertThat(claim.value()).startsWith("10.0.0.");
      assertThat(alone.open("p").positionOf("10.0.0.1")).hasValue(0);
      assertThat(PoolInvariants.violations(one)).isEmpty();
    }
  }

  /** A program that has only one of the two databases leaves the exchange to others. */
  @Test
  void sourceThatThisProgramDoesNotHaveIsNotAsked() {
    createSupplied("1..1000 by 100", 50);
    try (Pools alone = Pools.over("eu", eu.dataSource())) {
      granted(alone.open("p").claim(ClaimRequest.of("a")));
      alone.supply();
      alone.supply();
      assertThat(alone.declare(inEu(supplied(60))).created()).isFalse();
      assertThat(alone.open("p").spec().source()).contains(new Source("all", 60));
    }
  }

  /** 2^64 addresses are stored in four parts. */
  @Test
  void prefixOfAllAddressesBecomesOneBlock() {
    pools.create(source("2001:db8::/60 by /64"));
    pools.create(inEu(supplied(10)));
    pools.supply();
    assertThat(blocks()).containsExactly("2001:db8::/64");
    Claim claim = granted("a");
    pools.open("p").drain("2001:db8::/64", true);
    pools.supply();
    assertThat(blocks()).containsExactly("2001:db8::/64", "2001:db8:0:1::/64");
    assertThat(claimed()).containsExactly("2001:db8::/64", "2001:db8:0:1::/64");

    release(claim);
    pools.sweep();
    pools.supply();

    assertThat(blocks()).containsExactly("2001:db8:0:1::/64");
    assertThat(claimed()).containsExactly("2001:db8:0:1::/64");
  }

  @OnServers({TestServer.V14, TestServer.V18})
  void everyClaimEndsBeforeItsBlock(TestServer server) throws SQLException {
    TestDatabase one = TestDatabase.create(server);
    try (Pools alone = Pools.over(one.dataSource());
        Connection caller = one.newSessions().getConnection()) {
      alone.create(source("1..100000 by 10000"));
      alone.create(supplied(50).withPerClient(2).withOrder(PoolSpec.Order.ASCENDING));
      alone.supply();
      Pool pool = alone.open("p");
      endsIn(one, "1 minute");

      Claim first = granted(pool.claim(ClaimRequest.of("a")));
      granted(pool.claim(ClaimRequest.of("b").withLease(Duration.ofHours(3))));
      granted(pool.claim(ClaimRequest.of("c").withCount(2)));
      granted(pool.claim(ClaimRequest.of("d").withValue("77")));
      granted(pool.claim(ClaimRequest.of("d").withValue("9876")));
      pool.release(first.value(), first.token());
      assertThat(granted(pool.claim(ClaimRequest.of("a"))).value())
          .as("by reclaim.sql")
          .isEqualTo(first.value());
      caller.setAutoCommit(false);
      granted(pool.claim(caller, ClaimRequest.of("e")));
      granted(pool.claim(caller, ClaimRequest.of("f").withValue("700")));
      caller.commit();
      String bySql = "select outcome from mintmark.claim_value('p', %s)";
      assertThat(one.text(bySql.formatted("'g'"))).isEqualTo("granted");
      assertThat(one.text(bySql.formatted("'h', lease => '2 hours', wanted => '701'")))
          .isEqualTo("granted");
      assertThat(claimsThatEndWithTheBlock(one)).isEqualTo(10);

      endsIn(one, "2 minutes");
      Named a = named(pool, "a");
      assertThat(pool.renew(a.value(), a.token(), Optional.empty()))
          .isInstanceOf(RenewResult.Renewed.class);
      pool.many().renew(ClaimFilter.ofClient("b"), Optional.empty(), 9);
      pool.many()
          .renew(
              List.of(named(pool, "g"), named(pool, "h")),
              Optional.of(Duration.ofHours(2)),
              Optional.empty());
      for (String client : List.of("e", "f")) {
        Named claim = named(pool, client);
        assertThat(
                one.text(
                    "select outcome from mintmark.renew_value('p', '%s', %d, '3 hours')"
                        .formatted(claim.value(), claim.token())))
            .isEqualTo("renewed");
      }
      assertThat(claimsThatEndWithTheBlock(one)).isEqualTo(6);

      endsIn(one, "1 second");
      Claim before = pool.find(a.value()).orElseThrow();
      pool.renew(a.value(), a.token(), Optional.empty());
      assertThat(pool.find(a.value())).as("not earlier than before").contains(before);
      assertThat(PoolInvariants.violations(one)).isEmpty();
    }
  }

  private static void endsIn(TestDatabase database, String interval) {
    database.execute(
        "update mintmark.pool_supply set until = now() + interval '%s'".formatted(interval));
  }

  private static Named named(Pool pool, String client) {
    Claim claim = pool.claims(ClaimFilter.ofClient(client), 1).get(0);
    return new Named(claim.value(), claim.token());
  }

  private static long claimsThatEndWithTheBlock(TestDatabase database) {
    return database.number(
        """
        select count(*)
        from mintmark.pool_claim
        join mintmark.pool using (pool_id)
        where name = 'p' and expires_at = (select until from mintmark.pool_supply)
        """);
  }

  @Test
  void poolWhoseBlocksEndIsCutOffUntilItsSourceAnswers() throws SQLException {
    createSupplied("1..1000 by 100", 50);
    Claim held = granted("held");
    Instant asked =
        eu.value("select asked_at from mintmark.pool_source", OffsetDateTime.class).toInstant();
    eu.execute("update mintmark.pool_source set until = now() + interval '1 second'");
    toHome.cut();

    try (Pools other = Pools.over("eu", eu.dataSource());
        Connection caller = eu.newSessions().getConnection()) {
      Pool pool = other.open("p");
      CutOff cutOff = new CutOff("p", "all", Optional.of(asked), Duration.ofSeconds(5));
      assertThat(cutOff.outcome()).isEqualTo("cut-off");
      assertThat(pool.claim(ClaimRequest.of("new"))).isEqualTo(cutOff);
      String free = held.value().equals("7") ? "8" : "7";
      assertThat(pool.claim(ClaimRequest.of("new").withValue(free))).isEqualTo(cutOff);
      caller.setAutoCommit(false);
      assertThat(pool.claim(caller, ClaimRequest.of("new"))).isEqualTo(cutOff);
      caller.rollback();
      assertThat(eu.rows("select outcome, retry_after from mintmark.claim_value('p', 'new')"))
          .containsExactly(List.of("cut-off", "00:00:05"));
      assertThat(pool.claim(ClaimRequest.of("held"))).isEqualTo(new AlreadyHeld(List.of(held)));
      assertThat(pool.renew(held.value(), held.token(), Optional.empty()))
          .isInstanceOf(RenewResult.Renewed.class);
    }
    aMinutePasses();
    assertThatThrownBy(pools::supply).isInstanceOf(PoolUnavailableException.class);
    assertThatThrownBy(() -> pools.parts().get(1).supply())
        .isInstanceOf(PoolUnavailableException.class)
        .hasMessageStartingWith("blocks of pool \"p\": pool \"all\": the database failed: cut");
    assertThat(claim("new")).isInstanceOf(CutOff.class);

    toHome.mend();
    pools.supply();

    granted("new");
  }

  @Test
  void blockEndsLaterEachTimeThatTheSourceIsAsked() {
    createSupplied("1..1000 by 100", 50);
    eu.execute("update mintmark.pool_supply set until = until - interval '10 minutes'");
    eu.execute("update mintmark.pool_source set until = until - interval '10 minutes'");
    Instant before = until();
    pools.supply();
    assertThat(until()).as("it was asked in this minute").isEqualTo(before);

    aMinutePasses();
    pools.supply();

    assertThat(until()).isAfter(before.plus(Duration.ofMinutes(9)));
    assertThat(eu.value("select until from mintmark.pool_source", OffsetDateTime.class).toInstant())
        .isEqualTo(until());
    assertThat(pools.open("all").claims(ClaimFilter.ALL, 1).get(0).expiresAt().orElseThrow())
        .as("the claim ends later")
        .isBetween(until().plus(Duration.ofSeconds(18)), until().plus(Duration.ofMinutes(10)));
  }

  @Test
  void blocksOfASourceWithoutALeaseDoNotEnd() {
    pools.create(source("1..1000 by 100").withLease(Optional.empty()));
    pools.create(inEu(supplied(50)).withLease(Optional.empty()));
    pools.supply();
    toHome.cut();
    aMinutePasses();

    assertThatThrownBy(pools::supply).isInstanceOf(PoolUnavailableException.class);

    assertThat(granted("a").expiresAt()).isEmpty();
    assertThat(eu.rows("select until from mintmark.pool_source")).containsExactly(List.of("null"));
    toHome.mend();
    pools.supply();
    assertThat(blocks()).containsExactly("1..100");
  }

  @Test
  void blockThatTheSourceDoesNotHaveAnyMoreIsDrained() {
    createSupplied("1..1000 by 100", 50);
    Claim claim = granted("a");
    release(pools.open("all").claims(ClaimFilter.ALL, 1).get(0));
    aMinutePasses();

    pools.supply();

    assertThat(eu.rows("select value, state from mintmark.pool_supply order by 1"))
        .containsExactly(List.of("1..100", "lost"), List.of("101..200", "used"));
    RenewResult.Renewed renewed =
        (RenewResult.Renewed) pools.open("p").renew(claim.value(), claim.token(), Optional.empty());
    assertThat(renewed.claim().expiresAt()).isEqualTo(claim.expiresAt());
    assertThat(Integer.parseInt(granted("b").value())).isBetween(101, 200);
    assertThat(pools.open("p").drain("1..100", false)).isFalse();
    assertThat(Integer.parseInt(granted("c").value())).isBetween(101, 200);

    release(claim);
    pools.sweep();
    pools.supply();

    assertThat(blocks()).containsExactly("101..200");
    assertThat(eu.rows("select value, state from mintmark.pool_supply"))
        .containsExactly(List.of("101..200", "used"));
  }

  @Test
  void blockThatIsNotNeededIsGivenBackWhenItsClaimsHaveEnded() {
    createSupplied("1..1000 by 100", 10);
    List<Claim> claims = threeBlocks();
    Claim last = claims.get(claims.size() - 1);
    claims.stream().filter(claim -> !claim.equals(last)).forEach(this::release);
    aMinutePasses();
    pools.supply();
    pools.sweep();
    pools.supply();
    assertThat(claimed()).as("one is drained").hasSize(3);
    assertThat(drained()).containsExactly("201..300");

    release(last);
    pools.sweep();
    pools.supply();

    assertThat(blocks()).containsExactly("1..100", "101..200");
    assertThat(claimed()).containsExactly("1..100", "101..200");
    assertThat(home.number("select count(*) from mintmark.pool_quarantine")).isOne();
    assertThat(eu.number("select count(*) from mintmark.pool_supply")).isEqualTo(2);
    aMinutePasses();
    pools.supply();
    assertThat(drained()).as("two are needed to be sure").isEmpty();
  }

  @Test
  void blockThatWasNotNeededIsUsedAgain() {
    createSupplied("1..1000 by 100", 10);
    List<Claim> claims = threeBlocks();
    Claim last = claims.get(claims.size() - 1);
    claims.stream().filter(claim -> !claim.equals(last)).forEach(this::release);
    aMinutePasses();
    pools.supply();
    pools.sweep();
    assertThat(drained()).containsExactly("201..300");
    grantedTo("again", 195);

    pools.supply();

    assertThat(drained()).isEmpty();
    assertThat(claimed()).hasSize(3);
    assertThat(grantedTo("more", 100))
        .extracting(Claim::value)
        .filteredOn(value -> Integer.parseInt(value) > 200)
        .hasSizeGreaterThan(90);
  }

  @Test
  void blockThatAPersonDrainsIsGivenBack() {
    createSupplied("1..1000 by 100", 10);

    assertThat(pools.open("p").drain("1..100", true)).isTrue();
    pools.supply();

    assertThat(blocks()).containsExactly("101..200");
    assertThat(claimed()).containsExactly("101..200");
  }

  /** Until 290 values of three blocks are held; the last claim is of the third. */
  private List<Claim> threeBlocks() {
    List<Claim> claims = new ArrayList<>(grantedTo("a", 95));
    pools.supply();
    claims.addAll(grantedTo("b", 100));
    pools.supply();
    claims.addAll(grantedTo("c", 95));
    assertThat(blocks()).containsExactly("1..100", "101..200", "201..300");
    Claim ofThird =
        claims.stream()
            .filter(claim -> Integer.parseInt(claim.value()) > 200)
            .findFirst()
            .orElseThrow();
    claims.remove(ofThird);
    claims.add(ofThird);
    return claims;
  }

  private List<String> drained() {
    return eu
        .rows(
            "select declared from mintmark.pool_block where draining and removed_at is null order by 1")
        .stream()
        .map(row -> row.get(0))
        .toList();
  }

  /** Wherever an exchange is cut, on either side, the next ones have the same in both databases. */
  @Test
  @Tag("long")
  void interruptedExchangeIsGoneOnWith() {
    createSupplied("1..100000 by 100", 50);
    for (BreakableDataSource broken : List.of(toHome, toEu)) {
      boolean complete = false;
      for (int step = 0; !complete; step++) {
        pools.open("p").drain(blocks().get(0), true);
        aMinutePasses();
        broken.cutAfter(step);
        try (Pools killed = across()) {
          complete = IntStream.range(0, 2).noneMatch(round -> fails(killed));
        }
        broken.mend();
        eu.execute(
            "update mintmark.pool_supply set changed_at = changed_at - interval '2 minutes'");
        pools.supply();
        aMinutePasses();
        pools.sweep();
        pools.supply();

        assertThat(eu.rows("select distinct state from mintmark.pool_supply"))
            .as("step %s", step)
            .containsExactly(List.of("used"));
        assertThat(home.rows("select client from mintmark.pool_claim order by 1"))
            .as("step %s", step)
            .isEqualTo(eu.rows("select client from mintmark.pool_supply order by 1"));
        assertThat(claimed()).as("step %s", step).isEqualTo(blocks());
        assertThat(PoolInvariants.violations(eu)).isEmpty();
        assertThat(step).isLessThan(300);
      }
    }
  }

  private static boolean fails(Pools pools) {
    try {
      pools.supply();
      return false;
    } catch (PoolUnavailableException e) {
      return true;
    }
  }

  /** Between the grant of a run and its block, while a program was stopped. */
  @Test
  void runThatAnotherProgramGaveUpIsNoBlock() {
    create("1..1000 by 100", 50);
    pools.supply();
    pools.open("p").drain("1..100", true);
    pools.supply();
    pools.open("p").drain("101..200", true);
    afterAGrant(
        () ->
            eu.execute("update mintmark.pool_supply set state = 'returned' where state = 'asked'"));

    pools.supply();

    assertThat(blocks()).isEmpty();
    assertThat(claimed()).isEmpty();
    assertThat(eu.number("select count(*) from mintmark.pool_supply")).isZero();
    pools.supply();
    assertThat(blocks()).containsExactly("301..400");
  }

  @Test
  void runThatWasClaimedBeforeAFailoverIsNoBlock() {
    createSupplied("1..1000 by 100", 50);
    grantedTo("c", 60);
    afterAGrant(() -> Pools.restored(eu.dataSource(), false));

    pools.supply();

    assertThat(blocks()).containsExactly("1..100");
    assertThat(claimed()).containsExactly("1..100");
  }

  @Test
  void runThatWasClaimedForADeletedPoolIsReleased() {
    create("1..1000 by 100", 50);
    pools.supply();
    grantedTo("c", 60);
    afterAGrant(() -> eu.execute("delete from mintmark.pool"));

    assertThatThrownBy(pools::supply).isInstanceOf(PoolUnavailableException.class);

    assertThat(claimed()).as("that of the deleted block stays until its lease ends").hasSize(1);
    eu.execute("delete from mintmark.pool_claim; delete from mintmark.pool_free");
  }

  /** Runs something once, before the next grant of a run is answered. */
  private void afterAGrant(Runnable action) {
    AtomicBoolean done = new AtomicBoolean();
    pools.reportClaims(
        pool ->
            new ClaimListener.Begun() {
              @Override
              public void ended(ClaimResult result) {
                if (pool.equals("all")
                    && result instanceof Granted
                    && done.compareAndSet(false, true)) {
                  action.run();
                }
              }

              @Override
              public void failed(Throwable failure) {}
            });
  }

  /** What a program has asked before it was stopped for long, or before a failover. */
  @Test
  void answersThatAreTooOldAreNotRecorded() throws SQLException {
    createSupplied("1..1000 by 100", 50);
    Instant before = until();
    Map<String, @Nullable Object> binds = new HashMap<>();
    binds.put("pool_id", pools.open("p").id());
    binds.put("epoch", eu.text("select epoch from mintmark.pool"));
    binds.put("seen_token", 0L);
    binds.put("kept", new Long[] {eu.number("select supply_id from mintmark.pool_supply")});
    binds.put("kept_millis", new Long[] {3_700_000L});
    binds.put("lost", new Long[0]);
    binds.put("alone_millis", null);
    binds.put("late_millis", 60_000L);

    binds.put("at", OffsetDateTime.now(ZoneOffset.UTC).minusMinutes(2));
    assertThat(update("supply_extend", binds)).isZero();
    binds.put("at", OffsetDateTime.now(ZoneOffset.UTC));
    binds.put("epoch", UUID.randomUUID().toString());
    assertThat(update("supply_extend", binds)).isZero();
    binds.put("epoch", eu.text("select epoch from mintmark.pool"));
    binds.put("seen_token", Long.MAX_VALUE);
    assertThat(update("supply_extend", binds)).isZero();
    assertThat(until()).isEqualTo(before);

    binds.put("seen_token", 0L);
    assertThat(update("supply_extend", binds)).isOne();
    assertThat(until()).isAfter(before);

    eu.execute("update mintmark.pool_supply set state = 'asked'");
    binds.keySet().retainAll(List.of("pool_id", "epoch", "seen_token"));
    binds.put("supply_id", eu.number("select supply_id from mintmark.pool_supply"));
    binds.put("value", "1..100");
    binds.put("token", 1L);
    binds.put("kept_millis", 3_600_000L);
    binds.put("at", OffsetDateTime.now(ZoneOffset.UTC).minusMinutes(31));
    assertThat(update("supply_attach", binds)).as("half of the lease is over").isZero();
    binds.put("at", OffsetDateTime.now(ZoneOffset.UTC).minusMinutes(29));
    assertThat(update("supply_attach", binds)).isOne();
    assertThat(update("supply_attach", binds)).as("once").isZero();
  }

  private int update(String name, Map<String, @Nullable Object> binds) throws SQLException {
    try (Connection connection = eu.dataSource().getConnection();
        PreparedStatement statement = SqlFile.load(Pool.class, name).prepare(connection, binds)) {
      return statement.executeUpdate();
    }
  }

  @Test
  void afterAFailoverNothingIsGrantedBeforeTheSourceWasAsked() {
    createSupplied("1..1000 by 100", 50);
    Claim held = granted("held");
    Pools.restored(eu.dataSource(), false);
    pools.sweep();

    assertThat(claim("new")).isInstanceOf(CutOff.class);
    assertThat(claim("held")).isEqualTo(new AlreadyHeld(List.of(held)));
    assertThat(renewed(held).expiresAt()).isEqualTo(held.expiresAt());

    pools.supply();

    assertThat(Integer.parseInt(granted("new").value()))
        .as("the values of the other block rest")
        .isBetween(101, 200);
    assertThat(renewed(held).expiresAt().orElseThrow()).isAfter(held.expiresAt().orElseThrow());
  }

  /** Also if nothing was claimed since the copy was made: a block may have been given back. */
  @Test
  void afterARestoreNothingIsGrantedBeforeTheSourceWasAsked() {
    createSupplied("1..1000 by 100", 50);
    Pools.restored(eu.dataSource(), true);

    assertThat(claim("new")).isInstanceOf(CutOff.class);
    pools.supply();
    assertThat(Integer.parseInt(granted("new").value())).isBetween(1, 100);
  }

  private Claim renewed(Claim claim) {
    return ((RenewResult.Renewed)
            pools.open("p").renew(claim.value(), claim.token(), Optional.empty()))
        .claim();
  }

  /** The run was given back, and another pool may have it. */
  @Test
  void blockThatADatabaseHasAgainAfterItWentBackIsNotUsed() {
    createSupplied("1..1000 by 100", 50);
    TestDatabase older = eu.copy();
    BreakableDataSource toOlder = new BreakableDataSource(older.dataSource());
    pools.open("p").drain("1..100", true);
    pools.supply();
    home.execute("update mintmark.pool_quarantine set until = now()");
    pools.sweep();
    assertThat(granted(pools.open("all").claim(ClaimRequest.of("x").withOwner("us"))).value())
        .isEqualTo("1..100");

    Pools.restored(older.dataSource(), false);
    try (Pools restored =
        Pools.across(
            List.of(
                Pools.over("home", toHome.dataSource()), Pools.over("eu", toOlder.dataSource())))) {
      assertThat(restored.open("p").claim(ClaimRequest.of("new"))).isInstanceOf(CutOff.class);
      restored.supply();
      restored.supply();

      assertThat(granted(restored.open("p").claim(ClaimRequest.of("new"))).value())
          .as("101..200 is lost until its lease ends")
          .satisfies(value -> assertThat(Integer.parseInt(value)).isBetween(201, 300));
      assertThat(older.rows("select value, state from mintmark.pool_supply order by token"))
          .contains(List.of("201..300", "used"))
          .doesNotContain(List.of("1..100", "used"));
    }
    assertThat(PoolInvariants.violations(older)).isEmpty();
  }

  /** Fencing tokens are compared wherever the value is used. */
  @Test
  void laterClaimOfAValueHasAGreaterTokenInWhicheverDatabase() {
    TestDatabase us = TestDatabase.create();
    pools.create(
        source("1..1000 by 100").withLease(Optional.empty()).withQuarantine(Duration.ZERO));
    pools.create(inEu(supplied(50)));
    pools.supply();
    eu.execute("select setval('mintmark.pool_token', 5000000000)");
    Claim before = granted(pools.open("p").claim(ClaimRequest.of("a").withValue("7")));
    release(before);
    pools.declare(inEu(supplied(0)));
    pools.open("p").drain("1..100", true);
    pools.supply();
    assertThat(claimed()).isEmpty();

    try (Pools both =
        Pools.across(
            List.of(Pools.over("home", home.dataSource()), Pools.over("us", us.dataSource())))) {
      both.create(
          PoolSpec.of("q", new Source("all", 50)).withLease(LEASE).withDatabase(Optional.of("us")));
      both.supply();
      both.supply();
      Claim after = granted(both.open("q").claim(ClaimRequest.of("b").withValue("7")));
      assertThat(after.token()).isGreaterThan(before.token());
      assertThat(after.previousEnd()).as("it may have been used up to now").isPresent();
    }
  }

  @Test
  void poolThatIsDeletedReleasesItsBlocks() {
    createSupplied("1..1000 by 100", 50);
    Claim claim = granted("a");
    assertThat(pools.deleteUnlessHeld("p")).isOne();
    assertThat(pools.deleteUnlessHeld("all")).as("its run is held").isOne();
    release(claim);

    assertThat(pools.deleteUnlessHeld("p")).isZero();

    assertThat(claimed()).isEmpty();
    assertThat(pools.deleteUnlessHeld("all")).isZero();
  }

  @Test
  void sourceThatCannotSupplyAPoolIsRejected() {
    pools.create(source("1..1000 by 100"));
    pools.create(PoolSpec.of("single", List.of(Block.parse("1..9"))));
    pools.create(inEu(supplied(5)));
    pools.create(
        PoolSpec.of("wide", List.of(Block.parse("2001:db8::/48 by /56")))
            .withLease(SOURCE_LEASE)
            .withQuarantine(LEASE));
    rejected(
        from("all").withBlocks(List.of(Block.parse("1..9"))),
        "it gets its blocks from pool \"all\": expected none");
    rejected(from("nowhere"), "its blocks come from pool \"nowhere\": no such pool");
    rejected(from("p"), "the blocks of pool \"p\" come from another one");
    rejected(
        from("single"),
        "pool \"single\" grants single values: expected runs or prefixes, as in 1..1000000 by 1000");
    rejected(
        from("all").withLease(Optional.empty()),
        "pool \"all\" has a lease of 1h, so its own lease must be shorter than half of that");
    rejected(
        from("all").withLease(Duration.ofMinutes(30)),
        "pool \"all\" has a lease of 1h, so its own lease must be shorter than half of that");
    rejected(
        from("all").withQuarantine(Duration.ofSeconds(1)),
        "pool \"all\" has a quarantine of 10m: expected at least the lease and the quarantine of this pool, "
            + DurationText.format(LEASE.plusSeconds(1)));
    rejected(from("wide"), "block 2001:db8::/56 has more than 2^64 values: expected /64 or longer");
    rejected(
        from("all")
            .withIpv6(
                Optional.of(
                    new Ipv6Embedding(
                        CidrBlock.parse("2001:db8:42::/96"), Ipv6Embedding.Source.IPV4))),
        "only an IPv4 value can be embedded, its blocks are not IPv4");
  }

  private static PoolSpec from(String source) {
    return PoolSpec.of("new", new Source(source, 5)).withLease(LEASE);
  }

  private void rejected(PoolSpec spec, String why) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> pools.create(inEu(spec)))
        .withMessage("pool \"%s\": %s".formatted(spec.name(), why));
    assertThatIllegalArgumentException().isThrownBy(() -> pools.declare(inEu(spec)));
  }

  @Test
  void blocksOfASuppliedPoolAreThoseOfItsSource() {
    createSupplied("1..1000 by 100", 50);
    pools.create(PoolSpec.of("own", List.of(Block.parse("1..9"))));
    Pool pool = pools.open("p");
    List<Block> seven = List.of(Block.parse("7"));
    String why = "pool \"p\" gets its blocks from pool \"all\"";

    for (Runnable change :
        List.<Runnable>of(
            () -> pool.addBlock(Block.parse("2001..2100"), List.of()),
            () -> pool.removeBlock("1..100"),
            () -> pool.exclude(seven),
            () -> pool.include(seven),
            () ->
                PoolAdoption.adopt(
                    pool, new PoolAdoption.Table("t", "v", "c", Optional.empty()), true),
            () -> pool.change(spec -> spec.withSource(Optional.of(new Source("own", 5)))),
            () -> pools.declare(PoolSpec.of("p", seven)))) {
      assertThatIllegalArgumentException().isThrownBy(change::run).withMessageStartingWith(why);
    }
    assertThatIllegalArgumentException()
        .isThrownBy(() -> SlicedPool.open(pools, "p", SliceOptions.of("a")))
        .withMessageEndingWith("its blocks come from pool \"all\"");
    assertThatIllegalStateException()
        .isThrownBy(() -> PoolMove.move(pools, "p", "home", (rows, expected) -> {}))
        .withMessageStartingWith(why);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> pools.declare(PoolSpec.of("own", new Source("all", 5)).withLease(LEASE)))
        .withMessage("pool \"own\" has blocks of its own, which cannot change");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> pool.change(spec -> spec.withLease(SOURCE_LEASE)))
        .withMessageContaining("must be shorter than half of that");
    assertThat(blocks()).containsExactly("1..100");
  }

  @Test
  void howManyValuesAreKeptFreeCanBeChanged() {
    createSupplied("1..1000 by 100", 50);

    assertThat(
            pools
                .open("p")
                .change(spec -> spec.withSource(Optional.of(new Source("all", 150))))
                .source())
        .contains(new Source("all", 150));
    pools.supply();
    assertThat(blocks()).hasSize(2);
    Pools.Declared declared = pools.declare(inEu(supplied(250)));
    assertThat(declared)
        .isEqualTo(new Pools.Declared(false, List.of(), List.of(), List.of(), List.of()));
    pools.supply();
    assertThat(blocks()).hasSize(3);
    pools.declare(inEu(supplied(0)));
    grantedTo("c", 300);
    pools.supply();
    assertThat(blocks()).hasSize(3);
  }

  @Test
  void sweeperSuppliesPools() {
    create("1..1000 by 100", 50);
    ConcurrentLinkedQueue<String> failures = new ConcurrentLinkedQueue<>();
    AtomicBoolean recovered = new AtomicBoolean();
    PoolSweeper.Listener listener =
        new PoolSweeper.Listener() {
          @Override
          public void swept(long freed) {}

          @Override
          public void failed(PoolSweeper.Failures failed) {}

          @Override
          public void recovered(PoolSweeper.Failures failed) {}

          @Override
          public void supplyFailed(PoolSweeper.Failures failed) {
            failures.add(String.valueOf(failed.last().getMessage()));
          }

          @Override
          public void supplyRecovered(PoolSweeper.Failures failed) {
            recovered.set(true);
          }
        };
    try (PoolSweeper sweeper = PoolSweeper.start(pools, Duration.ofMillis(100), listener)) {
      Patience.await("a block", () -> !blocks().isEmpty());
      toHome.cut();
      aMinutePasses();
      Patience.await(
          "a failure",
          () -> failures.stream().anyMatch(why -> why.startsWith("blocks of pool \"p\": ")));
      toHome.mend();
      Patience.await("its end", recovered::get);
      assertThat(sweeper).isNotNull();
    }
  }

  /** Several programs, at the same time, with clients that come and go. */
  @Test
  @Tag("long")
  void programsSupplyAPoolAtTheSameTime() throws Exception {
    create("1..2000 by 20", 15);
    AtomicBoolean ends = new AtomicBoolean();
    List<CompletableFuture<Void>> programs = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      programs.add(CompletableFuture.runAsync(() -> supplyUntil(ends), ThreadPerTask.EXECUTOR));
    }
    for (int round = 0; round < 6; round++) {
      List<Claim> claims = new ArrayList<>();
      Patience.await(
          "claims",
          () -> {
            if (claim("c" + claims.size()) instanceof Granted granted) {
              claims.add(granted.claim());
            }
            return claims.size() == 100;
          });
      assertThat(claims.stream().map(Claim::value).distinct()).hasSize(100);
      claims.forEach(this::release);
      aMinutePasses();
    }
    ends.set(true);
    for (CompletableFuture<Void> program : programs) {
      Session.join(program);
    }
    eu.execute("update mintmark.pool_supply set changed_at = changed_at - interval '2 minutes'");
    pools.sweep();
    pools.supply();
    assertThat(claimed())
        .isEqualTo(
            blocks().stream().sorted(Comparator.comparingInt(PoolSupplyTest::first)).toList());
  }

  private static int first(String run) {
    return Integer.parseInt(run.substring(0, run.indexOf('.')));
  }

  private void supplyUntil(AtomicBoolean ends) {
    try (Pools own = across()) {
      while (!ends.get()) {
        try {
          own.supply();
          own.sweep();
        } catch (PoolUnavailableException e) {
          // Another program had a row locked for long: the next round does it.
        }
      }
    }
  }
}
