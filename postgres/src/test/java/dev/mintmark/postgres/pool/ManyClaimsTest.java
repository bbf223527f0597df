package dev.mintmark.postgres.pool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.mintmark.Block;
import dev.mintmark.PoolSpec;
import dev.mintmark.fixtures.TestDatabase;
import dev.mintmark.fixtures.ThreadPerTask;
import dev.mintmark.postgres.pool.ManyClaims.Changed;
import dev.mintmark.postgres.pool.ManyClaims.Ended;
import dev.mintmark.postgres.pool.ManyClaims.Kept;
import dev.mintmark.postgres.pool.ManyClaims.Named;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Claims are renewed and released by client, owner or label. */
@Tag("database")
class ManyClaimsTest {
  private final TestDatabase database = TestDatabase.create();
  private final Pools pools = Pools.over(database.dataSource());

  @AfterEach
  void close() {
    assertThat(PoolInvariants.violations(database)).isEmpty();
    pools.close();
  }

  @Test
  void claimsOfAnOwnerAreReleasedInOneCall() {
    Pool pool = create(Duration.ofHours(1));
    claim(pool, "a", "acme");
    claim(pool, "b", "acme");
    Claim other = claim(pool, "c", "globex");

    Changed<Ended> released = pool.many().release(ClaimFilter.ofOwner("acme"), 10);

    assertThat(released.changed()).extracting(ended -> ended.claim().client()).hasSize(2);
    assertThat(released.changed()).allMatch(ended -> ended.freeAt().isAfter(Instant.now()));
    assertThat(released.next()).isEmpty();
    assertThat(pool.claims(ClaimFilter.ALL, 10)).containsExactly(other);
    assertThat(pool.history(PastClaim.Filter.ALL, OptionalLong.empty(), 10))
        .filteredOn(claim -> claim.ending().equals(Optional.of(PastClaim.Ending.RELEASED)))
        .hasSize(2);
    assertThat(pool.stats().total().quarantined()).isEqualTo(2);
    assertThat(pool.many().release(ClaimFilter.ofOwner("acme"), 10).changed()).isEmpty();
  }

  @Test
  void claimsWithALabelAreRenewed() {
    Pool pool = create(Duration.ZERO);
    Claim one = claim(pool, "a", "acme");
    Claim other = claim(pool, "b", "acme");
    pool.notes().set(one.value(), one.token(), ClaimNote.of(Map.of("host", "7")));
    ClaimFilter filter = ClaimFilter.ALL.withLabel(Optional.of(LabelMatch.exactly("host", "7")));

    Changed<Claim> renewed = pool.many().renew(filter, Optional.of(Duration.ofDays(1)), 10);

    assertThat(renewed.changed()).extracting(Claim::token).containsExactly(one.token());
    assertThat(renewed.changed().get(0).expiresAt().orElseThrow())
        .isAfter(one.expiresAt().orElseThrow());
    assertThat(pool.find(other.value())).contains(other);
  }

  @Test
  void aClaimWithoutAnEndGetsNoneWhenItIsRenewed() {
    assertThat(pools.create(PoolSpec.of("p", List.of(Block.parse("1..9"))))).isTrue();
    Pool pool = pools.open("p");
    Claim claim = claim(pool, "a", "acme");
    Optional<Duration> hour = Optional.of(Duration.ofHours(1));

    assertThat(pool.many().renew(ClaimFilter.ofClient("a"), hour, 10).changed())
        .containsExactly(claim);
    assertThat(pool.renew(claim.value(), claim.token(), hour))
        .isEqualTo(new RenewResult.Renewed(claim));
    assertThat(pool.find(claim.value())).contains(claim);
  }

