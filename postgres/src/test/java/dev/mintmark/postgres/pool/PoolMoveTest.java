package dev.mintmark.postgres.pool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mintmark.Block;
import dev.mintmark.PoolSpec;
import dev.mintmark.ValueList;
import dev.mintmark.fixtures.BreakableDataSource;
import dev.mintmark.fixtures.Patience;
import dev.mintmark.fixtures.TestDatabase;
import dev.mintmark.fixtures.ThreadPerTask;
import dev.mintmark.postgres.pool.ClaimResult.AlreadyHeld;
import dev.mintmark.postgres.pool.ClaimResult.Granted;
import java.sql.Connection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A pool is moved between two databases: all of it, while it is used, and with failures. */
@Tag("database")
class PoolMoveTest {
  private static final PoolMove.Progress UNSEEN = (rows, expected) -> {};

  /** Where a move stands, and what belongs to one database. */
  private static final Set<String> OF_ONE_DATABASE =
      Set.of("pool_arrival", "pool_slice", "pool_bucket");

  private final TestDatabase home = TestDatabase.create();
  private final TestDatabase eu = TestDatabase.create();
  private final BreakableDataSource toHome = new BreakableDataSource(home.dataSource());
  private final BreakableDataSource toEu = new BreakableDataSource(eu.dataSource());
  private final Pools pools = across();

  @AfterEach
  void close() {
    pools.close();
  }

  private Pools across() {
    return Pools.across(
        List.of(Pools.over("home", toHome.dataSource()), Pools.over("eu", toEu.dataSource())));
  }

  private void createFilled() {
    pools.create(
        PoolSpec.of("p", List.of(Block.parse("10.0.0.0/29"), Block.parse("10.1.0.0/28")))
            .withExclude(List.of(Block.parse("10.1.0.3")))
            .withPerOwner(Optional.of(5))
            .withLease(Duration.ofHours(1))
            .withQuarantine(Duration.ofDays(1)));
    Pool pool = pools.open("p");
    for (String client : List.of("a", "b", "c", "d")) {
      Claim claim = granted(pool.claim(ClaimRequest.of(client).withOwner(Optional.of("team"))));
      if (client.equals("d")) {
        pool.release(claim.value(), claim.token());
      } else {
        pool.notes()
            .set(
                claim.value(),
                claim.token(),
                ClaimNote.of(Map.of("rack", "r-" + client))
                    .withDnsName(Optional.of(client + ".test")));
      }
    }
    pool.removeBlock("10.0.0.0/29");
    pool.drain("10.0.0.0/29", true);
    pool.setGate(new PoolGate(Set.of("team"), Optional.of(500), Optional.empty()));
    pools.sweep();
    pools.create(
        PoolSpec.of("other", List.of(Block.parse("1..9"))).withDatabase(Optional.of("eu")));
    pools.open("other").claim(ClaimRequest.of("x"));
  }

  private static Claim granted(ClaimResult result) {
    return ((Granted) result).claims().get(0);
  }

  @Test
  void everyColumnOfEveryRowArrives() {
    createFilled();
    Map<String, List<String>> before = rows(home, "p");
    assertThat(before.get("pool_claim")).hasSize(3);
    assertThat(before.get("pool_claim_label")).hasSize(3);
    assertThat(before.keySet())
        .contains("pool_block", "pool_free", "pool_history", "pool_quarantine", "pool_owner")
        .contains("pool_gate", "pool_usage", "pool_claim_note");

    PoolMove.Result moved = PoolMove.move(pools, "p", "eu", UNSEEN);

    assertThat(moved.moved()).isTrue();
    assertThat(moved.from()).isEqualTo("home");
    assertThat(moved.values())
        .isEqualTo(
            Stream.of("pool_claim", "pool_free", "pool_quarantine")
                .mapToLong(table -> before.getOrDefault(table, List.of()).size())
                .sum());
    assertThat(moved.past()).isOne();
    assertThat(rows(eu, "p")).isEqualTo(before);
    assertThat(rows(home, "p")).isEmpty();
    assertThat(pools.open("p").spec().database()).contains("eu");
    assertThat(pools.open("other").claims(ClaimFilter.ALL, 9)).hasSize(1);
  }

