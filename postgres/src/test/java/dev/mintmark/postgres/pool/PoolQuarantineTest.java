package dev.mintmark.postgres.pool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mintmark.Block;
import dev.mintmark.PoolSpec;
import dev.mintmark.fixtures.TestDatabase;
import dev.mintmark.fixtures.ThreadPerTask;
import dev.mintmark.postgres.pool.ClaimResult.Exhausted;
import dev.mintmark.postgres.pool.ClaimResult.Granted;
import dev.mintmark.postgres.pool.ClaimResult.ValueTaken;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Values that an operator lets rest, one of them or all, while others claim. */
@Tag("slow")
class PoolQuarantineTest {
  private static final Duration DAY = Duration.ofDays(1);

  private final TestDatabase database = TestDatabase.create();
  private final Pools pools = Pools.over(database.dataSource());

  @AfterEach
  void everyValueIsInJustOneState() {
    assertThat(PoolInvariants.violations(database)).isEmpty();
    pools.close();
  }

  @Test
  void aFreeValueRestsAndIsNobodysUntilThen() {
    Pool pool = create(spec("10.0.0.0/30"));
    Claim last = claim(pool, ClaimRequest.of("a").withValue("10.0.0.1"));
    pool.release(last.value(), last.token());

    Instant until = pool.quarantine("10.0.0.1", DAY).orElseThrow();

    assertThat(pool.quarantine("10.0.0.1", Duration.ofHours(1))).contains(until);
    assertThat(pool.claim(ClaimRequest.of("a").withValue("10.0.0.1")))
        .isEqualTo(new ValueTaken("p", "10.0.0.1"));
    assertThat(claim(pool, ClaimRequest.of("a")).value()).isEqualTo("10.0.0.2");
    assertThat(pool.claim(ClaimRequest.of("b"))).isInstanceOf(Exhausted.class);
    assertThat(PoolInvariants.counts(pool)).containsExactly(0L, 1L, 1L);
  }

  @Test
  void aValueThatWasNeverIssuedRestsBeforeItsFirstClaim() {
    Pool pool = create(spec("10.0.0.0/16"));
    String value = neverIssued(pool);

    assertThat(pool.quarantine(value, DAY)).isPresent();

    assertThat(pool.claim(ClaimRequest.of("a").withValue(value))).isInstanceOf(ValueTaken.class);
    assertThat(pool.stats().total().quarantined()).isEqualTo(1);
    int draws = 1;
    while (pool.draw(1)) {
      draws++;
    }
    assertThat(draws).isEqualTo(16);
    assertThat(pool.stats().total().quarantined()).isEqualTo(1);
    assertThat(pool.stats().total().neverIssued()).isZero();
  }

  @Test
  void aValueThatIsHeldDoesNotRestAndOneWhoseLeaseHasEndedDoes() {
    Pool pool = create(spec("10.0.0.0/30").withLease(Duration.ofHours(1)));
    Claim claim = claim(pool, ClaimRequest.of("a").withValue("10.0.0.1"));

    assertThat(pool.quarantine(claim.value(), DAY)).as("held").isEmpty();
    endLeases();
    assertThat(pool.quarantine(claim.value(), DAY)).as("not held any more").isPresent();

    assertThat(claim(pool, ClaimRequest.of("a")).value()).isEqualTo("10.0.0.2");
    assertThatThrownBy(() -> pool.quarantine("10.0.0.9", DAY))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> pool.quarantine("10.0.0.1", Duration.ZERO))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void quarantiningAValueWaitsForTheClaimThatTakesIt() {
    Pool pool = create(spec("10.0.0.0/30"));
    try (Session claim = new Session(database)) {
      claim.run("claim_value", firstClaimOf(0L));

      CompletableFuture<Optional<Instant>> rests =
          CompletableFuture.supplyAsync(
              () -> pool.quarantine("10.0.0.1", DAY), ThreadPerTask.EXECUTOR);
      Session.awaitWaiting(database, 1);
      claim.commit();

      assertThat(Session.join(rests)).as("held").isEmpty();
    }
  }

