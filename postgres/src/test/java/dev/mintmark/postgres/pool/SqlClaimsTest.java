package dev.mintmark.postgres.pool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mintmark.Block;
import dev.mintmark.PoolSpec;
import dev.mintmark.PoolSpec.Order;
import dev.mintmark.fixtures.Patience;
import dev.mintmark.fixtures.TestDatabase;
import dev.mintmark.fixtures.ThreadPerTask;
import dev.mintmark.postgres.pool.ClaimResult.AlreadyHeld;
import dev.mintmark.postgres.pool.ClaimResult.Contended;
import dev.mintmark.postgres.pool.ClaimResult.Exhausted;
import dev.mintmark.postgres.pool.ClaimResult.Granted;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.postgresql.PGConnection;
import org.postgresql.util.PSQLException;
import org.postgresql.util.ServerErrorMessage;

/** Claims by the functions of SQL, alone and beside those of Java. */
@Tag("slow")
class SqlClaimsTest {
  private final TestDatabase database = TestDatabase.create();
  private final Pools pools = Pools.over(database.dataSource());

  @AfterEach
  void everyValueIsInJustOneState() {
    pools.close();
    assertThat(PoolInvariants.violations(database)).isEmpty();
  }

  private Pool create(PoolSpec spec) {
    assertThat(pools.create(spec)).isTrue();
    return pools.open(spec.name());
  }

  private static PoolSpec numbers(String block) {
    return PoolSpec.of("p", List.of(Block.parse(block)));
  }

  /** As a script of SQL would: no value has a row. */
  private void createInSql(String order, long values) {
    database.execute(
        """
        insert into mintmark.pool (name, value_order, per_client, sticky, quarantine, epoch)
        select 'p', '%1$s', 1, true, '0', epoch from mintmark.pool_epoch;
        insert into mintmark.pool_block (pool_id, declared, numbers, size, seed)
        select pool_id, '1..%2$d', int8range(1, %2$d + 1), %2$d, uuid_send(gen_random_uuid()) from mintmark.pool
        """
            .formatted(order, values));
  }

  /** Outcome and value of a claim. */
  private List<String> claim(String arguments) {
    return database
        .rows("select outcome, value from mintmark.claim_value('p', %s)".formatted(arguments))
        .get(0);
  }

  private String outcome(String arguments) {
    return claim(arguments).get(0);
  }

  /** The values that new clients get, one each. */
  private List<String> claimAll(String prefix, int clients) {
    return database
        .rows(
            """
            select outcome, value
            from generate_series(1, %d) as client
            cross join lateral mintmark.claim_value('p', '%s' || client)
            """
                .formatted(clients, prefix))
        .stream()
        .peek(row -> assertThat(row.get(0)).isEqualTo("granted"))
        .map(row -> row.get(1))
        .toList();
  }

  /** The row of the pool was read before, and then the pool was deleted or moved. */
  @Test
  void aPoolThatIsGoneMeanwhileIsContended() {
    create(numbers("1..9"));
    assertThat(
            database.text(
                """
                select attempt.outcome
                from mintmark.pool
                cross join lateral (
                  select jsonb_populate_record(pool, '{"pool_id": -1}') as settings offset 0) as gone
                cross join lateral mintmark.pool_attempt(
                  settings, epoch, 0, 'c', null, null, 0, null, null) as attempt
                """))
        .isEqualTo("contended");
  }

  @Test
  void theGateLetsTheSameOwnersInAsInJava() {
    Pool pool = create(numbers("1..1000"));
    PoolGate gate = new PoolGate(Set.of("o7"), Optional.of(2_500), Optional.empty());
    pool.setGate(gate);

    for (int i = 0; i < 200; i++) {
      String owner = i % 2 == 0 ? "o" + i : "owner \u00fc" + i;
      boolean admitted = gate.admits("p", owner);

      assertThat(outcome("'c%d', '%s'".formatted(i, owner)))
          .as(owner)
          .isEqualTo(admitted ? "granted" : "not-open");
      assertThat(outcome("'%s'".formatted(owner)))
          .as("client %s", owner)
          .isEqualTo(admitted ? "granted" : "not-open");
    }
    assertThat(outcome("'c', 'o7'")).isEqualTo("granted");
    pool.setGate(PoolGate.OPEN);
    assertThat(outcome("'anybody'")).isEqualTo("granted");
  }

