package dev.mintmark.postgres.pool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mintmark.Block;
import dev.mintmark.PoolSpec;
import dev.mintmark.fixtures.BreakableDataSource;
import dev.mintmark.fixtures.TestDatabase;
import dev.mintmark.fixtures.ThreadPerTask;
import dev.mintmark.postgres.pool.ClaimResult.AlreadyHeld;
import dev.mintmark.postgres.pool.ClaimResult.Contended;
import dev.mintmark.postgres.pool.ClaimResult.Exhausted;
import dev.mintmark.postgres.pool.ClaimResult.Granted;
import dev.mintmark.postgres.pool.ClaimResult.QuotaReached;
import dev.mintmark.postgres.pool.ClaimResult.ValueTaken;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Claims in the transaction of the caller, who writes a row of its own in it. */
@Tag("slow")
class CallerClaimsTest {
  private final TestDatabase database = TestDatabase.create();
  private final Pools pools = Pools.over(database.dataSource());

  @BeforeEach
  void aTableOfTheCaller() {
    database.execute("create table vm (name text primary key, address text not null)");
  }

  @AfterEach
  void everyValueIsInJustOneState() {
    pools.close();
    assertThat(PoolInvariants.violations(database)).isEmpty();
  }

  private Pool create(PoolSpec spec) {
    assertThat(pools.create(spec)).isTrue();
    return pools.open(spec.name());
  }

  private static PoolSpec addresses(String block) {
    return PoolSpec.of("p", List.of(Block.parse(block)));
  }

  /** Not a kept session: closing that of a process that was killed fails. */
  private Connection begin() throws SQLException {
    Connection connection = database.newSessions().getConnection();
    connection.setAutoCommit(false);
    return connection;
  }

  private static String create(Pool pool, Connection connection, String vm) throws SQLException {
    Claim claim = ((Granted) pool.claim(connection, ClaimRequest.of(vm))).claim();
    execute(connection, "insert into vm values ('%s', '%s')".formatted(vm, claim.value()));
    return claim.value();
  }

