package dev.mintmark.postgres.pool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mintmark.Block;
import dev.mintmark.PoolSpec;
import dev.mintmark.PoolSpec.AfterFailover;
import dev.mintmark.fixtures.BreakableDataSource;
import dev.mintmark.fixtures.TestDatabase;
import dev.mintmark.fixtures.TestServer;
import dev.mintmark.postgres.pool.ClaimResult.AlreadyHeld;
import dev.mintmark.postgres.pool.ClaimResult.Exhausted;
import dev.mintmark.postgres.pool.ClaimResult.Granted;
import dev.mintmark.postgres.pool.ClaimResult.Stopped;
import dev.mintmark.postgres.pool.ClaimResult.ValueTaken;
import dev.mintmark.postgres.pool.Failover.Settled;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Pools whose database goes back to an earlier state, or is taken over by another server, while
 * instances run or while none does. A copy of the database that is made and put in its place stands
 * for the state; a function of the database says on which timeline the server is.
 */
@Tag("long")
class FenceTest {
  private static final Duration LEASE = Duration.ofMinutes(10);

  private TestDatabase database = TestDatabase.create();
  private final Instance first = new Instance();
  private final Instance second = new Instance();

  /** What happens between the answer to the next claim and its arrival; null: nothing. */
  private @Nullable Runnable beforeAnswer;

  /** A running instance of a program. Its database is the present one, for each statement. */
  private final class Instance implements Failover.Listener {
    final Pools pools = Pools.over(present());
    final List<Failover> failovers = new ArrayList<>();
    final List<Settled> settled = new ArrayList<>();

    Instance() {
      pools.reportFailovers(this);
    }

    @Override
    public void failedOver(Failover failover) {
      failovers.add(failover);
    }

    @Override
    public void settled(Settled pool) {
      settled.add(pool);
    }

    ClaimResult claim(String client) {
      return pools.open("p").claim(ClaimRequest.of(client));
    }

    Claim granted(String client) {
      return ((Granted) claim(client)).claim();
    }
  }