  @ParameterizedTest
  @EnumSource(Order.class)
  void aPoolThatJavaNeverOpenedIsClaimedToTheLastValue(Order order) {
    createInSql(order.name().toLowerCase(Locale.ROOT), 1_000);

    Set<String> values = new HashSet<>();
    for (int i = 0; i < 5; i++) {
      values.addAll(claimAll("c" + i + "-", 200));
    }

    assertThat(values).hasSize(1_000);
    assertThat(claim("'late'")).containsExactly("exhausted", "null");
    assertThat(outcome("'c0-1'")).isEqualTo("held");
  }

  @Test
  @Tag("matrix")
  void theLastValuesOfAMillionAreFound() {
    theLastValuesAreFound(1_000_000);
  }

  @Test
  void theLastValuesOfALargeBlockAreFound() {
    theLastValuesAreFound(70_000);
  }

  /** Nearly all values have rows, so the last ones are found by scans of the block. */
  private void theLastValuesAreFound(int size) {
    createInSql("random", size);
    database.execute(
        """
        insert into mintmark.pool_quarantine (pool_id, block_id, place, until)
        select pool_id, block_id, place, now() + interval '1 day'
        from mintmark.pool_block cross join generate_series(0, %1$d - 1) as place
        where place %% 10000 <> 77;
        update mintmark.pool_block set issued = %1$d - %1$d / 10000
        """
            .formatted(size));

    List<String> values = claimAll("c", size / 10_000);

    assertThat(values)
        .containsExactlyInAnyOrderElementsOf(
            IntStream.range(0, size / 10_000)
                .mapToObj(i -> Integer.toString(i * 10_000 + 78))
                .toList());
    assertThat(outcome("'late'")).isEqualTo("exhausted");
  }

  @ParameterizedTest
  @EnumSource(Order.class)
  void javaAndSqlDrawFromOnePoolToTheLastValue(Order order) {
    Pool pool =
        create(
            numbers("1..20000")
                .withBlocks(List.of(Block.parse("1..9000"), Block.parse("10001..21000")))
                .withExclude(List.of(Block.parse("8001..8500"), Block.parse("10001..10500")))
                .withOrder(order));
    int turns = 0;
    while (database.number("select sum(size - issued - withheld)::bigint from mintmark.pool_block")
        > 0) {
      useUpFreeRows();
      if (turns % 3 == 0) {
        assertThat(pool.claim(ClaimRequest.of("java-" + turns))).isInstanceOf(Granted.class);
      } else {
        assertThat(outcome("'sql-" + turns + "'")).isEqualTo("granted");
      }
      turns++;
    }
    useUpFreeRows();

    assertThat(turns).isGreaterThan(5);
    assertThat(outcome("'late'")).isEqualTo("exhausted");
    assertThat(pool.claim(ClaimRequest.of("late"))).isInstanceOf(Exhausted.class);
    assertThat(database.number("select count(*) from mintmark.pool_quarantine") + turns)
        .isEqualTo(20_000 - 1_000);
  }

  private void useUpFreeRows() {
    database.execute(
        """
        with used as (delete from mintmark.pool_free returning *)
        insert into mintmark.pool_quarantine (pool_id, block_id, place, until)
        select pool_id, block_id, place, now() + interval '1 day' from used
        """);
  }

  @Test
  void ascendingValuesComeInTheirOrderWithoutTheExcludedOnes() {
    create(numbers("1..9").withExclude(List.of(Block.parse("2..3"))).withOrder(Order.ASCENDING));

    assertThat(claimAll("c", 4)).containsExactly("1", "4", "5", "6");
    assertThatThrownBy(() -> claim("'x', wanted => '2'"))
        .hasMessageContaining("pool \"p\" excludes \"2\"");
  }