  @Test
  void everythingThatNobodyHoldsRestsAndTokensJump() {
    Pool pool = create(spec("10.0.0.0/16").withPerClient(2).withQuarantine(Duration.ofHours(1)));
    Claim held = claim(pool, ClaimRequest.of("a"));
    Claim resting = claim(pool, ClaimRequest.of("b"));
    pool.release(resting.value(), resting.token());
    String neverIssued = neverIssued(pool);

    pool.quarantineAll(DAY);

    assertThat(PoolInvariants.counts(pool)).containsExactly(0L, 1L, 65_534L - 1);
    assertThat(pool.stats().total().neverIssued()).isZero();
    Exhausted exhausted = (Exhausted) pool.claim(ClaimRequest.of("b"));
    assertThat(exhausted.retryAfter()).isBetween(DAY.minusMinutes(5), DAY);
    for (String value : List.of(resting.value(), neverIssued)) {
      assertThat(pool.claim(ClaimRequest.of("b").withValue(value)))
          .isEqualTo(new ValueTaken("p", value));
    }
    assertThat(pool.find(held.value())).contains(held);

    endQuarantine();
    // Another instance: this one remembers when the first of them was to be free.
    try (Pools elsewhere = Pools.over(database.dataSource())) {
      elsewhere.sweep();
      assertThat(claim(elsewhere.open("p"), ClaimRequest.of("c")).token())
          .isGreaterThan(held.token() + 1_000_000_000_000L);
      assertThat(elsewhere.open("p").claim(ClaimRequest.of("d").withValue(neverIssued)))
          .isInstanceOf(Granted.class);
    }
  }

  @Test
  void whatIsHeldRestsUntilThenWhenItComesBack() {
    Pool pool = create(spec("10.0.0.0/29").withLease(Duration.ofHours(1)));
    Claim released = claim(pool, ClaimRequest.of("a"));
    Claim swept = claim(pool, ClaimRequest.of("b"));

    pool.quarantineAll(DAY);
    pool.release(released.value(), released.token());
    endLeases();
    pools.sweep();

    assertThat(PoolInvariants.counts(pool)).containsExactly(0L, 0L, 6L);
    assertThat(pool.claim(ClaimRequest.of("c"))).isInstanceOf(Exhausted.class);
    for (Claim claim : List.of(released, swept)) {
      assertThat(pool.claim(ClaimRequest.of("c").withValue(claim.value())))
          .isInstanceOf(ValueTaken.class);
    }
  }

  @Test
  void whatHasEndedAndIsNotSweptRestsToo() {
    Pool pool = create(spec("10.0.0.0/30").withLease(Duration.ofHours(1)));
    claim(pool, ClaimRequest.of("a"));
    endLeases();

    pool.quarantineAll(DAY);

    assertThat(pool.claim(ClaimRequest.of("a"))).isInstanceOf(Exhausted.class);
    assertThat(PoolInvariants.counts(pool)).containsExactly(0L, 0L, 2L);
  }

  @Test
  void whatIsBeingDrawnMeanwhileRestsToo() {
    Pool pool = create(spec("10.0.0.0/16"));
    try (Session refill = new Session(database)) {
      refill.run(
          "refill",
          Map.of(
              "pool_id",
              1,
              "block_ids",
              new Integer[] {1},
              "versions",
              new Long[] {1L},
              "drawn",
              new Long[] {5_000L},
              "place_blocks",
              new Integer[] {1, 1},
              "places",
              new Long[] {65_000L, 65_001L}));

      CompletableFuture<Void> rests =
          CompletableFuture.runAsync(() -> pool.quarantineAll(DAY), ThreadPerTask.EXECUTOR);
      Session.awaitWaiting(database, 1);
      refill.commit();
      Session.join(rests);
    }
    assertThat(database.number("select count(*) from mintmark.pool_free")).isZero();
  }

  @Test
  void whatIsBeingSweptMeanwhileRestsToo() {
    Pool pool =
        create(
            spec("10.0.0.0/30").withQuarantine(Duration.ofHours(1)).withLease(Duration.ofHours(1)));
    Claim released = claim(pool, ClaimRequest.of("a"));
    claim(pool, ClaimRequest.of("b"));
    pool.release(released.value(), released.token());
    database.execute("update mintmark.pool_quarantine set until = now()");
    endLeases();
    try (Session sweep = new Session(database)) {
      sweep.run("sweep", Map.of("pool_id", 1, "batch", 10));

      CompletableFuture<Void> rests =
          CompletableFuture.runAsync(() -> pool.quarantineAll(DAY), ThreadPerTask.EXECUTOR);
      Session.awaitWaiting(database, 1);
      sweep.commit();
      Session.join(rests);
    }
    assertThat(database.number("select count(*) from mintmark.pool_free")).isZero();
    assertThat(
            database.number(
                "select count(*) from mintmark.pool_quarantine"
                    + " where until > now() + interval '23 hours'"))
        .isEqualTo(2);
  }

