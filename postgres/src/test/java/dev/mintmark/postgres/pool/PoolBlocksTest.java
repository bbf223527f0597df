package dev.mintmark.postgres.pool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.fail;

import dev.mintmark.Block;
import dev.mintmark.PoolSpec;
import dev.mintmark.ValueList;
import dev.mintmark.fixtures.TestDatabase;
import dev.mintmark.fixtures.ThreadPerTask;
import dev.mintmark.postgres.pool.ClaimResult.AlreadyHeld;
import dev.mintmark.postgres.pool.ClaimResult.Contended;
import dev.mintmark.postgres.pool.ClaimResult.Exhausted;
import dev.mintmark.postgres.pool.ClaimResult.Granted;
import dev.mintmark.postgres.pool.ClaimResult.ValueTaken;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Blocks that come and go while others claim. */
@Tag("slow")
class PoolBlocksTest {
  private static final String FIRST = "10.0.0.0/29";
  private static final String SECOND = "10.0.1.0/29";

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
  void aBlockIsDrainedRemovedAndAddedAgainAndItsHistoryStays() {
    Pool pool = create(spec(FIRST, SECOND));
    Claim held = claim(pool, ClaimRequest.of("a").withValue("10.0.0.3"));

    assertThat(pool.drain(FIRST, true)).isTrue();
    assertThat(pool.drain(FIRST, true)).as("it does already").isFalse();
    assertThat(pool.removeBlock(FIRST)).as("10.0.0.3 is held").isFalse();
    assertThat(pool.stats().total().draining()).isEqualTo(5);
    pool.release(held.value(), held.token());
    assertThat(pool.removeBlock(SECOND)).as("it does not drain").isFalse();
    assertThat(pool.removeBlock(FIRST)).isTrue();
    assertThat(pool.stats().total().capacity()).isEqualTo(6);
    assertThat(pool.find("10.0.0.3")).isEmpty();
    assertThatThrownBy(() -> pool.removeBlock(FIRST))
        .hasMessage("pool \"p\" has no block \"10.0.0.0/29\": it has [10.0.1.0/29]");

    assertThat(pools.declare(spec(FIRST, SECOND)).added()).containsExactly(Block.parse(FIRST));
    Claim again = claim(pool, ClaimRequest.of("b").withValue("10.0.0.3"));

    assertThat(history(pool, held.value())).containsExactly(again.token(), held.token());
    assertThat(pool.history(PastClaim.Filter.ALL, OptionalLong.empty(), 10))
        .extracting(PastClaim::value)
        .containsExactly("10.0.0.3", "10.0.0.3");
  }

  @Test
  void manyBlocksAreAddedAndDrawnFromInFewStatements() {
    List<Block> blocks =
        IntStream.range(0, PoolSpec.BLOCKS_MAX)
            .mapToObj(i -> Block.parse("10.%d.%d.0/29".formatted(i / 250, i % 250)))
            .toList();
    long before = pools.statements();

    Pool pool = create(PoolSpec.of("p", blocks));

    assertThat(pools.statements() - before).isLessThan(20);
    assertThat(pool.spec().blocks()).isEqualTo(blocks);
    assertThat(pool.stats().total().neverIssued().longValueExact())
        .isEqualTo(6 * PoolSpec.BLOCKS_MAX - 4_098);
    assertThat(((Granted) pool.claim(ClaimRequest.of("a"))).claim().value()).startsWith("10.");
  }

  /** Its end frees no value, so it is no time to claim again. */
  @Test
  void theEndOfALeaseOrQuarantineInADrainedBlockIsNotAwaited() {
    Pool pool = create(spec("1..2", "11..11").withQuarantine(Duration.ofHours(1)));
    Duration lease = Duration.ofMinutes(10);
    claim(pool, ClaimRequest.of("a").withValue("1").withLease(lease));
    Claim released = claim(pool, ClaimRequest.of("b").withValue("2"));
    claim(pool, ClaimRequest.of("c").withValue("11").withLease(Duration.ofHours(2)));
    pool.release(released.value(), released.token());

    pool.drain("1..2", true);

    assertThat(((Exhausted) pool.claim(ClaimRequest.of("late"))).retryAfter())
        .isGreaterThan(Duration.ofMinutes(90));
  }