  @Test
  void slotsAndQuotasAreThoseOfThePool() {
    create(numbers("1..99").withPerClient(2).withPerOwner(Optional.of(3)));

    assertThat(outcome("'a', 'o'")).isEqualTo("granted");
    assertThat(outcome("'a', 'o', slot => 1")).isEqualTo("granted");
    assertThat(outcome("'a', 'o', slot => 2")).isEqualTo("quota-client");
    assertThat(outcome("'a', 'o', wanted => '7'")).isIn("quota-client", "held");
    assertThat(outcome("'b', 'o'")).isEqualTo("granted");
    assertThat(outcome("'c', 'o'")).isEqualTo("quota-owner");
    assertThat(outcome("'a', 'o'")).isEqualTo("held");
    assertThatThrownBy(() -> claim("'a'"))
        .hasMessageContaining("pool \"p\" gives an owner 3 values: the claim must name its owner");
  }

  /** As a renewal that has begun before the end of the lease, and commits after it. */
  @Test
  void aClaimThatMayBeRenewedCountsForItsOwnerAfterTheEndOfItsLease() {
    create(numbers("1..99").withPerOwner(Optional.of(1)).withLease(Duration.ofHours(1)));
    claim("'a', 'o'");
    endLeases();
    try (Session renewal = new Session(database)) {
      renewal.run("update mintmark.pool_claim set expires_at = now() + interval '1 hour'");

      assertThat(outcome("'b', 'o'")).isEqualTo("contended");
      renewal.commit();
    }
    assertThat(outcome("'b', 'o'")).isEqualTo("quota-owner");

    endLeases();
    assertThat(outcome("'b', 'o'")).isEqualTo("granted");
  }

  private void endLeases() {
    database.execute(
        "update mintmark.pool_claim set claimed_at = now() - interval '2 min', expires_at = now() - interval '1 min'");
  }

  @Test
  void aClientThatHoldsMoreThanALoweredLimitGetsNoMore() {
    Pool pool = create(numbers("1..99").withPerClient(3).withLease(Duration.ofHours(1)));
    for (int slot = 0; slot < 3; slot++) {
      assertThat(outcome("'a', slot => " + slot)).isEqualTo("granted");
    }
    pool.change(spec -> spec.withPerClient(2));
    release(database.text("select value from mintmark.pool_claims where slot = 0"));
    assertThat(outcome("'a'")).isEqualTo("quota-client");
    assertThat(outcome("'a', wanted => '77'")).isEqualTo("quota-client");
    assertThat(outcome("'a', slot => 1")).isEqualTo("held");

    database.execute(
        "update mintmark.pool_claim set claimed_at = now() - interval '2 min', expires_at = now() - interval '1 min' where slot = 2");
    assertThat(outcome("'a'")).isEqualTo("granted");
  }

  /** Of many values, the quarantine of some ends while the claim is answered. */
  @Test
  void noValueIsLostWhoseQuarantineEndsAsItsClaimIsEnded() {
    create(
        numbers("1..2000")
            .withPerClient(1_000)
            .withLease(Duration.ofMinutes(1))
            .withQuarantine(Duration.ofHours(1)));
    assertThat(
            database.number(
                "select count(*) from generate_series(0, 899) as slot, mintmark.claim_value('p', 'a', slot => slot)"))
        .isEqualTo(900);

    database.execute(
        """
        update mintmark.pool_claim
        set claimed_at = now() - interval '2 hours', expires_at = now() - interval '1 hour' + slot * interval '0.3 ms';
        select mintmark.claim_value('p', 'a', wanted => '2000')
        """);

    assertThat(PoolInvariants.violations(database)).isEmpty();
    assertThat(database.number("select count(*) from mintmark.pool_claim")).isEqualTo(1);
  }

  @Test
  void aClaimLeavesDueValuesOfADrainedBlockToTheSweeps() {
    Pool pool = create(numbers("1..40"));
    claimAll("c", 40);
    pool.drain("1..40", true);
    database.execute(
        """
        with ended as (delete from mintmark.pool_claim where place < 30 returning *)
        insert into mintmark.pool_quarantine (pool_id, block_id, place, until)
        select pool_id, block_id, place, now() - interval '1 second' from ended;
        update mintmark.pool_claim set claimed_at = now() - interval '2 min', expires_at = now() - interval '1 min'
        """);

    assertThat(outcome("'late'")).isEqualTo("exhausted");
    assertThat(database.number("select count(*) from mintmark.pool_quarantine")).isEqualTo(30);
    assertThat(database.number("select count(*) from mintmark.pool_claim")).isEqualTo(10);
  }

