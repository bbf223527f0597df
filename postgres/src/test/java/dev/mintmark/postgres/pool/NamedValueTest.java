package dev.mintmark.postgres.pool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mintmark.Block;
import dev.mintmark.PoolSpec;
import dev.mintmark.fixtures.TestDatabase;
import dev.mintmark.postgres.pool.ClaimResult.AlreadyHeld;
import dev.mintmark.postgres.pool.ClaimResult.Exhausted;
import dev.mintmark.postgres.pool.ClaimResult.Granted;
import dev.mintmark.postgres.pool.ClaimResult.ValueTaken;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Values that are asked for by name, that are had again, and several at once. */
@Tag("slow")
class NamedValueTest {
  private final TestDatabase database = TestDatabase.create();
  private final Pools pools = Pools.over(database.dataSource());
  private final Pools elsewhere = Pools.over(database.dataSource());

  @AfterEach
  void everyValueIsInJustOneState() {
    assertThat(PoolInvariants.violations(database)).isEmpty();
    pools.close();
    elsewhere.close();
  }

  @Test
  void aNamedValueIsGivenToWhoeverAsksFirst() {
    Pool pool = create(spec("10.0.0.0/29").withPerClient(3));
    claim(pool, ClaimRequest.of("a"));
    pool.claim(ClaimRequest.of("a").withSlot(2));
    String free = free();

    Claim claim = claim(pool, ClaimRequest.of("a").withValue(free));

    assertThat(claim.slot()).as("the lowest that is free").isEqualTo(1);
    assertThat(pool.claim(ClaimRequest.of("a").withValue(free)))
        .isEqualTo(new AlreadyHeld(List.of(claim)));
    assertThat(pool.claim(ClaimRequest.of("b").withValue(free)))
        .isEqualTo(new ValueTaken("p", free));
    assertThatThrownBy(() -> pool.claim(ClaimRequest.of("b").withValue("10.0.0.9")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("pool \"p\" has no value \"10.0.0.9\"");
  }

  /** The claim has read who holds the value, and reads the claim after another client has it. */
  @Test
  void aClientIsNotGivenTheClaimOfAnother() {
    Pool pool = create(spec("10.0.0.0/29"));
    String value = claim(pool, ClaimRequest.of("a")).value();
    database.execute(
        """
        create or replace function mintmark.pool_fence(pool integer, known uuid, seen_token bigint) returns text
        language plpgsql as $$
        begin
          perform pg_catalog.pg_advisory_xact_lock(1);
          return 'open';
        end
        $$""");
    try (Session other = new Session(database)) {
      other.run("select from pg_catalog.pg_advisory_xact_lock(1)");
      CompletableFuture<ClaimResult> asked = pool.claimAsync(ClaimRequest.of("a").withValue(value));
      Session.awaitWaiting(database, 1);
      other.run(
          "update mintmark.pool_claim set client = 'b', token = pg_catalog.nextval('mintmark.pool_token')");
      other.commit();

      assertThat(Session.join(asked)).isEqualTo(new ValueTaken("p", value));
    }
  }

  @Test
  void whatRestsIsForItsLastClientAlone() {
    Pool pool = create(spec("10.0.0.0/29").withQuarantine(Duration.ofHours(1)));
    Claim last = claim(pool, ClaimRequest.of("a"));
    pool.release(last.value(), last.token());

    assertThat(pool.claim(ClaimRequest.of("b").withValue(last.value())))
        .isInstanceOf(ValueTaken.class);
    Claim again = claim(pool, ClaimRequest.of("a").withValue(last.value()));
    assertThat(again.token()).isGreaterThan(last.token());
    assertThat(again.previousEnd()).isPresent();
  }

  @Test
  void anEndedLeaseIsNoObstacle() {
    Pool pool = create(spec("10.0.0.0/29").withLease(Duration.ofHours(1)));
    Claim last = claim(pool, ClaimRequest.of("a"));
    database.execute("update mintmark.pool_claim set expires_at = now() - interval '1 second'");

    assertThat(claim(pool, ClaimRequest.of("b").withValue(last.value())).client()).isEqualTo("b");
  }

  @Test
  void aQuarantineThatIsOverIsNoObstacle() {
    Pool pool = create(spec("10.0.0.0/29").withQuarantine(Duration.ofHours(1)));
    Claim last = claim(pool, ClaimRequest.of("a"));
    pool.release(last.value(), last.token());
    database.execute("update mintmark.pool_quarantine set until = now()");

    assertThat(claim(pool, ClaimRequest.of("b").withValue(last.value())).client()).isEqualTo("b");
  }

  /** Both have seen that the value has no row, and a draw that takes it in comes in between. */
  @Test
  void aValueThatWasNeverIssuedIsGivenOnceHoweverManyRaceForIt() {
    create(spec("10.0.0.0/16"));
    long place =
        database.number(
            "select min(place) from generate_series(0::bigint, 65533) as place"
                + " where place not in (select place from mintmark.pool_free)");
    String value = Block.parse("10.0.0.0/16").valueAt(place);
    try (Session draw = new Session(database)) {
      draw.run(
          "refill",
          Map.of(
              "pool_id",
              1,
              "block_ids",
              new Integer[] {1},
              "versions",
              new Long[] {database.number("select version from mintmark.pool_block")},
              "drawn",
              new Long[] {database.number("select drawn from mintmark.pool_block")},
              "place_blocks",
              new Integer[] {1},
              "places",
              new Long[] {place}));
      ClaimRequest a = ClaimRequest.of("a").withValue(value);
      ClaimRequest b = ClaimRequest.of("b").withValue(value);
      CompletableFuture<ClaimResult> one = pools.open("p").claimAsync(a);
      CompletableFuture<ClaimResult> other = elsewhere.open("p").claimAsync(b);
      Session.awaitWaiting(database, 2, CompletableFuture.anyOf(one, other));
      draw.commit();

      assertThat(
              Stream.of(
                  ClaimResults.decided(pools.open("p"), a, Session.join(one)),
                  ClaimResults.decided(elsewhere.open("p"), b, Session.join(other))))
          .hasAtLeastOneElementOfType(Granted.class)
          .hasAtLeastOneElementOfType(ValueTaken.class);
    }
  }

  @Test
  void aClientIsGivenBackWhatItHadLast() {
    Pool pool = create(spec("10.0.0.0/24").withPerClient(2).withQuarantine(Duration.ofHours(1)));
    List<Claim> had = ((Granted) pool.claim(ClaimRequest.of("a").withCount(2))).claims();
    had.forEach(claim -> pool.release(claim.value(), claim.token()));
    claim(elsewhere.open("p"), ClaimRequest.of("b"));

    Pool other = elsewhere.open("p");
    assertThat(claim(other, ClaimRequest.of("a").withSlot(1)).value())
        .isEqualTo(had.get(1).value());
    assertThat(claim(other, ClaimRequest.of("a")).value()).isEqualTo(had.get(0).value());
  }

  @Test
  void whatSomebodyElseTookMeanwhileIsNotGivenBack() {
    Pool pool = create(spec("10.0.0.0/29"));
    Claim had = claim(pool, ClaimRequest.of("a"));
    pool.release(had.value(), had.token());
    claim(pool, ClaimRequest.of("b").withValue(had.value()));

    assertThat(claim(pool, ClaimRequest.of("a")).value()).isNotEqualTo(had.value());
  }

  @Test
  void whoseValueRestsIsNotTurnedAwayFromAnEmptyPool() {
    Pool pool = create(spec("10.0.0.0/30").withQuarantine(Duration.ofHours(1)));
    claim(pool, ClaimRequest.of("a"));
    Claim had = claim(pool, ClaimRequest.of("b"));
    pool.release(had.value(), had.token());
    Pool other = elsewhere.open("p");

    for (Pool instance : List.of(pool, other)) {
      assertThat(instance.claim(ClaimRequest.of("c"))).isInstanceOf(Exhausted.class);
      Claim again = claim(instance, ClaimRequest.of("b"));
      assertThat(again.value()).isEqualTo(had.value());
      instance.release(again.value(), again.token());
    }
  }

  @Test
  void withoutStickinessWhatRestsGoesToNobodyUnlessNamed() {
    Pool pool = create(spec("10.0.0.1").withSticky(false).withQuarantine(Duration.ofHours(1)));
    Claim had = claim(pool, ClaimRequest.of("a"));
    pool.release(had.value(), had.token());

    assertThat(pool.claim(ClaimRequest.of("a"))).isInstanceOf(Exhausted.class);
    assertThat(pool.claim(ClaimRequest.of("a").withValue(had.value()))).isInstanceOf(Granted.class);
  }

  @Test
  void severalAreAllGivenOrNone() {
    Pool pool = create(spec("10.0.0.0/29").withPerClient(6));
    claim(pool, ClaimRequest.of("x").withCount(3));

    assertThat(pool.claim(ClaimRequest.of("a").withCount(5))).isInstanceOf(Exhausted.class);
    assertThat(PoolInvariants.counts(pool)).containsExactly(3L, 3L, 0L);
    List<Claim> three = ((Granted) pool.claim(ClaimRequest.of("a").withCount(3))).claims();
    assertThat(three).extracting(Claim::slot).containsExactly(0, 1, 2);

    pool.release(three.get(1).value(), three.get(1).token());
    CompletableFuture<ClaimResult> filled =
        elsewhere.open("p").claimAsync(ClaimRequest.of("a").withCount(3));
    List<Claim> again = ((Granted) Session.join(filled)).claims();
    assertThat(again.get(0)).isEqualTo(three.get(0));
    assertThat(again.get(2)).isEqualTo(three.get(2));
    assertThat(again.get(1).token()).isGreaterThan(three.get(1).token());
    assertThat(pool.claim(ClaimRequest.of("a").withCount(3))).isEqualTo(new AlreadyHeld(again));
  }

  @Test
  void twoInstancesThatRaceForTheLastNeverHaveHalfEach() {
    create(spec("10.0.0.0/28").withPerClient(10));
    for (int round = 0; round < 3; round++) {
      CompletableFuture<ClaimResult> one =
          pools.open("p").claimAsync(ClaimRequest.of("a").withCount(10));
      CompletableFuture<ClaimResult> other =
          elsewhere.open("p").claimAsync(ClaimRequest.of("b").withCount(10));
      List<ClaimResult> results = Stream.of(one, other).map(Session::join).toList();

      assertThat(results).filteredOn(Granted.class::isInstance).hasSizeLessThan(2);
      assertThat(database.number("select count(*) from mintmark.pool_claim")).isIn(0L, 10L);
      results.stream()
          .filter(Granted.class::isInstance)
          .flatMap(result -> ((Granted) result).claims().stream())
          .forEach(claim -> pools.open("p").release(claim.value(), claim.token()));
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

  private String free() {
    return Block.parse("10.0.0.0/29")
        .valueAt(database.number("select min(place) from mintmark.pool_free"));
  }
}