  /** There may be any number of them, and every instance reads its pools every 10 s. */
  @Test
  void removedBlocksAreReadOnlyForTheHistory() {
    Pool pool = create(spec(FIRST, SECOND));
    Claim released = claim(pool, ClaimRequest.of("a").withValue("10.0.0.3"));
    pool.release(released.value(), released.token());
    PoolContext context = pool.context();
    int removed = context.layout().placeOf("10.0.0.3").orElseThrow().block();

    pool.drain(FIRST, true);
    pool.removeBlock(FIRST);

    assertThat(context.reload().layout().block(removed)).isEmpty();
    assertThat(context.layoutWithRemoved().block(removed)).isPresent();
    assertThat(context.layoutWithRemoved().blocks()).hasSize(1);
    assertThat(pool.history(PastClaim.Filter.ALL, OptionalLong.empty(), 10))
        .extracting(PastClaim::value)
        .containsExactly("10.0.0.3");
  }

  @Test
  void theHistoryOfARemovedBlockIsFoundByValue() {
    Pool pool = create(spec(FIRST, SECOND));
    Claim held = claim(pool, ClaimRequest.of("a").withValue("10.0.0.3"));
    pool.release(held.value(), held.token());
    pool.drain(FIRST, true);
    pool.removeBlock(FIRST);

    assertThat(history(pool, "10.0.0.3")).containsExactly(held.token());
  }

  @Test
  void theHistoryOfADeletedPoolIsThatOfAnUnknownOne() {
    Pool pool = create(spec(FIRST));
    assertThat(elsewhere.delete("p")).isTrue();

    assertThatThrownBy(() -> history(pool, "10.0.0.3")).isInstanceOf(UnknownPoolException.class);
  }

  @Test
  void aPoolKeepsItsLastBlock() {
    Pool pool = create(spec(FIRST));
    pool.drain(FIRST, true);

    assertThatThrownBy(() -> pool.removeBlock(FIRST))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("pool \"p\" has no block but \"10.0.0.0/29\": delete the pool");

    assertThat(elsewhere.open("p").stats().total().capacity()).isEqualTo(6);
  }

  @Test
  void anInstanceThatKnewABlockBeforeItWasAddedAnewStillFindsWhatIsHeld() {
    Pool stale = create(spec(FIRST, SECOND));
    Pool other = elsewhere.open("p");
    other.drain(FIRST, true);
    assertThat(other.removeBlock(FIRST)).isTrue();
    other.addBlock(Block.parse(FIRST), List.of());
    Claim claim = claim(other, ClaimRequest.of("a").withValue("10.0.0.3"));

    assertThat(stale.find("10.0.0.3")).contains(claim);
    assertThat(pools.open("p").claim(ClaimRequest.of("b").withValue("10.0.0.3")))
        .isInstanceOf(ValueTaken.class);
  }

  @Test
  void anInstanceThatKnewABlockBeforeItWasAddedAnewRenewsReleasesAndClaims() {
    Pool stale = create(spec(FIRST, SECOND));
    Pool other = elsewhere.open("p");
    other.drain(FIRST, true);
    other.removeBlock(FIRST);
    other.addBlock(Block.parse(FIRST), List.of());
    Claim claim = claim(other, ClaimRequest.of("a").withValue("10.0.0.3"));

    assertThat(stale.renew(claim.value(), claim.token(), Optional.empty()))
        .isInstanceOf(RenewResult.Renewed.class);
    // Known anew by now: once more for the release.
    other.release(claim.value(), claim.token());
    other.drain(FIRST, true);
    other.removeBlock(FIRST);
    other.addBlock(Block.parse(FIRST), List.of());
    Claim next = claim(other, ClaimRequest.of("a").withValue("10.0.0.3"));
    assertThat(stale.release(next.value(), next.token()))
        .isInstanceOf(ReleaseResult.Released.class);
    other.drain(FIRST, true);
    other.removeBlock(FIRST);
    other.addBlock(Block.parse(FIRST), List.of());
    assertThat(stale.claim(ClaimRequest.of("b").withValue("10.0.0.3"))).isInstanceOf(Granted.class);
    assertThat(stale.quarantine("10.0.0.4", Duration.ofHours(1))).isPresent();
  }