  @Test
  void aClaimWithoutAnEndGetsNoneWhenItIsRenewed() {
    create(numbers("1..9"));
    claim("'a', wanted => '1'");

    assertThat(
            database.rows(
                "select outcome, expires_at from mintmark.renew_value('p', '1', 1, '1 h')"))
        .containsExactly(List.of("renewed", "null"));
  }

  @Test
  void theSettingOfASessionForBackslashesChangesNothing() {
    create(numbers("1..9"));
    try (Session session = new Session(database)) {
      session.run("set standard_conforming_strings = off");

      assertThatThrownBy(() -> session.value("select mintmark.claim_value('p', 'a' || chr(7))"))
          .hasMessageContaining("client \"a\\u0007\": character 1 is a control character");
      session.rollback();
      session.run("set standard_conforming_strings = off");
      assertThatThrownBy(
              () -> session.value("select mintmark.claim_value('p', 'a', wanted => '1xx1')"))
          .hasMessageContaining("pool \"p\" has no value \"1xx1\"");
      session.rollback();
      assertThat(session.value("select outcome from mintmark.claim_value('p', 'a')"))
          .isEqualTo("granted");
      session.rollback();
    }
  }

  @Test
  void namesAreAsLongAsInJava() {
    Pool pool = create(numbers("1..9"));
    String longest = "\ud83d\ude00".repeat(255);

    assertThat(pool.claim(ClaimRequest.of(longest))).isInstanceOf(Granted.class);
    assertThat(outcome("'%s'".formatted(longest))).isEqualTo("held");
    assertThatThrownBy(() -> ClaimRequest.of(longest + "x"))
        .hasMessageContaining("expected 1 to 255 characters, got 256");
    assertThatThrownBy(() -> claim("'%sx'".formatted(longest)))
        .hasMessageContaining("expected 1 to 255 characters, got 256");
  }

  @Test
  void aClientGetsItsLastValueAlsoWhileItIsQuarantined() {
    create(numbers("1..3").withQuarantine(Duration.ofHours(1)));
    List<String> first = claim("'a'");
    assertThat(release(first.get(1))).isEqualTo("released");

    assertThat(claim("'b', wanted => '%s'".formatted(first.get(1))).get(0)).isEqualTo("taken");
    assertThat(claim("'a'")).isEqualTo(first);
    assertThat(database.text("select ending from mintmark.pool_history")).isEqualTo("released");
  }

  private String release(String value) {
    return database.text(
        """
        select released.outcome
        from mintmark.pool_claims
        cross join lateral mintmark.release_value(pool, value, token) as released
        where value = '%s'
        """
            .formatted(value));
  }

  @Test
  void renewalsAndReleasesWithAnOldTokenChangeNothing() {
    create(numbers("1..1").withLease(Duration.ofMinutes(1)));
    claim("'a'");

    assertThat(database.text("select outcome from mintmark.renew_value('p', '1', 0)"))
        .isEqualTo("superseded");
    assertThat(database.text("select outcome from mintmark.release_value('p', '1', 0)"))
        .isEqualTo("superseded");
    assertThat(
            database.text(
                "select expires_at > now() + interval '50 minutes' from mintmark.renew_value('p', '1', 1, '1 h')"))
        .isEqualTo("t");
    assertThat(database.text("select longest_lease from mintmark.pool")).isEqualTo("01:00:00");
    assertThat(release("1")).isEqualTo("released");
    assertThat(database.text("select outcome from mintmark.release_value('p', '1', 1)"))
        .isEqualTo("not-held");
    assertThat(database.text("select outcome from mintmark.renew_value('p', '1', 1)"))
        .isEqualTo("not-held");
  }

  @Test
  void aClaimEndsLeasesThatAreOver() {
    create(numbers("1..2").withLease(Duration.ofMinutes(1)));
    claimAll("old", 2);
    database.execute(
        "update mintmark.pool_claim set claimed_at = now() - interval '2 min', expires_at = now() - interval '1 min'");

    assertThat(outcome("'new'")).isEqualTo("granted");
    assertThat(
            database.number("select count(*) from mintmark.pool_history where ending = 'expired'"))
        .isEqualTo(2);
    assertThat(outcome("'old1'")).isEqualTo("granted");
    assertThat(outcome("'old2'")).isEqualTo("exhausted");
  }

