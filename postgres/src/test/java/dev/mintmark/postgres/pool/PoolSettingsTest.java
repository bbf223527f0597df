package dev.mintmark.postgres.pool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.mintmark.Block;
import dev.mintmark.PoolSpec;
import dev.mintmark.fixtures.TestDatabase;
import dev.mintmark.postgres.pool.ClaimResult.AlreadyHeld;
import dev.mintmark.postgres.pool.ClaimResult.Contended;
import dev.mintmark.postgres.pool.ClaimResult.Exhausted;
import dev.mintmark.postgres.pool.ClaimResult.Granted;
import dev.mintmark.postgres.pool.ClaimResult.QuotaReached;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Settings of a pool that are changed while clients hold its values. */
@Tag("database")
class PoolSettingsTest {
  private final TestDatabase database = TestDatabase.create();
  private final Pools pools = Pools.over(database.dataSource());

  @AfterEach
  void close() {
    pools.close();
  }

  @Test
  void everySettingIsChangedAndBlocksStay() {
    Pool pool = create();
    UnaryOperator<PoolSpec> change =
        spec ->
            spec.withOrder(PoolSpec.Order.ASCENDING)
                .withPerClient(3)
                .withPerOwner(Optional.of(5))
                .withSticky(false)
                .withLease(Duration.ofHours(1))
                .withQuarantine(Duration.ofMinutes(5))
                .withHistory(Optional.empty())
                .withAfterFailover(Optional.of(PoolSpec.AfterFailover.STOP))
                .withThresholds(List.of(50));
    PoolSpec expected = change.apply(pool.spec());

    assertThat(pool.change(change)).isEqualTo(expected);

    assertThat(pool.spec()).isEqualTo(expected);
    try (Pools others = Pools.over(database.dataSource())) {
      assertThat(others.open("p").spec()).isEqualTo(expected);
    }
  }

  /** Another instance draws in the order that it does not know yet. */
  @Test
  void everyValueIsGrantedAfterTheOrderHasChanged() {
    pools.create(PoolSpec.of("p", List.of(Block.parse("1..10000"))));
    try (Pools others = Pools.over(database.dataSource())) {
      Pool other = others.open("p");
      Pool pool = pools.open("p");
      granted(pool, "a");

      pool.change(spec -> spec.withOrder(PoolSpec.Order.ASCENDING).withPerClient(1_000));
      assertThat(other.refill(100)).isTrue();
      assertThat(Session.join(pool.claimAsync(ClaimRequest.of("b").withCount(1_000))))
          .isInstanceOf(Granted.class);
      pools.declare(pool.spec().withOrder(PoolSpec.Order.RANDOM));
      for (int i = 0; i < 8; i++) {
        assertThat(Session.join(pool.claimAsync(ClaimRequest.of("c" + i).withCount(1_000))))
            .isInstanceOf(Granted.class);
      }
      assertThat(Session.join(pool.claimAsync(ClaimRequest.of("d").withCount(999))))
          .isInstanceOf(Granted.class);

      assertThat(Session.join(pool.claimAsync(ClaimRequest.of("e")))).isInstanceOf(Exhausted.class);
    }
    assertThat(PoolInvariants.violations(database)).isEmpty();
  }

  @Test
  void aClaimEndsThoughTheDrawingOfABlockFindsNothing() {
    Pool pool = create();
    database.execute("delete from mintmark.pool_free; update mintmark.pool_block set issued = 0");

    assertThat(Session.join(pool.claimAsync(ClaimRequest.of("a")))).isInstanceOf(Contended.class);
  }

  @Test
  void aClaimKeepsItsEndUntilItIsRenewed() {
    Pool pool = create();
    Claim claim = granted(pool, "a");
    assertThat(claim.expiresAt()).isEmpty();

    pool.change(spec -> spec.withLease(Duration.ofHours(1)));

    assertThat(pool.find(claim.value()).orElseThrow().expiresAt()).isEmpty();
    assertThat(granted(pool, "b").expiresAt()).isPresent();
  }