  @Test
  void claimsAreHeldAsBeforeAndLaterTokensAreGreater() {
    createFilled();
    Pool before = pools.open("p");
    ClaimRequest asked = ClaimRequest.of("a").withOwner(Optional.of("team"));
    Claim claim = ((AlreadyHeld) before.claim(asked)).claims().get(0);

    PoolMove.move(pools, "p", "eu", UNSEEN);

    assertThatThrownBy(() -> before.claim(asked))
        .isInstanceOf(PoolMovedException.class)
        .hasMessage("pool \"p\" was moved to the database \"eu\": open it there");
    assertThatThrownBy(() -> before.renew(claim.value(), claim.token(), Optional.empty()))
        .isInstanceOf(PoolMovedException.class);
    Pool after = pools.open("p");
    assertThat(after.claim(asked)).isInstanceOf(AlreadyHeld.class);
    assertThat(after.renew(claim.value(), claim.token(), Optional.empty()))
        .isInstanceOf(RenewResult.Renewed.class);
    assertThat(after.find(claim.value()).orElseThrow().token()).isEqualTo(claim.token());
    Claim later = granted(after.claim(ClaimRequest.of("e").withOwner(Optional.of("team"))));
    assertThat(later.token()).isGreaterThan(claim.token());
  }

  @Test
  void poolComesBack() {
    createFilled();
    Map<String, List<String>> before = rows(home, "p");

    PoolMove.move(pools, "p", "eu", UNSEEN);
    PoolMove.Result back = PoolMove.move(pools, "p", "home", UNSEEN);
    PoolMove.Result again = PoolMove.move(pools, "p", "home", UNSEEN);

    assertThat(back.moved()).isTrue();
    assertThat(again.moved()).isFalse();
    assertThat(rows(home, "p")).isEqualTo(before);
    assertThat(rows(eu, "p")).isEmpty();
    pools.delete("p");
    assertThatThrownBy(() -> pools.open("p"))
        .isInstanceOf(UnknownPoolException.class)
        .hasMessage("no pool \"p\"");
  }

  /** A move that is killed before the copy arrives, and gone on with two hours later. */
  @Test
  void noLeaseEndsBecauseItCouldNotBeRenewed() {
    pools.create(PoolSpec.of("p", List.of(Block.parse("1..9"))).withLease(Duration.ofHours(1)));
    claimUntil("ended-before", Duration.ofMinutes(30), "-3 hours");
    claimUntil("ended-first", Duration.ofHours(10), "-110 minutes");
    claimUntil("ended-meanwhile", Duration.ofHours(10), "-1 hour");
    claimUntil("ends-soon", Duration.ofHours(10), "1 hour");
    claimUntil("ends-late", Duration.ofHours(10), "5 hours");
    for (int step = 0; home.number("select count(*) from mintmark.pool") == 1; step++) {
      toEu.cutAfter(step);
      assertThat(fails(() -> PoolMove.move(pools, "p", "eu", UNSEEN))).isTrue();
      toEu.mend();
    }
    eu.execute("update mintmark.pool set moving_since = now() - interval '2 hours'");

    assertThat(pools.open("p").spec().database()).contains("eu");

    assertThat(
            eu.rows(
                """
                select client, pg_catalog.round(extract(epoch from expires_at - arrived_at) / 600)::integer
                from mintmark.pool_claim join mintmark.pool_arrival using (pool_id)
                order by expires_at
                """))
        .containsExactly(
            List.of("ended-before", "-18"),
            List.of("ended-first", "1"),
            List.of("ended-meanwhile", "6"),
            List.of("ends-soon", "12"),
            List.of("ends-late", "30"));
  }

  private void claimUntil(String client, Duration lease, String until) {
    granted(pools.open("p").claim(ClaimRequest.of(client).withLease(lease)));
    home.execute(
        "update mintmark.pool_claim set expires_at = now() + interval '%s' where client = '%s'"
            .formatted(until, client));
  }

  @Test
  void listKeepsItsValues() {
    pools.create(PoolSpec.of("p", List.of(ValueList.of("names", List.of("x", "y", "z")))));
    Claim claim = granted(pools.open("p").claim(ClaimRequest.of("a")));

    PoolMove.move(pools, "p", "eu", UNSEEN);

    assertThat(pools.open("p").find(claim.value()).orElseThrow().client()).isEqualTo("a");
    assertThat(pools.open("p").spec().blocks())
        .containsExactly(ValueList.of("names", List.of("x", "y", "z")));
  }

  /** Wherever a move is cut, on either side, the pool is in one database, with all its claims. */
  @Test
  @Tag("long")
  void interruptedMoveLosesNothingAndIsGoneOnWith() {
    createFilled();
    Map<String, List<String>> before = rowsWithoutUsage(home);
    for (BreakableDataSource broken : List.of(toHome, toEu)) {
      boolean complete = false;
      for (int step = 0; !complete; step++) {
        String target = isIn(home) ? "eu" : "home";
        broken.cutAfter(step);
        complete = !fails(() -> PoolMove.move(pools, "p", target, UNSEEN));
        broken.mend();
        try (Pools restarted = across()) {
          ClaimRequest asked = ClaimRequest.of("a").withOwner(Optional.of("team"));
          // As a sweep does it later.
          home.execute(
              "update mintmark.pool set moving_since = moving_since - interval '1 minute'");
          eu.execute("update mintmark.pool set moving_since = moving_since - interval '1 minute'");
          restarted.sweep();
          assertThat(restarted.open("p").claim(asked))
              .as("step %s", step)
              .isInstanceOf(AlreadyHeld.class);
          PoolMove.move(restarted, "p", target, UNSEEN);
          assertThat(restarted.open("p").claim(asked)).isInstanceOf(AlreadyHeld.class);
        }
        assertThat(rowsWithoutUsage(target.equals("eu") ? eu : home))
            .as("step %s", step)
            .isEqualTo(before);
        assertThat(rowsWithoutUsage(target.equals("eu") ? home : eu)).isEmpty();
        assertThat(step).isLessThan(200);
      }
    }
  }

