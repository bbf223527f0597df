package dev.mintmark.postgres.pool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariDataSource;
import dev.mintmark.Block;
import dev.mintmark.PoolSpec;
import dev.mintmark.ValueList;
import dev.mintmark.fixtures.TestDatabase;
import dev.mintmark.fixtures.ThreadPerTask;
import dev.mintmark.postgres.pool.ClaimResult.AlreadyHeld;
import dev.mintmark.postgres.pool.ClaimResult.Exhausted;
import dev.mintmark.postgres.pool.ClaimResult.Granted;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Values that are excluded from a pool, and included again, while clients claim. */
@Tag("long")
class PoolExclusionsTest {
  private final TestDatabase database = TestDatabase.create();
  private final HikariDataSource connections = database.connectionPool(12);
  private final Pools pools = Pools.over(connections);

  /** Another program on the same database. */
  private final Pools elsewhere = Pools.over(connections);

  private int clients;

  @AfterEach
  void everyValueIsInJustOneState() {
    assertThat(PoolInvariants.violations(database)).isEmpty();
    pools.close();
    elsewhere.close();
    connections.close();
  }

  @Test
  void anExcludedValueIsNotGranted() {
    Pool pool = create(spec("10.0.0.0/29"));

    assertThat(pool.exclude(blocks("10.0.0.3", "10.0.0.4/30"))).isTrue();
    assertThat(pool.exclude(blocks("10.0.0.5", "10.0.0.3"))).as("they are already").isFalse();

    assertThat(values(claimAll(pool))).containsExactlyInAnyOrder("10.0.0.1", "10.0.0.2");
    assertThat(pool.spec().exclude()).isEqualTo(blocks("10.0.0.3", "10.0.0.4/30"));
    assertThat(pool.map(0, 6).states()).isEqualTo("hhxxxx");
    assertThat(pool.stats().total().capacity()).isEqualTo(2);
    assertThatThrownBy(() -> pool.claim(ClaimRequest.of("x").withValue("10.0.0.3")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("pool \"p\" excludes \"10.0.0.3\"");
    assertThatThrownBy(() -> pool.quarantine("10.0.0.3", Duration.ofHours(1)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("pool \"p\" excludes \"10.0.0.3\"");
  }

  @Test
  void anInstanceThatDoesNotKnowOfAnExclusionDoesNotGrantTheValue() {
    create(spec("10.0.0.0/29"));
    Pool stale = elsewhere.open("p");
    pools.open("p").exclude(blocks("10.0.0.3"));

    assertThatThrownBy(() -> stale.claim(ClaimRequest.of("x").withValue("10.0.0.3")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("pool \"p\" excludes \"10.0.0.3\"");
    assertThat(values(claimAll(stale))).hasSize(5).doesNotContain("10.0.0.3");
  }

  @Test
  void whatIsHeldStaysHeldIsListedAndIsNotGrantedAfterItsRelease() {
    Pool pool = create(spec("10.0.0.0/29"));
    Claim held = claim(pool, ClaimRequest.of("a").withValue("10.0.0.3"));
    Claim other = claim(pool, ClaimRequest.of("b").withValue("10.0.0.2"));

    pool.exclude(blocks("10.0.0.3", "10.0.0.4"));

    assertThat(pool.claims(ClaimFilter.EXCLUDED, 10)).containsExactly(held);
    assertThat(pool.claims(ClaimFilter.EXCLUDED.withAfter("10.0.0.3"), 10)).isEmpty();
    assertThat(pool.claims(ClaimFilter.ALL, 10)).containsExactly(other, held);
    assertThat(pool.claim(ClaimRequest.of("a"))).isInstanceOf(AlreadyHeld.class);
    assertThat(pool.claim(ClaimRequest.of("a").withValue("10.0.0.3")))
        .isEqualTo(new AlreadyHeld(List.of(held)));
    assertThat(pool.map(0, 6).states()).isEqualTo("fhhxff");
    assertThat(pool.stats().total().capacity()).isEqualTo(5);
    assertThat(pool.renew(held.value(), held.token(), Optional.empty()))
        .isInstanceOf(RenewResult.Renewed.class);

    pool.release(held.value(), held.token());

    assertThat(pool.claims(ClaimFilter.EXCLUDED, 10)).isEmpty();
    assertThat(values(claimAll(pool)))
        .containsExactlyInAnyOrder("10.0.0.1", "10.0.0.5", "10.0.0.6");
    assertThat(pool.stats().total().capacity()).isEqualTo(4);
  }

  @Test
  void aLeaseThatEndsFreesNoExcludedValue() {
    Pool pool = create(spec("10.0.0.0/30").withLease(Duration.ofHours(1)));
    claim(pool, ClaimRequest.of("a").withValue("10.0.0.1"));
    claim(pool, ClaimRequest.of("b").withValue("10.0.0.2").withLease(Duration.ofHours(2)));
    pool.exclude(blocks("10.0.0.1"));

    Exhausted full = (Exhausted) pool.claim(ClaimRequest.of("c"));
    assertThat(full.retryAfter()).as("10.0.0.2 is due").isGreaterThan(Duration.ofMinutes(90));
    database.execute(
        "update mintmark.pool_claim set expires_at = now() - interval '1 second' where client = 'a'");
    pools.sweep();

    assertThat(pool.claim(ClaimRequest.of("c"))).isInstanceOf(Exhausted.class);
    assertThat(PoolInvariants.counts(pool)).containsExactly(0L, 1L, 0L);
  }

  @Test
  void aLastClientDoesNotGetAnExcludedValueAgain() {
    Pool pool = create(spec("10.0.0.0/29").withQuarantine(Duration.ofHours(1)));
    Claim before = claim(pool, ClaimRequest.of("a").withValue("10.0.0.3"));
    pool.release(before.value(), before.token());
    Claim after = claim(pool, ClaimRequest.of("b").withValue("10.0.0.4"));
    pool.exclude(blocks("10.0.0.3", "10.0.0.4"));
    pool.release(after.value(), after.token());

    assertThat(claim(pool, ClaimRequest.of("a")).value()).isNotIn("10.0.0.3", "10.0.0.4");
    assertThat(claim(pool, ClaimRequest.of("b")).value()).isNotIn("10.0.0.3", "10.0.0.4");
    assertThatThrownBy(() -> pool.claim(ClaimRequest.of("c").withValue("10.0.0.4")))
        .isInstanceOf(IllegalArgumentException.class);

    pool.include(blocks("10.0.0.3", "10.0.0.4"));
    assertThat(pool.map(2, 2).states()).as("still quarantined").isEqualTo("qq");
  }

  @Test
  void whatIsIncludedIsGrantedAgain() {
    Pool pool = create(spec("10.0.0.0/28").withExclude(blocks("10.0.0.0/29")));
    assertThat(values(claimAll(pool))).hasSize(7);

    assertThat(pool.include(blocks("10.0.0.2", "10.0.0.12"))).isTrue();
    assertThat(pool.include(blocks("10.0.0.2"))).as("it is already").isFalse();

    assertThat(pool.spec().exclude())
        .isEqualTo(blocks("10.0.0.0/31", "10.0.0.3/32", "10.0.0.4/30"));
    assertThat(claim(pool, ClaimRequest.of("more")).value()).isEqualTo("10.0.0.2");
    assertThat(pool.claim(ClaimRequest.of("late"))).isInstanceOf(Exhausted.class);
    assertThat(pool.include(blocks("10.0.0.0/8"))).isTrue();
    assertThat(pool.spec().exclude()).isEmpty();
    assertThat(values(claimAll(pool))).hasSize(6);
  }

  @Test
  void anExclusionOfThePoolHoldsInBlocksThatAreAddedLater() {
    Pool pool = create(spec("100..199").withExclude(blocks("0..149")));

    pool.addBlock(Block.parse("0..99"), List.of());
    pools.declare(spec("100..199", "0..99", "200..209").withExclude(blocks("205..300")));

    assertThat(values(claimAll(pool)))
        .containsExactlyInAnyOrderElementsOf(
            IntStream.range(150, 205).mapToObj(Integer::toString).toList());
  }

  @Test
  void runsWithAnExcludedNumberAreExcluded() {
    Pool pool = create(spec("1..1000 by 100"));

    pool.exclude(blocks("150", "301..302"));
    assertThat(pool.map(0, 10).states()).isEqualTo("fxfxffffff");
    pool.include(blocks("140..160"));
    assertThat(pool.map(0, 10).states()).isEqualTo("fffxffffff");
  }

  @Test
  void valuesOfNoBlockListsAndTooManyExclusionsAreRefused() {
    Pool pool = create(spec("10.0.0.0/16"));

    assertThatThrownBy(() -> pool.exclude(blocks("10.0.0.1", "10.1.0.1")))
        .hasMessage("pool \"p\": exclusion 10.1.0.1/32 lies in none of its blocks");
    assertThatThrownBy(() -> pool.include(blocks("10.1.0.1")))
        .hasMessage("pool \"p\": exclusion 10.1.0.1/32 lies in none of its blocks");
    assertThatThrownBy(() -> pool.exclude(blocks("17"))).hasMessageContaining("different families");
    List<Block> many =
        IntStream.range(0, PoolSpec.BLOCKS_MAX)
            .mapToObj(i -> Block.parse("10.0.%d.%d".formatted(i / 100, 2 * (i % 100))))
            .toList();
    assertThat(pool.exclude(many)).isTrue();
    assertThatThrownBy(() -> pool.exclude(blocks("10.0.0.1")))
        .hasMessage("pool \"p\": it has more than 1000 exclusions");
    assertThat(pool.spec().exclude()).hasSize(PoolSpec.BLOCKS_MAX);

    pools.create(PoolSpec.of("codes", List.of(ValueList.of("codes", List.of("1", "2")))));
    assertThatThrownBy(() -> pools.open("codes").exclude(blocks("1")))
        .hasMessage("pool \"codes\": a list cannot have exclusions: omit the values");
  }

  @Test
  void aDeclaredExclusionIsAppliedToAnExistingPool() {
    Pool pool = create(spec("10.0.0.0/29").withExclude(blocks("10.0.0.6")));
    Claim held = claim(pool, ClaimRequest.of("a").withValue("10.0.0.1"));

    Pools.Declared declared =
        elsewhere.declare(
            spec("10.0.0.0/29", "10.0.1.0/29").withExclude(blocks("10.0.0.1", "10.0.1.1")));

    assertThat(declared.excluded()).isEqualTo(blocks("10.0.0.1"));
    assertThat(declared.undeclaredExclusions()).isEqualTo(blocks("10.0.0.6"));
    assertThat(elsewhere.open("p").claims(ClaimFilter.EXCLUDED, 10)).containsExactly(held);
    assertThat(elsewhere.open("p").map(0, 12).states()).isEqualTo("hffffxxfffff");
    pool.release(held.value(), held.token());
    assertThat(values(claimAll(pool))).hasSize(9).doesNotContain("10.0.0.1");
  }

  /** The claim has locked its value when the exclusion begins, and is acknowledged after it. */
  @Test
  void aClaimInProgressIsWaitedForAndListed() {
    Pool pool = create(spec("10.0.0.0/24"));
    try (Session claiming = new Session(database)) {
      claiming.run(
          "with taken as (delete from mintmark.pool_free where place = 6 returning *)"
              + " insert into mintmark.pool_claim (pool_id, block_id, place, client, slot, token,"
              + " claimed_at) select pool_id, block_id, place, 'c', 0,"
              + " nextval('mintmark.pool_token'), now() from taken");
      assertThatExcludingWaitsFor(claiming, pool, "10.0.0.7");
    }
  }

  /** The same for a value in quarantine, which its last client gets back. */
  @Test
  void aClaimInProgressOfAQuarantinedValueIsWaitedForAndListed() {
    Pool pool = create(spec("10.0.0.0/24").withQuarantine(Duration.ofHours(1)));
    Claim last = claim(pool, ClaimRequest.of("c").withValue("10.0.0.7"));
    pool.release(last.value(), last.token());
    try (Session claiming = new Session(database)) {
      claiming.run(
          "with taken as (delete from mintmark.pool_quarantine returning *)"
              + " insert into mintmark.pool_claim (pool_id, block_id, place, client, slot, token,"
              + " claimed_at) select pool_id, block_id, place, 'c', 0,"
              + " nextval('mintmark.pool_token'), clock_timestamp() from taken");
      assertThatExcludingWaitsFor(claiming, pool, "10.0.0.7");
    }
  }

  /** Of a quarantine that is over another client gets the value. */
  @Test
  void aClaimInSqlOfAValueWhoseQuarantineIsOverIsWaitedForAndListed() {
    Pool pool = create(spec("10.0.0.0/24"));
    pool.quarantine("10.0.0.7", Duration.ofHours(1));
    database.execute("update mintmark.pool_quarantine set until = now()");
    try (Session claiming = new Session(database)) {
      claiming.run("select mintmark.claim_value('p', 'c', wanted => '10.0.0.7')");
      assertThatExcludingWaitsFor(claiming, pool, "10.0.0.7");
    }
  }

  @Test
  void aReleaseInSqlThatIsFollowedByAClaimIsWaitedForAndListed() {
    Pool pool = create(spec("10.0.0.0/24"));
    Claim held = claim(pool, ClaimRequest.of("a").withValue("10.0.0.7"));
    try (Session claiming = new Session(database)) {
      claiming.run("select mintmark.release_value('p', '10.0.0.7', " + held.token() + ")");
      claiming.run("select mintmark.claim_value('p', 'c', wanted => '10.0.0.7')");
      assertThatExcludingWaitsFor(claiming, pool, "10.0.0.7");
    }
  }

  /** Excludes a value that a session is claiming, and commits the claim when that waits for it. */
  private void assertThatExcludingWaitsFor(Session claiming, Pool pool, String value) {
    CompletableFuture<List<Claim>> excluding =
        CompletableFuture.supplyAsync(
            () -> {
              pool.exclude(blocks(value));
              return pool.claims(ClaimFilter.EXCLUDED, 10);
            },
            ThreadPerTask.EXECUTOR);
    Session.awaitWaiting(database, 1);
    claiming.commit();

    assertThat(Session.join(excluding)).extracting(Claim::value).containsExactly(value);
  }

  /** The claims have read the values before they were excluded, and take them later. */
  @Test
  void aNamedClaimThatKnowsOfNoExclusionGetsNothing() {
    Pool pool = create(spec("10.0.0.0/29"));
    Claim free = claim(pool, ClaimRequest.of("a").withValue("10.0.0.3"));
    Claim quarantined = claim(pool, ClaimRequest.of("b").withValue("10.0.0.4"));
    pool.exclude(blocks("10.0.0.3", "10.0.0.4"));
    pool.release(free.value(), free.token());
    pools.declare(spec("10.0.0.0/29").withQuarantine(Duration.ofHours(1)));
    pool.release(quarantined.value(), quarantined.token());

    assertThat(claimValue("c", 2)).as("10.0.0.3, free").isEmpty();
    assertThat(claimValue("b", 3)).as("10.0.0.4, of which b is the last client").isEmpty();
  }

  private List<String> claimValue(String client, long place) {
    Map<String, Object> binds = new HashMap<>();
    binds.put("pool_id", 1);
    binds.put("epoch", database.text("select epoch from mintmark.pool_epoch"));
    binds.put("seen_token", 0L);
    binds.put("block_id", 1);
    binds.put("place", place);
    binds.put("version", database.number("select version from mintmark.pool_block"));
    binds.put("client", client);
    binds.put("slot", 0);
    binds.put("owner", null);
    binds.put("lease_millis", null);
    try (Session claiming = new Session(database)) {
      List<String> claimed = claiming.run("claim_value", binds);
      claiming.commit();
      return claimed;
    }
  }

  /** The session ends after the exclusion was committed, while it waits for a claim. */
  @Test
  void anExclusionThatIsCutOffHoldsForLaterClaimsAndCanBeRepeated() {
    Pool pool = create(spec("10.0.0.0/29").withQuarantine(Duration.ofHours(1)));
    Claim last = claim(pool, ClaimRequest.of("c").withValue("10.0.0.3"));
    pool.release(last.value(), last.token());
    try (Session claiming = new Session(database)) {
      claiming.run("select from mintmark.pool_quarantine for update");
      CompletableFuture<Boolean> excluding =
          CompletableFuture.supplyAsync(
              () -> pool.exclude(blocks("10.0.0.3", "10.0.0.4")), ThreadPerTask.EXECUTOR);
      Session.awaitWaiting(database, 1);
      database.execute(
          "select pg_terminate_backend(pid) from pg_stat_activity"
              + " where datname = current_database() and wait_event_type = 'Lock'");
      assertThatThrownBy(() -> Session.join(excluding)).hasRootCauseInstanceOf(SQLException.class);
      claiming.commit();
    }
    assertThat(PoolInvariants.violations(database)).isEmpty();

    assertThat(claim(pool, ClaimRequest.of("c")).value()).isNotIn("10.0.0.3", "10.0.0.4");
    assertThat(values(claimAll(pool))).hasSize(3).doesNotContain("10.0.0.3", "10.0.0.4");
    assertThat(pool.exclude(blocks("10.0.0.3", "10.0.0.4"))).isFalse();
    assertThat(pool.spec().exclude()).isEqualTo(blocks("10.0.0.3", "10.0.0.4"));
  }

  /** Blocks that were added before exclusions could change: what they exclude has no place. */
  @Test
  void whatABlockOfAnEarlierVersionExcludesStaysExcluded() {
    Pool pool = create(spec("10.0.0.0/28"));
    database.execute(
        "insert into mintmark.pool_block (pool_id, declared, addresses, gaps, size, seed)"
            + " select pool_id, '10.0.1.0/28', '10.0.1.0/28', '{10.0.1.4/30}', 10,"
            + " '0123456789abcdef' from mintmark.pool");

    assertThat(pool.exclude(blocks("10.0.1.2", "10.0.1.6/31", "10.0.1.8/31"))).isTrue();

    assertThat(pool.map(14, 14).states()).isEqualTo("fxfxxxxxxfffff");
    assertThatThrownBy(() -> pool.include(blocks("10.0.1.2", "10.0.1.5")))
        .hasMessage(
            "pool \"p\": block 10.0.1.0/28 was added without 10.0.1.4/30 by a version of Mintmark"
                + " that could not change exclusions: drain it, remove it and add it again");
    assertThat(pool.include(blocks("10.0.1.8", "10.0.1.2"))).isTrue();
    assertThat(pool.map(14, 14).states()).isEqualTo("fffxxxxfxfffff");
    assertThat(values(claimAll(pool)))
        .hasSize(14 + 9)
        .doesNotContain("10.0.1.4", "10.0.1.5", "10.0.1.6", "10.0.1.7", "10.0.1.9");
  }

  /** All but 256 of 2^64 values are excluded: drawing finds those 256 at once. */
  @Test
  void theValuesThatAreLeftOfAHugeBlockAreFound() {
    Pool pool = create(spec("2001:db8::/64"));
    claim(pool, ClaimRequest.of("first"));
    Block left = Block.parse("2001:db8::5:0/120");
    pool.exclude(Block.parse("2001:db8::/64").without(left));

    List<Claim> claims = claimAll(pool);

    assertThat(values(claims)).hasSize(256);
    assertThat(claims).allMatch(claim -> left.positionOf(claim.value()).isPresent());
  }

  /** Random calls through two instances, and a model that predicts their results. */
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void aPoolDoesWhatAModelOfItDoes(long seed) {
    Random random = new Random(seed);
    PoolSpec.Order order = random.nextBoolean() ? PoolSpec.Order.RANDOM : PoolSpec.Order.ASCENDING;
    create(spec("0..19", "20..39").withOrder(order).withSticky(random.nextBoolean()));
    List<Pool> instances = List.of(pools.open("p"), elsewhere.open("p"));
    Set<Integer> excluded = new HashSet<>();
    Map<Integer, Claim> held = new HashMap<>();
    for (int step = 0; step < 150; step++) {
      Pool pool = instances.get(random.nextInt(2));
      String context = "seed %d, step %d".formatted(seed, step);
      int first = random.nextInt(40);
      int last = Math.min(39, first + random.nextInt(12));
      List<Integer> numbers = IntStream.rangeClosed(first, last).boxed().toList();
      List<Block> range = blocks(first + ".." + last);
      switch (random.nextInt(8)) {
        case 0 -> {
          boolean changes = !excluded.containsAll(numbers);
          assertThat(pool.exclude(range)).as(context).isEqualTo(changes);
          excluded.addAll(numbers);
        }
        case 1 -> {
          boolean changes = numbers.stream().anyMatch(excluded::contains);
          assertThat(pool.include(range)).as(context).isEqualTo(changes);
          numbers.forEach(excluded::remove);
        }
        case 2, 3 -> {
          if (!held.isEmpty()) {
            Claim claim = new ArrayList<>(held.values()).get(random.nextInt(held.size()));
            assertThat(pool.release(claim.value(), claim.token()))
                .as(context)
                .isInstanceOf(ReleaseResult.Released.class);
            held.remove(Integer.valueOf(claim.value()));
          }
        }
        case 4 -> {
          ClaimRequest named = ClaimRequest.of("n" + step).withValue(Integer.toString(first));
          if (excluded.contains(first) && !held.containsKey(first)) {
            assertThatThrownBy(() -> pool.claim(named))
                .as(context)
                .isInstanceOf(IllegalArgumentException.class);
          } else if (pool.claim(named) instanceof Granted granted) {
            assertThat(held.put(first, granted.claim())).as(context).isNull();
          } else {
            assertThat(held).as(context).containsKey(first);
          }
        }
        case 5 -> pools.sweep();
        default -> {
          if (pool.claim(ClaimRequest.of("c" + step)) instanceof Granted granted) {
            int number = Integer.parseInt(granted.claim().value());
            assertThat(excluded).as(context).doesNotContain(number);
            assertThat(held.put(number, granted.claim())).as(context).isNull();
          } else {
            assertThat(IntStream.range(0, 40))
                .as(context)
                .allMatch(number -> held.containsKey(number) || excluded.contains(number));
          }
        }
      }
      assertThat(PoolInvariants.violations(database)).as(context).isEmpty();
      assertThat(pool.claims(ClaimFilter.EXCLUDED, 100))
          .as(context)
          .extracting(claim -> Integer.valueOf(claim.value()))
          .containsExactlyElementsOf(
              held.keySet().stream().filter(excluded::contains).sorted().toList());
    }
  }

  /** By the tokens: of a value that is excluded, no claim is later than the exclusion's return. */
  @Test
  void noExcludedValueIsGrantedWhileOthersClaim() {
    Pool pool = create(spec("10.0.0.0/26").withLease(Duration.ofHours(1)).withPerClient(4));
    AtomicBoolean over = new AtomicBoolean();
    List<CompletableFuture<Integer>> claiming =
        IntStream.range(0, 6)
            .mapToObj(
                i ->
                    CompletableFuture.supplyAsync(
                        () -> claimAndRelease(i % 2 == 0 ? pools : elsewhere, i, over),
                        ThreadPerTask.EXECUTOR))
            .toList();
    Random random = new Random(7);
    for (int round = 0; round < 60; round++) {
      String block = "10.0.0.%d/29".formatted(8 * random.nextInt(8));
      pool.exclude(blocks(block));
      long token = database.number("select last_value from mintmark.pool_token");
      pools.sweep();
      String places = "place <@ (select excluded_places from mintmark.pool_block)";
      assertThat(
              database.number(
                  ("select (select count(*) from mintmark.pool_claim where token > %1$d and %2$s)"
                          + " + (select count(*) from mintmark.pool_history where token > %1$d and %2$s)")
                      .formatted(token, places)))
          .as("claims of %s after it was excluded, round %d", block, round)
          .isZero();
      assertThat(PoolInvariants.violations(database)).isEmpty();
      pool.include(blocks(block));
    }
    over.set(true);

    assertThat(claiming.stream().mapToInt(Session::join).sum()).isPositive();
  }

  /** Any value, named values and several at once, until the end. Returns how many were granted. */
  private static int claimAndRelease(Pools pools, int client, AtomicBoolean over) {
    Pool pool = pools.open("p");
    Random random = new Random(client);
    int granted = 0;
    while (!over.get()) {
      ClaimRequest any = ClaimRequest.of("c" + client + "-" + random.nextInt(5));
      ClaimRequest request =
          switch (random.nextInt(3)) {
            case 0 -> any;
            case 1 -> any.withCount(1 + random.nextInt(4));
            default -> any.withValue("10.0.0." + (1 + random.nextInt(62)));
          };
      try {
        if (Session.repeated(() -> pool.claim(request)) instanceof Granted claims) {
          granted++;
          claims.claims().stream()
              .filter(claim -> random.nextInt(4) > 0)
              .forEach(claim -> release(pool, claim));
        }
      } catch (IllegalArgumentException e) {
        assertThat(e).hasMessageContaining("excludes");
      }
      if (random.nextInt(8) == 0) {
        pool.claims(ClaimFilter.ALL, 100).forEach(claim -> release(pool, claim));
      }
    }
    return granted;
  }

  private static void release(Pool pool, Claim claim) {
    var unused = Session.repeated(() -> pool.release(claim.value(), claim.token()));
  }

  private Pool create(PoolSpec spec) {
    pools.create(spec);
    return pools.open("p");
  }

  private static PoolSpec spec(String... blocks) {
    return PoolSpec.of("p", blocks(blocks));
  }

  private static List<Block> blocks(String... texts) {
    return Stream.of(texts).map(Block::parse).toList();
  }

  private static Claim claim(Pool pool, ClaimRequest request) {
    return ((Granted) pool.claim(request)).claim();
  }

  /** Claims for new clients until the pool is exhausted. */
  private List<Claim> claimAll(Pool pool) {
    List<Claim> claims = new ArrayList<>();
    ClaimResult result = pool.claim(ClaimRequest.of("new-" + clients++));
    while (result instanceof Granted granted) {
      claims.add(granted.claim());
      result = pool.claim(ClaimRequest.of("new-" + clients++));
    }
    assertThat(result).isInstanceOf(Exhausted.class);
    return claims;
  }

  private static Set<String> values(List<Claim> claims) {
    Set<String> values = new HashSet<>();
    claims.forEach(claim -> values.add(claim.value()));
    return values;
  }
}