  @Test
  void aClientAboveTheNewQuotaKeepsItsValuesAndGetsNoMore() {
    Pool pool = create();
    pool.change(spec -> spec.withPerClient(3));
    pool.claim(ClaimRequest.of("a").withCount(3));

    pool.change(spec -> spec.withPerClient(1));

    assertThat(pool.claims(ClaimFilter.ofClient("a"), 10)).hasSize(3);
    assertThat(pool.claim(ClaimRequest.of("a"))).isInstanceOf(AlreadyHeld.class);
    assertThat(pool.claims(ClaimFilter.ofClient("a"), 10)).hasSize(3);
  }

  @Test
  void aQuotaOfOwnersCountsWhatTheyHoldAlready() {
    Pool pool = create();
    pool.claim(ClaimRequest.of("a").withOwner("o"));
    pool.claim(ClaimRequest.of("b").withOwner("o"));

    pool.change(spec -> spec.withPerOwner(Optional.of(2)));

    assertThat(pool.claim(ClaimRequest.of("c").withOwner("o"))).isInstanceOf(QuotaReached.class);
  }

  /** A failover waits for the claims that have the longer lease. */
  @Test
  void theLongestLeaseIsRememberedWhenItIsShortened() {
    Pool pool = create();
    pool.change(spec -> spec.withLease(Duration.ofHours(2)));
    granted(pool, "a");

    pool.change(spec -> spec.withLease(Duration.ofMinutes(1)));
    pools.declare(pool.spec().withLease(Duration.ofMinutes(2)));

    assertThat(database.text("select longest_lease from mintmark.pool")).isEqualTo("02:00:00");
  }

  @Test
  void changesAtTheSameTimeAreBothKept() throws InterruptedException {
    Pool pool = create();
    CountDownLatch began = new CountDownLatch(1);
    Thread other =
        new Thread(
            () -> {
              began.countDown();
              pool.change(spec -> spec.withPerClient(spec.perClient() + 1));
            });
    pool.change(
        spec -> {
          other.start();
          awaitBoth(began);
          return spec.withPerClient(spec.perClient() + 1);
        });
    other.join();

    assertThat(pool.spec().perClient()).isEqualTo(3);
  }

  /** Waits until the other change waits for the lock of this one. */
  private void awaitBoth(CountDownLatch began) {
    try {
      began.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
    Session.await(
        "the other change",
        () -> database.number("select count(*) from pg_locks where not granted") > 0);
  }

  @Test
  void whatIsNoSettingIsRejectedAndNothingChanges() {
    Pool pool = create();

    List<UnaryOperator<PoolSpec>> changes =
        List.of(
            spec -> spec.withBlocks(List.of(Block.parse("1..2"))),
            spec -> spec.withExclude(List.of(Block.parse("1"))),
            spec -> PoolSpec.of("q", spec.blocks()));
    for (UnaryOperator<PoolSpec> change : changes) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> pool.change(change))
          .withMessage("pool \"p\": its name, blocks and exclusions are no settings");
    }
    assertThatIllegalArgumentException()
        .isThrownBy(() -> pool.change(spec -> spec.withDatabase(Optional.of("two"))))
        .withMessage("pool \"p\": its database is no setting: PoolMove moves it");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> pool.change(spec -> spec.withPerClient(0)))
        .withMessageContaining("per-client is 0");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> pool.drain("1..2", true))
        .withMessage("pool \"p\" has no block \"1..2\": it has [1..9]");
    pools.delete("p");
    assertThatExceptionOfType(UnknownPoolException.class)
        .isThrownBy(() -> pool.change(UnaryOperator.identity()));
  }

  private static Claim granted(Pool pool, String client) {
    return ((Granted) pool.claim(ClaimRequest.of(client))).claim();
  }

  private Pool create() {
    assertThat(pools.create(PoolSpec.of("p", List.of(Block.parse("1..9"))))).isTrue();
    return pools.open("p");
  }
}