  private static void execute(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  private String joined() {
    return database.text(
        "select count(*) || ' of ' || (select count(*) from vm) || ' and ' || (select count(*) from mintmark.pool_claim)"
            + " from vm join mintmark.pool_claims on value = vm.address and client = vm.name");
  }

  @Test
  void theRowAndItsAddressAreCommittedTogetherOrNotAtAll() throws SQLException {
    Pool pool = create(addresses("10.0.0.0/30"));
    try (Connection connection = begin()) {
      create(pool, connection, "vm-1");
      connection.commit();
      create(pool, connection, "vm-2");
      connection.rollback();
    }

    assertThat(joined()).isEqualTo("1 of 1 and 1");
    assertThat(pool.claim(ClaimRequest.of("vm-3"))).as("free at once").isInstanceOf(Granted.class);
  }

  @Test
  void theValueOfAKilledSessionIsFree() throws SQLException {
    Pool pool = create(addresses("10.0.0.1/32"));
    try (Connection connection = begin()) {
      create(pool, connection, "vm-1");
      database.execute(
          "select pg_terminate_backend(pid) from pg_locks where relation = 'vm'::regclass");
      Session.await(
          "the session is gone",
          () ->
              database.number(
                      "select count(*) from pg_locks where relation = 'vm'::regclass and granted and pid <> pg_backend_pid()")
                  == 0);
    }

    assertThat(pool.claim(ClaimRequest.of("vm-2"))).isInstanceOf(Granted.class);
    assertThat(joined()).isEqualTo("0 of 0 and 1");
  }

  @Test
  void twoTransactionsForOneClientGetOneValue() {
    Pool pool = create(addresses("10.0.0.0/24"));

    AtomicInteger clients = new AtomicInteger();

    ClaimResult later =
        ClaimResults.decided(
            attempt -> {
              clients.set(attempt);
              return claimInTwoTransactions(pool, "vm-" + attempt);
            });

    assertThat(later).isInstanceOf(AlreadyHeld.class);
    assertThat(joined()).isEqualTo("%1$d of %1$d and %1$d".formatted(clients.get()));
  }

  /** Returns the result of the later transaction, which waits for the earlier one. */
  private ClaimResult claimInTwoTransactions(Pool pool, String client) {
    try (Connection first = begin();
        Connection second = begin()) {
      String value = create(pool, first, client);
      CompletableFuture<ClaimResult> later =
          CompletableFuture.supplyAsync(
              () -> claim(pool, second, ClaimRequest.of(client)), ThreadPerTask.EXECUTOR);
      Session.awaitWaiting(database, 1, later);
      first.commit();

      ClaimResult result = Session.join(later);
      assertThat(ClaimResults.held(result)).extracting(Claim::value).isSubsetOf(value);
      second.commit();
      return result;
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void aClaimThatWaitsInVainLeavesTheTransactionAsItWas() throws SQLException {
    Pool pool = create(addresses("10.0.0.0/24"));
    try (Connection first = begin();
        Connection second = begin()) {
      create(pool, first, "vm-1");
      assertThat(pool.claim(second, ClaimRequest.of("vm-1"))).isInstanceOf(Contended.class);
      create(pool, second, "vm-2");
      second.commit();
      first.rollback();
    }
    assertThat(joined()).isEqualTo("1 of 1 and 1");
  }

  private static ClaimResult claim(Pool pool, Connection connection, ClaimRequest request) {
    try {
      return pool.claim(connection, request);
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void refusalsLeaveTheTransactionAsItWas() throws SQLException {
    Pool pool = create(addresses("10.0.0.0/30").withPerClient(2).withPerOwner(Optional.of(2)));
    ClaimRequest request = ClaimRequest.of("a").withOwner("o");
    try (Connection connection = begin()) {
      assertThat(pool.claim(connection, request)).isInstanceOf(Granted.class);
      assertThat(pool.claim(connection, request)).isInstanceOf(AlreadyHeld.class);
      assertThat(pool.claim(connection, request.withSlot(2))).isInstanceOf(QuotaReached.class);
      String value = ((AlreadyHeld) pool.claim(connection, request)).claim().value();
      assertThat(pool.claim(connection, ClaimRequest.of("b").withOwner("x").withValue(value)))
          .isInstanceOf(ValueTaken.class);
      assertThat(pool.claim(connection, ClaimRequest.of("c").withOwner("x").withCount(2)))
          .as("one is granted, then taken back")
          .isInstanceOf(Exhausted.class);
      assertThat(pool.claim(connection, request.withCount(2)))
          .isInstanceOfSatisfying(
              Granted.class, granted -> assertThat(granted.claims()).hasSize(2));
      assertThat(pool.claim(connection, ClaimRequest.of("d").withOwner("o")))
          .isInstanceOf(QuotaReached.class);
      execute(connection, "insert into vm values ('a', '%s')".formatted(value));
      connection.commit();
    }
    assertThat(joined()).isEqualTo("1 of 1 and 2");
  }

  /** The first slot is claimed on the connection of the caller, the second needs the pool's. */
  @Test
  void aFailureLeavesTheTransactionAsItWas() throws SQLException {
    BreakableDataSource ofThePool = new BreakableDataSource(database.dataSource());
    create(addresses("10.0.0.1/32").withPerClient(2));
    try (Pools breakable = Pools.over(ofThePool.dataSource());
        Connection connection = begin()) {
      Pool pool = breakable.open("p");
      Claim drawn = ((Granted) pool.claim(ClaimRequest.of("b"))).claim();
      var unused = pool.release(drawn.value(), drawn.token());
      ofThePool.cut();

      assertThatThrownBy(() -> pool.claim(connection, ClaimRequest.of("a").withCount(2)))
          .isInstanceOf(PoolUnavailableException.class);
      execute(connection, "insert into vm values ('a', '')");
      connection.commit();
    }
    assertThat(joined()).isEqualTo("0 of 1 and 0");
  }

  @Test
  void valuesAreDrawnOutsideOfTheTransaction() throws SQLException {
    Pool pool = create(addresses("10.0.0.0/16"));
    database.execute(
        "update mintmark.pool_block set issued = 0, drawn = 0; delete from mintmark.pool_free");
    try (Connection connection = begin()) {
      create(pool, connection, "vm-1");

      assertThat(database.number("select issued from mintmark.pool_block")).isPositive();
      database.execute("select from mintmark.pool_block for update nowait");
      connection.rollback();
    }
    assertThat(database.number("select count(*) from mintmark.pool_claim")).isZero();
  }

  @Test
  void aDatabaseThatWentBackIsSettledBeforeTheClaim() throws SQLException {
    Pool pool =
        create(
            addresses("10.0.0.0/24").withAfterFailover(Optional.of(PoolSpec.AfterFailover.TRUST)));
    database.execute(
        "create or replace function mintmark.pool_timeline() returns text language sql as $$select 'FF'$$");
    try (Connection connection = begin()) {
      create(pool, connection, "vm-1");
      connection.commit();
    }

    assertThat(database.number("select count(*) from mintmark.pool_epoch")).isEqualTo(2);
    assertThat(joined()).isEqualTo("1 of 1 and 1");
  }

  @Test
  void otherTransactionsAreRejected() throws SQLException {
    Pool pool = create(addresses("10.0.0.0/24"));
    try (Connection connection = database.dataSource().getConnection()) {
      assertThatIllegalStateException()
          .isThrownBy(() -> pool.claim(connection, ClaimRequest.of("a")))
          .withMessageContaining("call setAutoCommit(false)");
      connection.setAutoCommit(false);
      connection.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
      assertThatIllegalStateException()
          .isThrownBy(() -> pool.claim(connection, ClaimRequest.of("a")))
          .withMessageContaining("read committed");
    }
  }
}