  private DataSource present() {
    return (DataSource)
        Proxy.newProxyInstance(
            DataSource.class.getClassLoader(),
            new Class<?>[] {DataSource.class},
            (proxy, method, arguments) -> {
              try {
                Object result = method.invoke(database.dataSource(), arguments);
                return beforeAnswer != null && result instanceof Connection connection
                    ? delayed(connection)
                    : result;
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            });
  }

  private Connection delayed(Connection connection) {
    AtomicBoolean claims = new AtomicBoolean();
    return (Connection)
        Proxy.newProxyInstance(
            Connection.class.getClassLoader(),
            new Class<?>[] {Connection.class},
            (proxy, method, arguments) -> {
              if (method.getName().equals("prepareStatement")
                  && arguments[0].toString().contains("'granted' as outcome")) {
                claims.set(true);
              }
              Runnable delay = beforeAnswer;
              if (method.getName().equals("close") && claims.get() && delay != null) {
                beforeAnswer = null;
                delay.run();
              }
              try {
                return method.invoke(connection, arguments);
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            });
  }

  @AfterEach
  void everyValueIsInJustOneState() {
    first.pools.close();
    second.pools.close();
    assertThat(PoolInvariants.violations(database)).isEmpty();
  }

  private void timeline(String timeline) {
    database.execute(
        "create or replace function mintmark.pool_timeline() returns text language sql as $$select '%s'$$"
            .formatted(timeline));
  }

  private static PoolSpec spec(Optional<AfterFailover> conduct) {
    return PoolSpec.of("p", List.of(Block.parse("10.0.0.0/28")))
        .withLease(LEASE)
        .withAfterFailover(conduct);
  }

  private static PoolSpec withoutLease(Optional<AfterFailover> conduct) {
    return PoolSpec.of("p", List.of(Block.parse("10.0.0.0/28"))).withAfterFailover(conduct);
  }

  private void endRest() {
    database.execute("update mintmark.pool_block set not_before = now()");
    database.execute("update mintmark.pool_quarantine set until = now()");
    first.pools.sweep();
    first.pools.open("p").wake();
  }

  private String restLeft() {
    return database.text(
        "select ceil(extract(epoch from min(not_before) - now()) / 60) || ' min' from mintmark.pool_block");
  }

  @Test
  void theServerTellsItsTimeline() {
    assertThat(first.pools.watchesTimeline()).isTrue();
    assertThat(database.text("select timeline from mintmark.pool_epoch")).isEqualTo("00000001");
    assertThat(database.number("select system_identifier from mintmark.pool_epoch")).isPositive();
  }

  @Test
  void freeValuesOfAPoolWithALeaseRestAfterAFailover() {
    timeline("00000001");
    first.pools.create(spec(Optional.empty()));
    Claim held = first.granted("held");
    Claim released = first.granted("released");
    first.pools.open("p").release(released.value(), released.token());
    second.claim("held");

    timeline("00000002");

    assertThat(second.claim("new")).isInstanceOf(Exhausted.class);
    assertThat(first.claim("released")).isInstanceOf(Exhausted.class);
    assertThat(first.claim("held")).isEqualTo(new AlreadyHeld(List.of(held)));
    assertThat(first.pools.open("p").renew(held.value(), held.token(), Optional.empty()))
        .isInstanceOf(RenewResult.Renewed.class);
    assertThat(first.pools.open("p").claim(ClaimRequest.of("new").withValue("10.0.0.9")))
        .isInstanceOf(ValueTaken.class);
    assertThat(restLeft()).isEqualTo("10 min");
    assertThat(second.failovers)
        .containsExactly(new Failover(Optional.of("00000001"), Optional.of("00000002"), false));
    assertThat(second.settled).hasSize(1);
    assertThat(first.settled).as("one instance settles").isEmpty();
    assertThat(first.failovers).hasSize(1);
  }

  @Test
  void theRestIsAsLongAsTheLongestLeaseAndTheQuarantine() {
    timeline("00000001");
    first.pools.create(spec(Optional.empty()).withQuarantine(Duration.ofMinutes(5)));
    Pool pool = first.pools.open("p");
    Claim longest =
        ((Granted) pool.claim(ClaimRequest.of("a").withLease(Duration.ofHours(1)))).claim();
    pool.release(longest.value(), longest.token());
    pool.claim(ClaimRequest.of("b").withLease(Duration.ofMinutes(20)));

    timeline("00000002");
    first.pools.sweep();

    assertThat(restLeft()).isEqualTo("65 min");
  }

  @Test
  void afterTheRestValuesAreGrantedAgain() {
    timeline("00000001");
    first.pools.create(spec(Optional.empty()));
    long before = first.granted("a").token();
    timeline("00000002");
    assertThat(first.claim("b")).isInstanceOf(Exhausted.class);

    endRest();

    assertThat(first.granted("b").token()).isGreaterThan(before + 1_000_000_000_000L);
    assertThat(second.granted("c").token()).isGreaterThan(before + 1_000_000_000_000L);
  }

  @Test
  void aPoolWithoutALeaseStopsUntilAPersonDecides() {
    timeline("00000001");
    first.pools.create(withoutLease(Optional.empty()));
    Claim held = first.granted("held");

    timeline("00000002");

    assertThat(first.claim("new")).isEqualTo(new Stopped("p"));
    assertThat(second.claim("new")).isEqualTo(new Stopped("p"));
    assertThat(second.claim("held")).isEqualTo(new AlreadyHeld(List.of(held)));
    assertThat(second.pools.open("p").claim(ClaimRequest.of("new").withValue("10.0.0.9")))
        .isIn(new Stopped("p"), new ValueTaken("p", "10.0.0.9"));
    assertThat(first.pools.open("p").stoppedAt()).isPresent();
    assertThat(first.settled)
        .containsExactly(new Settled("p", AfterFailover.STOP, Optional.empty()));

    assertThat(first.pools.open("p").resume()).isTrue();
    assertThat(first.pools.open("p").resume()).isFalse();
    assertThat(first.pools.open("p").stoppedAt()).isEmpty();
    assertThat(second.claim("new")).isInstanceOf(Granted.class);
  }

  @Test
  void quarantiningAllEndsAStop() {
    timeline("00000001");
    first.pools.create(withoutLease(Optional.empty()));
    timeline("00000002");
    assertThat(first.claim("new")).isEqualTo(new Stopped("p"));

    first.pools.open("p").quarantineAll(Duration.ofHours(1));

    assertThat(first.claim("new")).isInstanceOf(Exhausted.class);
    assertThat(restLeft()).isEqualTo("60 min");
  }

  @Test
  void aPoolThatTrustsGoesOnAfterAFailover() {
    timeline("00000001");
    first.pools.create(withoutLease(Optional.of(AfterFailover.TRUST)));
    long before = first.granted("a").token();

    timeline("00000002");

    assertThat(first.granted("b").token()).isGreaterThan(before + 1_000_000_000_000L);
    assertThat(first.settled)
        .containsExactly(new Settled("p", AfterFailover.TRUST, Optional.empty()));
  }

  /** As when a server that was paused comes back with an older history, and takes over again. */
  @ParameterizedTest
  @EnumSource(AfterFailover.class)
  void aTimelineThatGoesBackIsNotTrusted(AfterFailover conduct) {
    timeline("00000005");
    first.pools.create(spec(Optional.of(conduct)));
    second.granted("before");
    TestDatabase older = database.copy();
    timeline("00000006");
    if (conduct != AfterFailover.TRUST) {
      first.claim("x");
      first.pools.open("p").resume();
      endRest();
    }
    Claim lost = first.granted("lost");
    int failovers = first.failovers.size();

    database = older;

    assertThat(first.claim("next"))
        .isInstanceOf(conduct == AfterFailover.STOP ? Stopped.class : Exhausted.class);
    assertThat(first.failovers.get(failovers).wentBack()).isTrue();
    assertThat(second.claim("other"))
        .isInstanceOf(conduct == AfterFailover.STOP ? Stopped.class : Exhausted.class);
    assertThat(second.claim("before")).isInstanceOf(AlreadyHeld.class);
    assertThat(database.number("select count(*) from mintmark.pool_epoch where went_back"))
        .as("one of two instances begins an epoch for it")
        .isEqualTo(1);
    assertThat(database.number("select last_value from mintmark.pool_token"))
        .isGreaterThan(lost.token());
  }

  /** As when a snapshot of the disk is put back: nothing but tokens tells. */
  @Test
  void aTokenThatIsMissingIsNotTrusted() {
    timeline("00000001");
    first.pools.create(spec(Optional.of(AfterFailover.TRUST)));
    second.granted("before");
    TestDatabase older = database.copy();
    first.granted("lost");

    database = older;

    assertThat(first.claim("next")).isInstanceOf(Exhausted.class);
    assertThat(first.failovers)
        .containsExactly(new Failover(Optional.of("00000001"), Optional.of("00000001"), true));
  }

  @Test
  void aDatabaseThatGoesBackTwiceIsFoundTwice() {
    timeline("00000001");
    first.pools.create(spec(Optional.of(AfterFailover.TRUST)));
    for (int i = 0; i < 2; i++) {
      TestDatabase older = database.copy();
      first.granted("lost-" + i);

      database = older;

      assertThat(first.claim("next")).isInstanceOf(Exhausted.class);
      endRest();
    }
    assertThat(first.failovers).extracting(Failover::wentBack).containsExactly(true, true);
  }

  /** As of a claim that waits for a synchronous standby when its primary fails. */
  @Test
  void aTokenThatWasDrawnAndNotGrantedIsNotMissed() {
    timeline("00000001");
    first.pools.create(spec(Optional.of(AfterFailover.TRUST)));
    first.granted("a");
    TestDatabase promoted = database.copy();
    database.execute("select nextval('mintmark.pool_token')");
    first.pools.sweep();

    database = promoted;
    timeline("00000002");

    assertThat(first.claim("b")).isInstanceOf(Granted.class);
    assertThat(first.failovers).extracting(Failover::wentBack).containsExactly(false);
  }

  /**
   * As of a client that claims again through another instance, because the first one's answer was
   * late: the token that this instance sees is of an epoch that it does not know yet.
   */
  @Test
  void aTokenOfALaterEpochIsNotMissedInTheEarlierOne() {
    timeline("00000001");
    first.pools.create(spec(Optional.of(AfterFailover.TRUST)));
    first.granted("before");
    second.granted("other");

    timeline("00000002");
    Claim claim = first.granted("later");

    assertThat(second.claim("later")).isEqualTo(new AlreadyHeld(List.of(claim)));
    assertThat(second.claim("next")).isInstanceOf(Granted.class);
    assertThat(second.failovers).extracting(Failover::wentBack).containsExactly(false);
  }

  /** Nobody but this instance has told a client of the claim, when the disk is set back. */
  @Test
  void aTokenThatWasFoundInAnUnknownEpochIsMissed() {
    timeline("00000001");
    first.pools.create(spec(Optional.of(AfterFailover.TRUST)));
    second.granted("other");
    timeline("00000002");
    first.pools.sweep();
    TestDatabase older = database.copy();
    first.granted("lost");
    assertThat(second.claim("lost")).isInstanceOf(AlreadyHeld.class);
    second.pools.sweep();

    database = older;

    assertThat(second.claim("next")).isInstanceOf(Exhausted.class);
    assertThat(second.failovers).extracting(Failover::wentBack).containsExactly(false, true);
  }

  /** As above, of a claim that this instance has found by its value, or renewed. */
  @ParameterizedTest
  @ValueSource(strings = {"by value", "renewed", "renewed with others"})
  void aTokenThatWasFoundInAnotherWayIsMissed(String way) {
    timeline("00000001");
    first.pools.create(spec(Optional.of(AfterFailover.TRUST)));
    second.granted("other");
    TestDatabase older = database.copy();
    Claim lost = first.granted("lost");
    Pool pool = second.pools.open("p");
    switch (way) {
      case "by value" ->
          assertThat(pool.claim(ClaimRequest.of("lost").withValue(lost.value())))
              .isInstanceOf(AlreadyHeld.class);
      case "renewed" ->
          assertThat(pool.renew(lost.value(), lost.token(), Optional.empty()))
              .isInstanceOf(RenewResult.Renewed.class);
      default ->
          assertThat(
                  pool.many()
                      .renew(
                          List.of(new ManyClaims.Named(lost.value(), lost.token())),
                          Optional.empty(),
                          Optional.empty())
                      .renewed())
              .hasSize(1);
    }
    second.pools.sweep();

    database = older;

    assertThat(second.claim("next")).isInstanceOf(Exhausted.class);
    assertThat(second.failovers).extracting(Failover::wentBack).containsExactly(true);
  }

  /**
   * As of a claim that is lost in a failover which the instance finds before its answer arrives.
   */
  @Test
  void anAnswerOfAnEpochThatIsOverIsAskedForAgain() {
    timeline("00000001");
    first.pools.create(spec(Optional.of(AfterFailover.TRUST)));
    first.granted("before");
    TestDatabase promoted = database.copy();
    beforeAnswer =
        () -> {
          database = promoted;
          timeline("00000002");
          first.pools.sweep();
        };

    Claim claim = first.granted("late");

    assertThat(beforeAnswer).isNull();
    assertThat(database.number("select token from mintmark.pool_claim where client = 'late'"))
        .isEqualTo(claim.token());
  }

  /** Of an instance that ends at any step, nothing is left that could be granted twice. */
  @Test
  void anInstanceThatIsKilledWhileItSettlesLeavesThePoolUnsettled() {
    timeline("00000001");
    first.pools.create(spec(Optional.empty()));
    Claim released = first.granted("released");
    first.pools.open("p").release(released.value(), released.token());
    int killed = 0;
    boolean settles = false;
    for (int steps = 0; !settles; steps++) {
      timeline("%08X".formatted(2 + steps));
      database.execute("update mintmark.pool_block set not_before = null");
      database.execute("update mintmark.pool_quarantine set until = now()");
      BreakableDataSource breakable = new BreakableDataSource(present());
      try (Pools mortal = Pools.over(breakable.dataSource())) {
        Pool pool = mortal.open("p");
        breakable.cutAfter(steps);
        settles = pool.claim(ClaimRequest.of("new")) instanceof Exhausted;
      } catch (PoolUnavailableException e) {
        killed++;
      }

      first.pools.open("p").wake();
      assertThat(first.claim("new"))
          .as("killed after %d steps", steps)
          .isInstanceOf(Exhausted.class);
      assertThat(restLeft()).isEqualTo("10 min");
    }
    assertThat(killed).isGreaterThan(10);
  }

  /** As when a connection led to a server that was about to take over, and did not. */
  @Test
  void anInstanceThatFailsToFindOutWhatHappenedGoesOn() {
    timeline("00000001");
    first.pools.create(spec(Optional.of(AfterFailover.TRUST)));
    Claim held = first.granted("held");
    BreakableDataSource breakable = new BreakableDataSource(present());
    try (Pools failing = Pools.over(breakable.dataSource())) {
      Pool pool = failing.open("p");
      int failed = 0;
      for (int steps = 0;
          database.number("select count(*) from mintmark.pool_epoch") == 1;
          steps++) {
        timeline("00000002");
        breakable.cutAfter(steps);
        try {
          ClaimResult unused = pool.claim(ClaimRequest.of("new"));
        } catch (PoolUnavailableException e) {
          failed++;
        }
        breakable.mend();
        timeline("00000001");
        if (database.number("select count(*) from mintmark.pool_epoch") == 1) {
          assertThat(pool.claim(ClaimRequest.of("held"))).isEqualTo(new AlreadyHeld(List.of(held)));
        }
      }
      assertThat(failed).isGreaterThan(5);
    }
  }

  /** What is lost stays lost, although a failover that lost nothing else comes first. */
  @Test
  void aTokenThatIsMissingIsFoundAfterALaterFailoverThatWasTrusted() {
    timeline("00000001");
    first.pools.create(spec(Optional.of(AfterFailover.TRUST)));
    TestDatabase older = database.copy();
    first.granted("lost");

    database = older;
    timeline("00000002");
    assertThat(second.claim("other")).as("it has seen nothing of it").isInstanceOf(Granted.class);

    assertThat(first.claim("next")).isInstanceOf(Exhausted.class);
    assertThat(second.claim("next")).isInstanceOf(Exhausted.class);
    assertThat(second.claim("other")).isInstanceOf(AlreadyHeld.class);
    assertThat(database.rows("select went_back from mintmark.pool_epoch order by number"))
        .containsExactly(List.of("f"), List.of("f"), List.of("t"));
  }

  @Test
  void anInstanceThatStartsAfterAFailoverFindsIt() {
    timeline("00000001");
    first.pools.create(spec(Optional.empty()));
    first.granted("a");

    timeline("00000002");
    Instance third = new Instance();

    assertThat(third.claim("b")).isInstanceOf(Exhausted.class);
    assertThat(third.failovers).hasSize(1);
    third.pools.close();
  }

  /** The failover was before the copy, so a copy that is complete has lost the claims too. */
  @Test
  void aCompleteCopyOfAPoolThatWasNotSettledIsSettled() {
    timeline("00000001");
    first.pools.create(spec(Optional.empty()));
    timeline("00000002");
    first.pools.create(PoolSpec.of("settled", List.of(Block.parse("1..9"))));

    Pools.restored(database.dataSource(), true);

    Instance third = new Instance();
    assertThat(third.claim("a")).isInstanceOf(Exhausted.class);
    assertThat(third.pools.open("settled").claim(ClaimRequest.of("a"))).isInstanceOf(Granted.class);
    third.pools.sweep();
    assertThat(third.settled).extracting(Settled::pool).containsExactly("p");
    third.pools.close();
  }

  @Test
  void aPoolIsCreatedInThePresentHistory() {
    timeline("00000002");
    first.pools.create(withoutLease(Optional.empty()));

    assertThat(first.claim("a")).isInstanceOf(Granted.class);
    assertThat(second.claim("b")).isInstanceOf(Granted.class);
  }

  @Test
  void aSweepSettlesPoolsThatNobodyClaimsFrom() {
    timeline("00000001");
    first.pools.create(spec(Optional.empty()));
    first.pools.sweep();

    timeline("00000002");
    first.pools.sweep();

    assertThat(restLeft()).isEqualTo("10 min");
    assertThat(first.settled).hasSize(1);
    first.pools.sweep();
    assertThat(first.settled).as("once").hasSize(1);
  }

  @Test
  void aPoolThatIsNotSettledGrantsNothingWhoeverClaims() {
    timeline("00000001");
    first.pools.create(spec(Optional.empty()));
    timeline("00000002");
    second.pools.watchesTimeline();
    assertThat(database.number("select count(*) from mintmark.pool_epoch")).isEqualTo(2);

    try (Session settling = new Session(database)) {
      settling.run("select from mintmark.pool for no key update");

      assertThat(first.claim("a")).isInstanceOf(ClaimResult.Contended.class);
    }

    assertThat(first.claim("a")).isInstanceOf(Exhausted.class);
  }

  @Test
  void aPoolThatAnotherSessionHadLockedIsSettledByALaterSweep() {
    timeline("00000001");
    first.pools.create(spec(Optional.empty()));
    timeline("00000002");
    try (Session other = new Session(database)) {
      other.run("select from mintmark.pool for no key update");
      first.pools.sweep();
      assertThat(first.settled).isEmpty();
    }

    first.pools.sweep();

    assertThat(first.settled).hasSize(1);
  }

  @Test
  void anInstanceForgetsWhoHeldInTheHistoryThatIsGone() {
    timeline("00000001");
    first.pools.create(spec(Optional.of(AfterFailover.TRUST)));
    Claim resurrected = first.granted("resurrected");
    TestDatabase older = database.copy();
    first.pools.open("p").release(resurrected.value(), resurrected.token());
    IntStream.range(0, 16).forEach(i -> first.claim("client-" + i));
    assertThat(first.claim("resurrected")).isInstanceOf(Exhausted.class);

    database = older;
    first.pools.sweep();

    assertThat(first.claim("client-1")).isInstanceOf(Exhausted.class);
    assertThat(first.claim("resurrected")).isEqualTo(new AlreadyHeld(List.of(resurrected)));
  }

  @Test
  void aServerThatDoesNotSayItsTimelineIsWatchedByTokens() {
    database.execute(
        "create or replace function mintmark.pool_timeline() returns text language sql as 'select null::text'");
    first.pools.create(spec(Optional.empty()));
    assertThat(first.pools.watchesTimeline()).isFalse();
    TestDatabase older = database.copy();
    first.granted("lost");

    database = older;

    assertThat(first.claim("next")).isInstanceOf(Exhausted.class);
    assertThat(first.failovers).endsWith(new Failover(Optional.empty(), Optional.empty(), true));
  }

  /** As on a server whose administrator has taken such functions from everybody. */
  @Test
  void aRoleThatMayNotAskForTheTimelineAsksWithTheRightsOfTheOwner() {
    TestDatabase hardened = TestServer.NEWEST.createDatabase();
    hardened.execute(
        "revoke execute on function pg_current_wal_lsn(), pg_control_system() from public");
    hardened.execute("create role fenced_app login");
    try {
      hardened.migratePools();
      hardened.execute("grant usage on schema mintmark to fenced_app");
      hardened.execute("grant all on all tables in schema mintmark to fenced_app");
      hardened.execute("grant all on all sequences in schema mintmark to fenced_app");

      try (Pools pools = Pools.over(hardened.dataSource("fenced_app"))) {
        pools.create(spec(Optional.empty()));
        assertThat(pools.watchesTimeline()).isTrue();
        assertThat(pools.open("p").claim(ClaimRequest.of("a"))).isInstanceOf(Granted.class);
      }
    } finally {
      hardened.execute("drop owned by fenced_app");
      hardened.execute("drop role fenced_app");
    }
  }

  @Test
  void aDatabaseThatLostItsEpochsSaysSo() {
    first.pools.create(spec(Optional.empty()));
    database.execute("delete from mintmark.pool_epoch");

    assertThatThrownBy(() -> first.claim("a"))
        .isInstanceOf(PoolUnavailableException.class)
        .hasMessageContaining("mintmark.pool_epoch has no rows");
  }

  @Test
  void aRestNeedsALease() {
    assertThatThrownBy(() -> withoutLease(Optional.of(AfterFailover.QUARANTINE)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("without a lease");
  }

  @Test
  void whatIsDeclaredIsStored() {
    for (AfterFailover conduct : AfterFailover.values()) {
      first.pools.declare(spec(Optional.of(conduct)));
      assertThat(Pools.over(database.dataSource()).open("p").spec().afterFailover())
          .contains(conduct);
    }
    first.pools.declare(spec(Optional.empty()));
    assertThat(Pools.over(database.dataSource()).open("p").spec().afterFailover()).isEmpty();
  }
}