  @Test
  void aBlockThatIsDrainedNoMoreIsHandedOutAgain() {
    Pool pool = create(spec(FIRST));
    Claim held = claim(pool, ClaimRequest.of("a"));
    pool.drain(FIRST, true);
    assertThat(pool.claim(ClaimRequest.of("b"))).isInstanceOf(Exhausted.class);

    assertThat(pool.drain(FIRST, false)).isTrue();

    Set<String> values = new HashSet<>(Set.of(held.value()));
    for (int i = 0; i < 5; i++) {
      values.add(claim(pool, ClaimRequest.of("c" + i)).value());
    }
    assertThat(values).hasSize(6);
    assertThat(pool.claim(ClaimRequest.of("late"))).isInstanceOf(Exhausted.class);
  }

  /** Whoever had it may use it until the end of its lease, which the next holder is told. */
  @Test
  void endOfTheClaimBeforeIsKnownThoughTheBlockWasDrainedOrRemovedMeanwhile() {
    Pool pool = create(spec(FIRST, SECOND).withLease(Duration.ofHours(1)));
    ClaimRequest named = ClaimRequest.of("a").withValue("10.0.0.3");
    Claim first = claim(pool, named);
    pool.release(first.value(), first.token());
    pool.drain(FIRST, true);
    pool.drain(FIRST, false);

    Claim second = claim(pool, named);
    pool.release(second.value(), second.token());
    pool.drain(FIRST, true);
    pool.removeBlock(FIRST);
    pools.declare(spec(FIRST, SECOND).withLease(Duration.ofHours(1)));
    Claim third = claim(pool, named);

    assertThat(second.previousEnd()).isEqualTo(first.expiresAt());
    assertThat(third.previousEnd()).isEqualTo(second.expiresAt());
  }

  /** The claim has looked at the block when it is drained, and waits for another of its client. */
  @Test
  void drainingWaitsForTheClaimsThatSawTheBlockAsItWas() {
    Pool pool = create(spec(FIRST));

    assertWaitsForTheClaim(pool, () -> elsewhere.open("p").drain(FIRST, true));

    assertThat(pool.stats().total().held()).isEqualTo(1);
  }

  /** Even where a sweeper is at the block: it is passed over by other sweepers, not by a drain. */
  @Test
  void drainingDoesNotPassOverABlockThatASweeperHolds() {
    Pool pool = create(spec(FIRST));

    assertWaitsForTheClaim(
        pool,
        () -> {
          // Another instance drains the block, and is at withdrawing what is free of it.
          database.execute("update mintmark.pool_block set draining = true, version = version + 1");
          return elsewhere.sweep();
        },
        () -> elsewhere.open("p").drain(FIRST, true));
  }

  @Test
  void drainingWaitsForAClientThatIsBeingGivenBackWhatRests() {
    Pool pool = create(spec(FIRST).withQuarantine(Duration.ofHours(1)));
    Claim claim = claim(pool, ClaimRequest.of("a"));
    pool.release(claim.value(), claim.token());

    assertWaitsForTheClaim(pool, () -> elsewhere.open("p").drain(FIRST, true));
  }