  private static boolean fails(Supplier<?> work) {
    try {
      return work.get() == null;
    } catch (PoolUnavailableException e) {
      return true;
    }
  }

  private static boolean isIn(TestDatabase database) {
    return database.number(
            "select count(*) from mintmark.pool where name = 'p' and moving_since is null")
        == 1;
  }

  @Test
  void nothingIsDoubledOrLostWhileClientsUseThePool() throws Exception {
    pools.create(PoolSpec.of("p", List.of(Block.parse("1..12"))).withLease(Duration.ofMinutes(10)));
    Map<String, String> holders = new ConcurrentHashMap<>();
    AtomicBoolean ends = new AtomicBoolean();
    AtomicLong tenures = new AtomicLong();
    List<CompletableFuture<Void>> clients = new ArrayList<>();
    for (int i = 0; i < 6; i++) {
      String client = "client-" + i;
      clients.add(
          CompletableFuture.runAsync(
              () -> {
                try (Pools own = across()) {
                  while (!ends.get()) {
                    useOnce(own, client, holders);
                    tenures.incrementAndGet();
                  }
                }
              },
              ThreadPerTask.EXECUTOR));
    }
    for (int i = 0; i < 8; i++) {
      long before = tenures.get();
      assertThat(PoolMove.move(pools, "p", i % 2 == 0 ? "eu" : "home", UNSEEN).moved()).isTrue();
      Patience.await("claims after a move", () -> tenures.get() > before + 12);
    }
    ends.set(true);
    for (CompletableFuture<Void> client : clients) {
      client.get();
    }
    assertThat(pools.open("p").claims(ClaimFilter.ALL, 9)).isEmpty();
  }

  /** Claims, renews and releases; each is repeated while the pool is on its way. */
  private static void useOnce(Pools pools, String client, Map<String, String> holders) {
    ClaimResult result = Session.repeated(() -> pools.open("p").claim(ClaimRequest.of(client)));
    Claim claim = ClaimResults.held(result).get(0);
    assertThat(holders.put(claim.value(), client)).isNull();
    RenewResult renewed =
        Session.repeated(
            () -> pools.open("p").renew(claim.value(), claim.token(), Optional.empty()));
    assertThat(renewed).isInstanceOf(RenewResult.Renewed.class);
    assertThat(holders.remove(claim.value())).isEqualTo(client);
    var unused = Session.repeated(() -> pools.open("p").release(claim.value(), claim.token()));
  }

  @Test
  @Tag("slow")
  void moveWaitsForTheTransactionOfACaller() throws Exception {
    pools.create(PoolSpec.of("p", List.of(Block.parse("1..9"))));
    try (Connection caller = home.newSessions().getConnection()) {
      caller.setAutoCommit(false);
      Claim claim = granted(pools.open("p").claim(caller, ClaimRequest.of("a")));

      assertThatThrownBy(() -> PoolMove.move(pools, "p", "eu", UNSEEN))
          .isInstanceOf(PoolUnavailableException.class)
          .hasMessage("pool \"p\": claims in progress did not end within 5s: move it again");

      assertThat(granted(pools.open("p").claim(ClaimRequest.of("b")))).isNotNull();
      caller.commit();
      PoolMove.move(pools, "p", "eu", UNSEEN);
      assertThat(pools.open("p").find(claim.value()).orElseThrow().client()).isEqualTo("a");
    }
  }

  @Test
  @Tag("long")
  void copyIsNotUsedWhileThePoolIsWhereItWas() {
    createFilled();
    for (int step = 0; copiesInEu() == 0; step++) {
      toHome.cutAfter(step);
      assertThat(fails(() -> PoolMove.move(pools, "p", "eu", UNSEEN))).isTrue();
      toHome.mend();
      home.execute("update mintmark.pool set moving_since = null");
    }

    assertThat(isIn(home)).isTrue();
    assertThat(pools.names()).containsExactly("other", "p");
    try (Pools restarted = across()) {
      assertThat(restarted.open("p").spec().database()).contains("home");
      restarted.delete("p");
      assertThatThrownBy(() -> restarted.open("p")).isInstanceOf(UnknownPoolException.class);
      assertThat(
              restarted.create(
                  PoolSpec.of("p", List.of(Block.parse("1..2"))).withDatabase(Optional.of("eu"))))
          .isTrue();
      assertThat(restarted.open("p").claims(ClaimFilter.ALL, 9)).isEmpty();
    }
  }

