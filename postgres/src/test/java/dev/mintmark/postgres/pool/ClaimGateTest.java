package dev.mintmark.postgres.pool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mintmark.Block;
import dev.mintmark.PoolSpec;
import dev.mintmark.fixtures.TestDatabase;
import dev.mintmark.postgres.pool.ClaimResult.Granted;
import dev.mintmark.postgres.pool.ClaimResult.NotOpen;
import dev.mintmark.postgres.pool.ClaimResult.TooManyClaims;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A pool that is released in steps. */
@Tag("slow")
class ClaimGateTest {
  private static final PoolGate ALPHA =
      new PoolGate(Set.of("acme", "umbrella"), Optional.empty(), Optional.empty());

  private final TestDatabase database = TestDatabase.create();
  private final Pools pools = Pools.over(database.dataSource());

  @AfterEach
  void close() {
    pools.close();
  }

  @Test
  void onlyThoseWhoAreLetInClaim() {
    Pool pool = create();
    pool.setGate(ALPHA);

    assertThat(pool.claim(ClaimRequest.of("vm-1").withOwner("acme"))).isInstanceOf(Granted.class);
    assertThat(pool.claim(ClaimRequest.of("vm-2").withOwner("initech")))
        .isEqualTo(new NotOpen("p", "initech"));
    assertThat(pool.claim(ClaimRequest.of("vm-2").withOwner("initech").withValue("10.0.0.9")))
        .isEqualTo(new NotOpen("p", "initech"));
    assertThat(pool.claim(ClaimRequest.of("vm-2"))).isEqualTo(new NotOpen("p", "vm-2"));
    assertThat(pool.claim(ClaimRequest.of("umbrella"))).isInstanceOf(Granted.class);

    pool.setGate(PoolGate.OPEN);

    assertThat(pool.claim(ClaimRequest.of("vm-2").withOwner("initech")))
        .isInstanceOf(Granted.class);
  }

  @Test
  void aRefusalNeedsNoStatement() {
    Pool pool = create();
    pool.setGate(ALPHA);
    long before = pool.context().database().statements();

    for (int i = 0; i < 1_000; i++) {
      assertThat(pool.claim(ClaimRequest.of("vm-" + i))).isInstanceOf(NotOpen.class);
    }

    assertThat(pool.context().database().statements() - before).isZero();
  }

  @Test
  void aHolderThatIsNotLetInRenewsAndReleasesButDoesNotClaim() {
    Pool pool = create();
    Claim held = ((Granted) pool.claim(ClaimRequest.of("vm-1").withOwner("initech"))).claim();
    pool.setGate(ALPHA);

    assertThat(pool.claim(ClaimRequest.of("vm-1").withOwner("initech")))
        .isInstanceOf(NotOpen.class);
    assertThat(pool.renew(held.value(), held.token(), Optional.empty()))
        .isInstanceOf(RenewResult.Renewed.class);
    assertThat(pool.release(held.value(), held.token())).isInstanceOf(ReleaseResult.Released.class);
  }

  @Test
  void anOwnerThatClaimsTooFastIsToldWhenToClaimAgain() {
    Pool pool = create();
    Duration hour = Duration.ofHours(1);
    pool.setGate(new PoolGate(Set.of(), Optional.empty(), Optional.of(new PoolGate.Rate(3, hour))));

    assertThat(pool.claim(ClaimRequest.of("vm-1").withOwner("acme"))).isInstanceOf(Granted.class);
    assertThat(pool.claim(ClaimRequest.of("vm-2").withOwner("acme").withCount(2)))
        .isInstanceOf(Granted.class);
    ClaimResult fourth = pool.claim(ClaimRequest.of("vm-3").withOwner("acme"));

    assertThat(fourth).isInstanceOf(TooManyClaims.class);
    assertThat(((TooManyClaims) fourth).retryAfter())
        .isPositive()
        .isLessThanOrEqualTo(Duration.ofMinutes(20));
    assertThat(pool.claim(ClaimRequest.of("vm-3").withOwner("initech")))
        .isInstanceOf(Granted.class);
  }

  @Test
  void aGateIsStoredWithThePool() {
    PoolGate gate =
        new PoolGate(
            Set.of("acme", "a,b\"{}"), Optional.of(25), Optional.of(PoolGate.Rate.parse("10/m")));
    create().setGate(gate);

    try (Pools others = Pools.over(database.dataSource())) {
      assertThat(others.open("p").gate()).isEqualTo(gate);
      pools.delete("p");
      create();
      assertThat(pools.open("p").gate()).isEqualTo(PoolGate.OPEN);
    }
  }

  @Test
  void aChangedGateReachesAnInstanceThatListens() {
    create().setGate(ALPHA);
    try (Pools others = Pools.over(database.dataSource())) {
      others.listenThrough(database.dataSource());
      Pool other = others.open("p");
      Session.await("a notification", others::isListening);
      assertThat(other.claim(ClaimRequest.of("vm-1"))).isInstanceOf(NotOpen.class);

      pools.open("p").setGate(PoolGate.OPEN);

      Session.await("the other gate", () -> other.gate().isOpen());
      assertThat(other.claim(ClaimRequest.of("vm-1"))).isInstanceOf(Granted.class);
    }
  }

  @Test
  void thePoolMustBeThere() {
    Pool pool = create();
    try (Pools others = Pools.over(database.dataSource())) {
      others.delete("p");
    }

    assertThatThrownBy(() -> pool.setGate(ALPHA)).isInstanceOf(UnknownPoolException.class);
  }

  private Pool create() {
    pools.create(PoolSpec.of("p", List.of(Block.parse("10.0.0.0/24"))).withPerClient(3));
    return pools.open("p");
  }
}