  /**
   * Each action comes to wait while a claim waits that has looked at the block, and goes on when
   * the claim is granted. Begins again if the claim gave up meanwhile, as it does after two
   * seconds, which a busy machine can take.
   */
  private void assertWaitsForTheClaim(Pool pool, Supplier<?>... actions) {
    for (int attempt = 1; attempt <= 20; attempt++) {
      List<CompletableFuture<?>> waiting = new ArrayList<>();
      CompletableFuture<ClaimResult> claim;
      try (Session sameClient = new Session(database)) {
        sameClient.run(claimRow("a", 9, 9));
        claim = pool.claimAsync(ClaimRequest.of("a"));
        waiting.add(claim);
        Session.awaitWaiting(database, 1, claim);
        for (Supplier<?> action : actions) {
          waiting.add(CompletableFuture.supplyAsync(action, ThreadPerTask.EXECUTOR));
          Session.awaitWaiting(database, waiting.size(), claim);
        }
        sameClient.rollback();
      }
      ClaimResult result = Session.join(claim);
      waiting.forEach(Session::join);
      if (result instanceof Granted) {
        return;
      }
      // It gave up, and found the block drained if it looked once more.
      assertThat(result).isInstanceOfAny(Contended.class, Exhausted.class);
      pool.drain(FIRST, false);
    }
    fail("the claim gave up each time before the others waited");
  }

  /**
   * What is given back of a drained block is free until it is withdrawn: nobody is to wait for it.
   */
  @Test
  void whatComesBackOfADrainedBlockDoesNotMakeThePoolSeemToHaveSomething() {
    Pool pool = create(spec(FIRST, SECOND));
    List<Claim> claims = new ArrayList<>();
    for (int i = 0; i < 12; i++) {
      claims.add(claim(pool, ClaimRequest.of("c" + i)));
    }
    pool.drain(FIRST, true);
    claims.stream()
        .filter(claim -> claim.value().startsWith("10.0.0."))
        .forEach(claim -> pool.release(claim.value(), claim.token()));

    assertThat(pool.claim(ClaimRequest.of("late"))).isInstanceOf(Exhausted.class);

    long before = pools.statements();
    for (int i = 0; i < 200; i++) {
      assertThat(pool.claim(ClaimRequest.of("later" + i))).isInstanceOf(Exhausted.class);
    }
    assertThat(pools.statements() - before).as("known to be empty").isLessThan(100);
  }

  @Test
  void aBlockIsNotRemovedWhileAValueOfItIsInMotion() {
    Pool pool = create(spec(FIRST, SECOND).withQuarantine(Duration.ofHours(1)));
    Claim claim = claim(pool, ClaimRequest.of("a").withValue("10.0.0.1"));
    pool.drain(FIRST, true);
    try (Session release = new Session(database)) {
      Map<String, Object> binds = new HashMap<>(at(claim));
      binds.put("used_until", null);
      release.run("release", binds);

      assertThat(pool.removeBlock(FIRST)).as("on its way to rest").isFalse();
      release.commit();
      assertThat(pool.removeBlock(FIRST)).as("rests").isFalse();
      database.execute("update mintmark.pool_quarantine set until = now()");
    }
    try (Session sweep = new Session(database)) {
      sweep.run("sweep", Map.of("pool_id", 1, "batch", 10));

      assertThat(pool.removeBlock(FIRST)).as("on its way to be free").isFalse();
      sweep.commit();
    }
    assertThat(pool.removeBlock(FIRST)).isTrue();
  }

  @Test
  void aNamedValueOfADrainedBlockIsTaken() {
    Pool pool = create(spec(FIRST, SECOND).withQuarantine(Duration.ofHours(1)));
    Claim claim = claim(pool, ClaimRequest.of("a").withValue("10.0.0.1"));
    pool.release(claim.value(), claim.token());
    pool.drain(FIRST, true);

    assertThat(pool.claim(ClaimRequest.of("a").withValue("10.0.0.1")))
        .isEqualTo(new ValueTaken("p", "10.0.0.1"));
    assertThat(pool.claim(ClaimRequest.of("b").withValue("10.0.0.2")))
        .isEqualTo(new ValueTaken("p", "10.0.0.2"));
    assertThat(claim(pool, ClaimRequest.of("a")).value()).startsWith("10.0.1.");
  }

