package dev.mintmark.postgres.pool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.mintmark.Block;
import dev.mintmark.PoolSpec;
import dev.mintmark.fixtures.TestDatabase;
import dev.mintmark.postgres.pool.ClaimResult.Granted;
import dev.mintmark.postgres.pool.PastClaim.Ending;
import dev.mintmark.postgres.pool.PastClaim.Filter;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Who held what when. */
@Tag("database")
class PoolHistoryTest {
  private final TestDatabase database = TestDatabase.create();
  private final Pools pools = Pools.over(database.dataSource());

  @AfterEach
  void close() {
    assertThat(PoolInvariants.violations(database)).isEmpty();
    pools.close();
  }

  @Test
  void claimsAreFoundByValueClientOwnerAndTimeTheLatestFirst() {
    Pool pool = create(spec().withLease(Duration.ofHours(1)));
    Claim first = claim(pool, "a", "acme");
    pool.release(first.value(), first.token());
    Claim second = claim(pool, "b", "acme");
    database.execute("update mintmark.pool_claim set expires_at = now() - interval '1 second'");
    Instant between = second.claimedAt();

    assertThat(pool.history(Filter.ALL, OptionalLong.empty(), 10))
        .extracting(PastClaim::client, PastClaim::ending)
        .containsExactly(
            tuple("b", Optional.of(Ending.EXPIRED)), tuple("a", Optional.of(Ending.RELEASED)));
    pools.sweep();
    Claim third = claim(pool, "c", "globex");

    assertThat(tokens(pool, Filter.ALL))
        .containsExactly(third.token(), second.token(), first.token());
    assertThat(tokens(pool, filter(first.value(), null, null, null)))
        .containsExactly(third.token(), second.token(), first.token());
    assertThat(tokens(pool, filter(null, "b", null, null))).containsExactly(second.token());
    assertThat(tokens(pool, filter(null, null, "acme", null)))
        .containsExactly(second.token(), first.token());
    assertThat(tokens(pool, filter(null, null, null, Instant.now().plusSeconds(60))))
        .containsExactly(third.token());
    assertThat(tokens(pool, filter(null, null, null, first.claimedAt())))
        .containsExactly(first.token());
    assertThat(tokens(pool, filter(null, null, null, between))).doesNotContain(first.token());
    assertThat(pool.history(Filter.ALL, OptionalLong.of(second.token()), 10))
        .extracting(PastClaim::token)
        .containsExactly(first.token());
    assertThat(pool.history(Filter.ALL, OptionalLong.empty(), 1))
        .extracting(PastClaim::endedAt)
        .containsExactly(Optional.empty());
  }

  @Test
  void historyIsPrunedByAgeAndKeptByNobodyWhoDoesNotWantIt() {
    Pool pool = create(spec().withHistory(Optional.of(Duration.ofDays(1))));
    for (String client : List.of("a", "b")) {
      Claim claim = claim(pool, client, "acme");
      pool.release(claim.value(), claim.token());
    }
    database.execute(
        "update mintmark.pool_history set ended_at = ended_at - interval '2 days' where client = 'a'");

    pools.sweep();
    assertThat(pool.history(Filter.ALL, OptionalLong.empty(), 10))
        .extracting(PastClaim::client)
        .containsExactly("b");
    assertThat(pools.prune("p", Instant.MIN)).isZero();
    assertThat(pools.prune("p", Instant.now().plusSeconds(60))).isEqualTo(1);

    pools.declare(spec().withHistory(Optional.empty()));
    Claim claim = claim(pool, "c", "acme");
    assertThat(tokens(pool, Filter.ALL)).as("what is held").containsExactly(claim.token());
    pool.release(claim.value(), claim.token());
    assertThat(tokens(pool, Filter.ALL)).isEmpty();
  }

  @Test
  void timesThatPostgresqlDoesNotHaveAreBeforeAndAfterAllOthers() {
    Pool pool = create(spec().withLease(Duration.ofHours(1)));
    Claim ended = claim(pool, "a", "acme");
    pool.release(ended.value(), ended.token(), Optional.of(Instant.MAX));
    Claim held = claim(pool, "b", "acme");

    assertThat(held.previousEnd()).hasValue(ended.expiresAt().orElseThrow());
    assertThat(tokens(pool, filter(null, null, null, Instant.MIN))).isEmpty();
    assertThat(tokens(pool, filter(null, null, null, Instant.MAX))).containsExactly(held.token());
    assertThat(pools.prune("p", Instant.MAX)).isEqualTo(1);
  }

  private Pool create(PoolSpec spec) {
    assertThat(pools.create(spec)).isTrue();
    return pools.open("p");
  }

  private static PoolSpec spec() {
    return PoolSpec.of("p", List.of(Block.parse("10.0.0.1")));
  }

  private static Claim claim(Pool pool, String client, String owner) {
    return ((Granted) pool.claim(ClaimRequest.of(client).withOwner(owner))).claim();
  }

  private static List<Long> tokens(Pool pool, Filter filter) {
    return pool.history(filter, OptionalLong.empty(), 10).stream().map(PastClaim::token).toList();
  }

  private static Filter filter(
      @Nullable String value,
      @Nullable String client,
      @Nullable String owner,
      @Nullable Instant at) {
    return new Filter(
        Optional.ofNullable(value),
        Optional.ofNullable(client).map(NameMatch::exactly),
        Optional.ofNullable(owner).map(NameMatch::exactly),
        Optional.empty(),
        Optional.ofNullable(at));
  }
}