  @Test
  void aClaimThatIsRolledBackIsFreeAtOnceAndContendedBefore() {
    create(numbers("1..1"));
    try (Session session = new Session(database)) {
      assertThat(session.value("select outcome from mintmark.claim_value('p', 'a')"))
          .isEqualTo("granted");

      assertThat(outcome("'b'")).isEqualTo("contended");
      session.rollback();
    }

    assertThat(outcome("'b'")).isEqualTo("granted");
  }

  @Test
  void twoTransactionsOfOneClientGetOneValue() {
    create(numbers("1..9"));
    try (Session session = new Session(database)) {
      String value = session.value("select value from mintmark.claim_value('p', 'a')");
      CompletableFuture<List<String>> second =
          CompletableFuture.supplyAsync(() -> claim("'a'"), ThreadPerTask.EXECUTOR);
      Session.awaitWaiting(database, 1);
      session.commit();

      assertThat(Session.join(second)).containsExactly("held", value);
    }
  }

  @Test
  void transactionsOfTwoClientsInOppositeOrderDoNotFail() {
    create(numbers("1..9"));
    String claim = "select outcome from mintmark.claim_value('p', '%s')";
    try (Session first = new Session(database);
        Session second = new Session(database)) {
      first.value(claim.formatted("a"));
      second.value(claim.formatted("b"));
      CompletableFuture<String> waiting =
          CompletableFuture.supplyAsync(
              () -> first.value(claim.formatted("b")), ThreadPerTask.EXECUTOR);
      Session.awaitWaiting(database, 1);
      String opposite = second.value(claim.formatted("a"));
      second.commit();

      assertThat(List.of(opposite, Session.join(waiting))).contains("contended");
      first.commit();
    }
    assertThat(database.number("select count(*) from mintmark.pool_claim")).isEqualTo(2);
  }

  @Test
  void aDrawInAnOpenTransactionDoesNotFailThoseOfJava() {
    createInSql("random", 10_000);
    Pool pool = pools.open("p");
    try (Session session = new Session(database)) {
      session.value("select outcome from mintmark.claim_value('p', 'a')");

      assertThat(pool.claim(ClaimRequest.of("b"))).isInstanceOf(Contended.class);
      session.commit();
    }

    // Held already, if a stall of 2 s let the pool ask again for the claim that was refused.
    assertThat(pool.claim(ClaimRequest.of("b"))).isInstanceOfAny(Granted.class, AlreadyHeld.class);
    assertThat(pool.claims(ClaimFilter.ofClient("b"), 2)).hasSize(1);
  }

  /** The claims of Java arrive together, so they share statements. */
  @Test
  void anOpenTransactionHoldsUpOnlyTheClaimsOfItsClients() {
    Pool pool = create(numbers("1..1000"));
    Claim last = ((Granted) pool.claim(ClaimRequest.of("y0"))).claim();
    pool.release(last.value(), last.token());
    try (Session session = new Session(database)) {
      session.run(
          "select mintmark.claim_value('p', 'y' || client) from generate_series(0, 5) as client");

      List<ClaimRequest> requests =
          IntStream.range(0, 60)
              .mapToObj(i -> ClaimRequest.of(i % 10 == 7 ? "y" + i / 10 : "c" + i))
              .toList();

      assertOnlyContended(pool, requests, i -> i % 10 == 7);
    }
  }

  @Test
  void anOpenTransactionHoldsUpOnlyTheClaimsOfItsOwner() {
    Pool pool = create(numbers("1..1000").withPerOwner(Optional.of(100)));
    try (Session session = new Session(database)) {
      session.value("select outcome from mintmark.claim_value('p', 'sql', 'new')");

      List<ClaimRequest> requests =
          IntStream.range(0, 20)
              .mapToObj(
                  i -> ClaimRequest.of("c" + i).withOwner(i % 10 == 7 ? "new" : "other " + i % 3))
              .toList();

      assertOnlyContended(pool, requests, i -> i % 10 == 7);
    }
  }