  @Test
  void whatIsDrainedAndRemovedWhileOthersClaimIsNeitherLostNorDoubled() {
    create(spec(FIRST, SECOND, "10.0.2.0/24"));
    Random random = new Random(6);
    CompletableFuture<Void> claiming =
        CompletableFuture.runAsync(
            () -> {
              Pool pool = elsewhere.open("p");
              for (int i = 0; i < 150; i++) {
                if (pool.claim(ClaimRequest.of("c" + random.nextInt(10))) instanceof Granted granted
                    && random.nextBoolean()) {
                  pool.release(granted.claim().value(), granted.claim().token());
                }
              }
            },
            ThreadPerTask.EXECUTOR);
    Pool pool = pools.open("p");
    int removed = 0;
    while (!claiming.isDone()) {
      pool.drain(FIRST, true);
      assertThat(PoolInvariants.violations(database)).isEmpty();
      pool.claims(ClaimFilter.ALL, 100).stream()
          .filter(claim -> claim.value().startsWith("10.0.0."))
          .forEach(claim -> pool.release(claim.value(), claim.token()));
      if (pool.removeBlock(FIRST)) {
        removed++;
        pool.addBlock(Block.parse(FIRST), List.of());
      } else {
        pool.drain(FIRST, false);
      }
      assertThat(PoolInvariants.violations(database)).isEmpty();
    }
    claiming.join();

    assertThat(removed).isPositive();
    assertThat(pool.stats().total().capacity()).isEqualTo(6 + 6 + 254);
  }