  @Test
  void whatIsBeingReleasedInSqlMeanwhileRestsToo() {
    Pool pool = create(spec("10.0.0.0/30"));
    Claim held = claim(pool, ClaimRequest.of("a"));
    try (Session release = new Session(database)) {
      release.run(
          "select mintmark.release_value('p', '%s', %d)".formatted(held.value(), held.token()));

      CompletableFuture<Void> rests =
          CompletableFuture.runAsync(() -> pool.quarantineAll(DAY), ThreadPerTask.EXECUTOR);
      Session.awaitWaiting(database, 1);
      release.commit();
      Session.join(rests);
    }
    assertThat(PoolInvariants.counts(pool)).containsExactly(0L, 0L, 2L);
  }

  /**
   * Both have read the sequence before either sets it. Whoever is second goes on from the first,
   * not back to where that started from.
   */
  @Test
  void tokensNeverGoBackWhereTwoJumpAtOnce() {
    Pool pool = create(spec("10.0.0.0/29"));
    pools.create(PoolSpec.of("q", List.of(Block.parse("10.0.0.0/29"))));
    try (Session first = new Session(database)) {
      first.run("jump_tokens", Map.of("floor", 0L, "distance", PoolQuarantine.TOKEN_JUMP));
      CompletableFuture<Void> second =
          CompletableFuture.runAsync(
              () -> pools.open("q").quarantineAll(DAY), ThreadPerTask.EXECUTOR);
      Session.awaitWaiting(database, 1);
      long token = claim(pool, ClaimRequest.of("a")).token();
      first.commit();
      Session.join(second);

      assertThat(claim(pool, ClaimRequest.of("b")).token()).isGreaterThan(token + 1_000_000_000);
    }
  }

  /** Each instance starts after its restore, so it remembers nothing of the tokens before. */
  @Test
  void tokensOfASecondRestoreOfABackupAreGreaterThanThoseOfTheFirst() {
    create(spec("10.0.0.0/29"));

    long first = tokenAfterRestore("a");
    long second = tokenAfterRestore("b");

    assertThat(second).isGreaterThan(first);
  }

  /** Sets the tokens back to those of a backup, quarantines as after a restore, and claims. */
  private long tokenAfterRestore(String client) {
    database.execute("select setval('mintmark.pool_token', 7)");
    try (Pools restored = Pools.over(database.dataSource())) {
      Pool pool = restored.open("p");
      pool.quarantineAll(DAY);
      endQuarantine();
      restored.sweep();
      return claim(pool, ClaimRequest.of(client)).token();
    }
  }

  private Pool create(PoolSpec spec) {
    assertThat(pools.create(spec)).isTrue();
    return pools.open(spec.name());
  }

  private static PoolSpec spec(String block) {
    return PoolSpec.of("p", List.of(Block.parse(block)));
  }

  private static Claim claim(Pool pool, ClaimRequest request) {
    ClaimResult result = pool.claim(request);
    assertThat(result).isInstanceOf(Granted.class);
    return ((Granted) result).claim();
  }

  private String neverIssued(Pool pool) {
    long place =
        database.number(
            "select min(place) from generate_series(0::bigint, 65533) as place where place not in"
                + " (select place from mintmark.pool_free union all"
                + " select place from mintmark.pool_claim union all"
                + " select place from mintmark.pool_quarantine)");
    return pool.spec().blocks().get(0).valueAt(place);
  }

  private void endLeases() {
    database.execute("update mintmark.pool_claim set expires_at = now() - interval '1 second'");
  }

  private void endQuarantine() {
    database.execute("update mintmark.pool_quarantine set until = now()");
    database.execute("update mintmark.pool_block set not_before = now()");
  }

  private Map<String, @Nullable Object> firstClaimOf(long place) {
    Map<String, @Nullable Object> binds = new HashMap<>();
    binds.put("pool_id", 1);
    binds.put("epoch", database.text("select epoch from mintmark.pool_epoch"));
    binds.put("seen_token", 0L);
    binds.put("block_id", 1);
    binds.put("place", place);
    binds.put("version", 1L);
    binds.put("client", "a");
    binds.put("slot", 0);
    binds.put("owner", null);
    binds.put("lease_millis", null);
    return binds;
  }
}