  @Test
  void anOpenTransactionWithTheLongestLeaseHoldsUpOnlyClaimsWithALongerLeaseThanBefore() {
    Pool pool = create(numbers("1..1000").withLease(Duration.ofMinutes(1)));
    try (Session session = new Session(database)) {
      session.value("select outcome from mintmark.claim_value('p', 'sql', lease => '2 h')");

      List<ClaimRequest> requests =
          IntStream.range(0, 20)
              .mapToObj(
                  i ->
                      ClaimRequest.of("c" + i)
                          .withLease(Duration.ofSeconds(i % 10 == 7 ? 3_600 : 30)))
              .toList();

      assertOnlyContended(pool, requests, i -> i % 10 == 7);
    }
  }

  /** Other claims may meet a stall of the machine, and are asked for once more. */
  private static void assertOnlyContended(
      Pool pool, List<ClaimRequest> requests, IntPredicate contended) {
    List<CompletableFuture<ClaimResult>> claims = requests.stream().map(pool::claimAsync).toList();
    for (int i = 0; i < claims.size(); i++) {
      ClaimResult result = Session.join(claims.get(i));
      if (!contended.test(i) && result instanceof Contended) {
        result = pool.claim(requests.get(i));
      }
      assertThat(result)
          .as("claim %s", i)
          .isInstanceOf(contended.test(i) ? Contended.class : Granted.class);
    }
  }

  /** Its token is less than those of claims that were visible when the pool was found empty. */
  @Test
  void aClientWhoseTransactionCommitsLateIsNotRejectedByAMemory() {
    Pool pool = create(numbers("1..2"));
    claim("'a', wanted => '1'");
    try (Session session = new Session(database)) {
      session.value(
          "select outcome from mintmark.release_value('p', '1', (select token from mintmark.pool_claims))");
      assertThat(session.value("select outcome from mintmark.claim_value('p', 'b', wanted => '1')"))
          .isEqualTo("granted");
      assertThat(pool.claim(ClaimRequest.of("c").withValue("2"))).isInstanceOf(Granted.class);
      assertThat(pool.claim(ClaimRequest.of("d"))).isInstanceOf(Exhausted.class);
      session.commit();
    }
    pool.wake();

    Session.await(
        "known to be empty",
        () -> {
          assertThat(pool.claim(ClaimRequest.of("d"))).isInstanceOf(Exhausted.class);
          return pool.isKnownToBeEmpty();
        });
    assertThat(pool.claim(ClaimRequest.of("b"))).isInstanceOf(AlreadyHeld.class);
  }

  @Test
  void aReleaseInAnEmptyPoolIsNotifiedAtItsCommit() throws SQLException {
    Pool pool = create(numbers("1..1"));
    claim("'a'");
    try (Connection listener = database.dataSource().getConnection();
        Statement statement = listener.createStatement();
        Session session = new Session(database)) {
      statement.execute("listen mintmark_pool");
      session.value("select outcome from mintmark.release_value('p', '1', 1)");
      assertThat(notifications(listener, 1)).isEmpty();
      session.commit();

      assertThat(notifications(listener, Math.toIntExact(Patience.MAX.toMillis())))
          .containsExactly(Integer.toString(pool.id()));
    }
  }

  private static List<String> notifications(Connection listener, int millis) throws SQLException {
    var found = listener.unwrap(PGConnection.class).getNotifications(millis);
    return found == null
        ? List.of()
        : List.of(found).stream().map(one -> one.getParameter()).toList();
  }

  @Test
  void theRightToRunTheFunctionSuffices() {
    create(numbers("1..9"));
    String role = "claimer_" + database.name();
    database.execute(
        "create role %1$s login; grant usage on schema mintmark to %1$s".formatted(role));

    String claim = "select outcome from mintmark.claim_value('p', 'a')";
    assertThatThrownBy(() -> database.text(role, claim)).hasMessageContaining("permission denied");
    database.execute("grant execute on function mintmark.claim_value to " + role);
    assertThat(database.text(role, claim)).isEqualTo("granted");
    assertThatThrownBy(() -> database.text(role, "select client from mintmark.pool_claim"))
        .hasMessageContaining("permission denied");
    assertThatThrownBy(() -> database.text(role, "select mintmark.pool_place(1, '1')::text"))
        .hasMessageContaining("permission denied");
  }