  @Test
  void oneCallRenewsTheClaimsThatAHolderNames() {
    Pool pool = create(Duration.ZERO);
    Claim one = claim(pool, "a", "acme");
    Claim foreign = claim(pool, "b", "globex");
    Claim other = claim(pool, "c", "acme");
    Claim released = claim(pool, "d", "acme");
    pool.release(released.value(), released.token());
    Claim again = claim(pool, "d", "acme");
    List<Named> wrong =
        List.of(
            named(released),
            new Named(one.value(), other.token()),
            new Named(other.value(), one.token() + 1000),
            new Named("nowhere", one.token()));
    List<Named> all = new ArrayList<>(wrong);
    all.addAll(List.of(named(other), named(foreign), named(one)));

    Kept kept = pool.many().renew(all, Optional.of(Duration.ofDays(1)), Optional.of("acme"));

    assertThat(kept.renewed()).extracting(Claim::token).containsExactly(other.token(), one.token());
    assertThat(kept.renewed().get(1).expiresAt().orElseThrow())
        .isAfter(one.expiresAt().orElseThrow());
    assertThat(kept.lost())
        .containsExactlyElementsOf(
            Stream.concat(wrong.stream(), Stream.of(named(foreign))).toList());
    assertThat(pool.find(again.value())).contains(again);
    assertThat(pool.find(foreign.value())).contains(foreign);
    assertThat(pool.many().renew(all, Optional.empty(), Optional.empty()).renewed()).hasSize(3);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> pool.many().renew(List.of(), Optional.empty(), Optional.empty()))
        .withMessage("0 claims: expected 1 to 10000");
  }

  private static Named named(Claim claim) {
    return new Named(claim.value(), claim.token());
  }

  @Test
  void aLimitedCallSaysWhereTheNextBegins() {
    Pool pool = create(Duration.ZERO);
    IntStream.range(0, 5).forEach(i -> claim(pool, "vm-" + i, "acme"));
    ClaimFilter filter = ClaimFilter.ALL.withClient(Optional.of(NameMatch.startingWith("vm-")));

    Changed<Claim> first = pool.many().renew(filter, Optional.empty(), 3);
    Changed<Claim> rest = pool.many().renew(filter.withAfter(first.next()), Optional.empty(), 3);

    assertThat(first.changed()).hasSize(3);
    assertThat(rest.changed()).hasSize(2).doesNotContainAnyElementsOf(first.changed());
    assertThat(rest.next()).isEmpty();
  }

  /** They lock the claims in one order. Each claim is released by one of them. */
  @Test
  void callsAtTheSameTimeShareTheClaims() {
    Pool pool = create(Duration.ZERO);
    IntStream.range(0, 100).forEach(i -> claim(pool, "vm-" + i, "acme"));

    List<CompletableFuture<Integer>> calls =
        IntStream.range(0, 8)
            .mapToObj(
                i ->
                    CompletableFuture.supplyAsync(
                        () ->
                            Session.repeated(
                                    () -> pool.many().release(ClaimFilter.ofOwner("acme"), 1_000))
                                .changed()
                                .size(),
                        ThreadPerTask.EXECUTOR))
            .toList();

    assertThat(calls.stream().mapToInt(CompletableFuture::join).sum()).isEqualTo(100);
    assertThat(pool.stats().total().held()).isZero();
  }

  /** The instances that remember it as empty are told. */
  @Test
  void anExhaustedPoolHasFreeValuesAtOnce() {
    pools.create(PoolSpec.of("p", List.of(Block.parse("1..2"))));
    Pool pool = pools.open("p");
    claim(pool, "a", "acme");
    claim(pool, "b", "acme");
    assertThat(pool.claim(ClaimRequest.of("c"))).isInstanceOf(ClaimResult.Exhausted.class);

    pool.many().release(ClaimFilter.ofOwner("acme"), 10);

    assertThat(pool.claim(ClaimRequest.of("c"))).isInstanceOf(ClaimResult.Granted.class);
  }

  @Test
  void allClaimsOfAPoolAreNotChangedAtOnce() {
    Pool pool = create(Duration.ZERO);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> pool.many().release(ClaimFilter.ALL, 10))
        .withMessageStartingWith("expected a client, an owner or a label");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> pool.many().release(ClaimFilter.ofOwner("o"), 10_001))
        .withMessage("limit is 10001: expected 1 to 10000");
    assertThatIllegalArgumentException()
        .isThrownBy(
            () -> pool.many().renew(ClaimFilter.ofOwner("o"), Optional.of(Duration.ZERO), 1))
        .withMessageStartingWith("lease is 0s");
  }

  private Pool create(Duration quarantine) {
    pools.create(
        PoolSpec.of("p", List.of(Block.parse("10.0.0.0/25")))
            .withLease(Duration.ofHours(1))
            .withQuarantine(quarantine)
            .withHistory(Optional.of(Duration.ofDays(1))));
    return pools.open("p");
  }

  private static Claim claim(Pool pool, String client, String owner) {
    ClaimResult result = pool.claim(ClaimRequest.of(client).withOwner(owner));
    return ((ClaimResult.Granted) result).claim();
  }
}