  private long copiesInEu() {
    return eu.number("select count(*) from mintmark.pool where name = 'p'");
  }

  @Test
  void poolThatCannotBeMovedIsNot() {
    pools.create(PoolSpec.of("p", List.of(Block.parse("1..9"))));
    home.execute(
        "create view public.used as select value from mintmark.pool_claims where pool = 'p'");

    assertThatIllegalStateException()
        .isThrownBy(() -> PoolMove.move(pools, "p", "eu", UNSEEN))
        .withMessageStartingWith("pool \"p\": public.used reads it");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> PoolMove.move(pools, "p", "us", UNSEEN))
        .withMessageStartingWith("unknown database \"us\"");
    assertThatThrownBy(() -> PoolMove.move(pools, "q", "eu", UNSEEN))
        .isInstanceOf(UnknownPoolException.class);
    try (Pools alone = Pools.over(home.dataSource())) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> PoolMove.move(alone, "p", "eu", UNSEEN));
    }
    assertThat(isIn(home)).isTrue();
  }

  @Test
  void departureThatBeganBeforeTheClockSteppedBackIsEnded() {
    pools.create(PoolSpec.of("p", List.of(Block.parse("1..9"))));
    home.execute("update mintmark.pool set moving_since = now() + interval '1 hour'");

    pools.sweep();

    assertThat(isIn(home)).isTrue();
  }

  /** Its values are in no slice and held by no client, until their leases end. */
  @Test
  void poolOfASliceThatHasEndedIsMoved() {
    pools.create(PoolSpec.of("p", List.of(Block.parse("1..9"))).withLease(Duration.ofHours(1)));
    Claim claim = granted(pools.open("p").claim(ClaimRequest.of("a")));
    granted(pools.open("p").claim(ClaimRequest.of("slice 1 of api, 1")));
    home.execute(
        "insert into mintmark.pool_slice (pool_id, instance, usable_until)"
            + " select pool_id, 'api', 'infinity' from mintmark.pool");
    home.execute(
        "update mintmark.pool_claim set slot = -1, slice_id = pool_slice.slice_id"
            + " from mintmark.pool_slice where client = 'slice 1 of api, 1'");
    assertThatIllegalStateException()
        .isThrownBy(() -> PoolMove.move(pools, "p", "eu", UNSEEN))
        .withMessage("pool \"p\": instances grant its values from slices: close them first");
    home.execute("update mintmark.pool_slice set usable_until = now()");

    PoolMove.move(pools, "p", "eu", UNSEEN);

    assertThat(pools.open("p").claims(ClaimFilter.ALL, 9))
        .extracting(Claim::token)
        .containsExactly(claim.token());
    assertThat(pools.open("p").claim(ClaimRequest.of("b"))).isInstanceOf(Granted.class);
    assertThat(eu.number("select slice_id from mintmark.pool_claim where slot < 0")).isZero();
    eu.execute("update mintmark.pool_claim set expires_at = now() where slot < 0");
    pools.sweep();
    assertThat(eu.number("select count(*) from mintmark.pool_claim")).isEqualTo(2);
  }

  /** The same rows as before a sweep, which adds to the usage in another minute. */
  private static Map<String, List<String>> rowsWithoutUsage(TestDatabase database) {
    Map<String, List<String>> rows = rows(database, "p");
    rows.remove("pool_usage");
    return rows;
  }

  /** All rows of a pool without the ids of one database: by table, sorted. */
  private static Map<String, List<String>> rows(TestDatabase database, String pool) {
    Map<String, List<String>> rows = new TreeMap<>();
    for (List<String> table :
        database.rows(
            """
            select table_name from information_schema.columns
            where table_schema = 'mintmark' and column_name = 'pool_id'
              and table_name in (select tablename from pg_catalog.pg_tables where schemaname = 'mintmark')
            """)) {
      String name = table.get(0);
      List<String> found =
          database
              .rows(
                  """
                  select (to_jsonb(one) - array['pool_id', 'block_id', 'epoch', 'moving_since', 'move_id'])::text
                  from mintmark.%s one where pool_id = (select pool_id from mintmark.pool where name = '%s')
                  order by 1
                  """
                      .formatted(name, pool))
              .stream()
              .map(row -> row.get(0))
              .toList();
      if (!found.isEmpty() && !OF_ONE_DATABASE.contains(name)) {
        rows.put(name, found);
      }
    }
    return rows;
  }
}