  @Test
  void aFunctionThatAnotherRolePlantedIsNotRun() {
    create(numbers("1..9"));
    database.execute(
        """
        create schema evil;
        create function evil.clock_timestamp() returns timestamptz language plpgsql
          as 'begin raise exception ''planted''; end';
        create function evil.lt(bigint, bigint) returns boolean language plpgsql
          as 'begin raise exception ''planted''; end';
        create operator evil.< (leftarg = bigint, rightarg = bigint, function = evil.lt)
        """);
    try (Session session = new Session(database)) {
      session.run("set search_path = evil, pg_catalog, public");
      assertThat(session.value("select outcome from mintmark.claim_value('p', 'a')"))
          .isEqualTo("granted");
      assertThat(session.value("select value from mintmark.pool_claims")).matches("[1-9]");
      assertThat(session.value("select count(*) from mintmark.pool_values_free")).isEqualTo("8");
      assertThat(session.value("select outcome from mintmark.release_value('p', '1', 0)"))
          .isIn("superseded", "not-held");
      session.commit();
    }
  }

  @Test
  void noValueIsGrantedByADatabaseThatMayHaveGoneBack() {
    create(numbers("1..9").withAfterFailover(Optional.of(PoolSpec.AfterFailover.STOP)));
    claim("'holder'");
    database.execute(
        "create or replace function mintmark.pool_timeline() returns text language sql as $$select 'FF'$$");

    assertThat(outcome("'a'")).isEqualTo("fenced");
    assertThat(outcome("'holder'")).isEqualTo("held");
    pools.sweep();
    assertThat(outcome("'a'")).isEqualTo("stopped");
    assertThat(outcome("'holder'")).isEqualTo("held");
    assertThat(pools.open("p").resume()).isTrue();
    assertThat(outcome("'a'")).isEqualTo("granted");
  }

  @Test
  void wrongArgumentsAreRejectedInTheWordsOfJava() {
    create(numbers("1..9"));
    for (String client : List.of("", "a\u0001b", "x".repeat(256), "a\"\\\u0007")) {
      String message = messageOf(() -> ClaimRequest.of(client));
      assertThatThrownBy(() -> claim("'" + client + "'"))
          .cause()
          .isInstanceOfSatisfying(
              PSQLException.class,
              e -> {
                assertThat(e.getSQLState()).isEqualTo("22023");
                ServerErrorMessage error = Objects.requireNonNull(e.getServerErrorMessage());
                assertThat(error.getMessage()).isEqualTo(message);
                assertThat(error.getHint()).isNotEmpty();
              });
    }
    assertThatThrownBy(() -> claim("'a', lease => '10 ms'"))
        .hasMessageContaining("expected 1s to 3650d");
    assertThatThrownBy(() -> claim("'a', wanted => '77'"))
        .hasMessageContaining("pool \"p\" has no value \"77\"");
    assertThatThrownBy(() -> database.text("select mintmark.claim_value('nope', 'a')::text"))
        .hasMessageContaining("no pool \"nope\"");
    assertThatThrownBy(
            () ->
                database.execute(
                    "begin isolation level serializable; select mintmark.claim_value('p', 'a')"))
        .hasMessageContaining("expected read committed");
  }

  private static String messageOf(Runnable action) {
    try {
      action.run();
    } catch (IllegalArgumentException e) {
      return String.valueOf(e.getMessage());
    }
    throw new AssertionError("nothing was rejected");
  }

  @Test
  void theViewOfFreeValuesListsWhatCanBeClaimedAndCountsTheRest() {
    create(
        numbers("1..70000")
            .withExclude(List.of(Block.parse("3")))
            .withQuarantine(Duration.ofDays(1)));
    database.execute("select mintmark.claim_value('p', 'a', wanted => '1')");
    pools.open("p").quarantine("2", Duration.ofDays(1));

    assertThat(
            database.rows(
                "select count(value), min(lower(numbers)), count(more), max(more) from mintmark.pool_values_free"))
        .containsExactly(List.of("65536", "4", "1", "4461"));
  }
}