  @Test
  void theDatabaseRefusesPartsOfAHugeBlockToo() {
    pools.create(PoolSpec.of("p", List.of(Block.parse("2001:db8::/64"))));
    Pool pool = pools.open("p");

    assertThat(database.number("select count(*) from mintmark.pool_block")).isEqualTo(4);
    assertThatThrownBy(() -> pool.addBlock(Block.parse("2001:db8::c000:0:0:0/120"), List.of()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("overlap");
    assertThatThrownBy(
            () ->
                database.execute(
                    "insert into mintmark.pool_block (pool_id, declared, addresses, gaps, size, seed)"
                        + " values (1, 'x', '2001:db8::c000:0:0:0/120', '{}', 2, 'x')"))
        .hasMessageContaining("pool_block_addresses_overlap");
    assertThat(pool.drain("2001:db8::/64", true)).isTrue();
    assertThat(pool.claim(ClaimRequest.of("a"))).isInstanceOf(Exhausted.class);
  }

  @Test
  void listsGrowAndTheirValuesAreInOneListAlone(@TempDir Path directory) throws Exception {
    Path file = Files.writeString(directory.resolve("codes"), "# codes\nA\nB\n\n  C \n");
    pools.create(PoolSpec.of("p", List.of(ValueList.read(file))));
    Pool pool = pools.open("p");
    assertThat(claim(pool, ClaimRequest.of("a").withValue("C")).value()).isEqualTo("C");

    ValueList grown = ValueList.of("codes", List.of("A", "B", "C", "D"));
    assertThat(pools.declare(PoolSpec.of("p", List.of(grown))).added())
        .containsExactly(ValueList.of("codes", List.of("D")));
    assertThat(pools.declare(PoolSpec.of("p", List.of(grown))))
        .isEqualTo(new Pools.Declared(false, List.of(), List.of(), List.of(), List.of()));
    assertThat(elsewhere.open("p").spec().blocks()).containsExactly(grown);
    assertThat(pool.stats().total().capacity()).isEqualTo(4);
    assertThatThrownBy(() -> pool.addBlock(ValueList.of("more", List.of("X", "B")), List.of()))
        .isInstanceOf(IllegalArgumentException.class);

    pool.addBlock(ValueList.of("more", List.of("X")), List.of());
    Claim held = pool.find("C").orElseThrow();
    pool.release("C", held.token());
    pool.drain("codes", true);
    assertThat(pool.removeBlock("codes")).isTrue();
    pool.addBlock(ValueList.of("codes", List.of("C", "E")), List.of());
    assertThat(claim(pool, ClaimRequest.of("b").withValue("C")).token())
        .isGreaterThan(held.token());
    assertThat(history(pool, "C")).hasSize(2);
  }

  @Test
  void aListOfAHundredThousandValuesIsHandedOut() {
    List<String> values = IntStream.range(0, 100_000).mapToObj(i -> "code-" + i).toList();
    pools.create(PoolSpec.of("p", List.of(ValueList.of("codes", values))));
    Pool pool = pools.open("p");

    assertThat(claim(pool, ClaimRequest.of("a").withValue("code-99999")).value())
        .isEqualTo("code-99999");
    assertThat(values).contains(claim(pool, ClaimRequest.of("b")).value());
    assertThat(pool.stats().total().capacity()).isEqualTo(100_000);
    assertThat(database.number("select count(*) from mintmark.pool_free")).isLessThan(5_000);
  }

  @Test
  void runsOfNumbersAreHandedOutFromTheLowest() {
    pools.create(PoolSpec.of("p", List.of(Block.parse("1..100 by 10"))).withPerClient(10));
    Pool pool = pools.open("p");

    assertThat(claim(pool, ClaimRequest.of("a")).value()).isEqualTo("1..10");
    assertThat(claim(pool, ClaimRequest.of("b").withValue("31..40")).value()).isEqualTo("31..40");
    ClaimResult several = pool.claim(ClaimRequest.of("c").withCount(3));
    assertThat(((Granted) several).claims())
        .extracting(Claim::value)
        .containsExactly("11..20", "21..30", "41..50");
    assertThat(pool.find("41..50")).isPresent();
  }

  /** However the rows lie in the table: those given back lie where there was room. */
  @Test
  void severalValuesInAscendingOrderAreInTheOrderOfTheSlots() {
    pools.create(PoolSpec.of("p", List.of(Block.parse("1..50 by 10"))).withPerClient(5));
    Pool pool = pools.open("p");
    List<Claim> claims = ((Granted) pool.claim(ClaimRequest.of("a").withCount(5))).claims();
    for (int i : new int[] {3, 0, 4, 2, 1}) {
      pool.release(claims.get(i).value(), claims.get(i).token());
    }

    ClaimResult again = pool.claim(ClaimRequest.of("b").withCount(5));

    assertThat(((Granted) again).claims())
        .extracting(Claim::value)
        .containsExactly("1..10", "11..20", "21..30", "31..40", "41..50");
    assertThat(pool.claim(ClaimRequest.of("b").withCount(5)))
        .isEqualTo(new AlreadyHeld(((Granted) again).claims()));
  }

  private Pool create(PoolSpec spec) {
    assertThat(pools.create(spec)).isTrue();
    return pools.open(spec.name());
  }

  private static PoolSpec spec(String... blocks) {
    return PoolSpec.of("p", Stream.of(blocks).map(Block::parse).toList());
  }

  private static Claim claim(Pool pool, ClaimRequest request) {
    ClaimResult result = pool.claim(request);
    assertThat(result).isInstanceOf(Granted.class);
    return ((Granted) result).claim();
  }

  private static List<Long> history(Pool pool, String value) {
    PastClaim.Filter filter =
        new PastClaim.Filter(
            Optional.of(value),
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty());
    return pool.history(filter, OptionalLong.empty(), 10).stream().map(PastClaim::token).toList();
  }

  /** A claim of a value that no block has, by whoever claims for the same client. */
  private static String claimRow(String client, int block, int token) {
    return "insert into mintmark.pool_claim (pool_id, block_id, place, client, slot, token, claimed_at)"
        + " values (1, %d, 0, '%s', 0, %d, now())".formatted(block, client, -token);
  }

  private Map<String, Object> at(Claim claim) {
    List<String> row =
        database
            .rows("select block_id, place from mintmark.pool_claim where token = " + claim.token())
            .get(0);
    Map<String, Object> binds = new HashMap<>();
    binds.put("pool_id", 1);
    binds.put("block_id", Integer.parseInt(row.get(0)));
    binds.put("place", Long.parseLong(row.get(1)));
    binds.put("token", claim.token());
    binds.put("used_until", null);
    return binds;
  }
}
