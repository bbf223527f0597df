package dev.mintmark.postgres.pool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariDataSource;
import dev.mintmark.Block;
import dev.mintmark.PoolSpec;
import dev.mintmark.fixtures.TestDatabase;
import dev.mintmark.fixtures.ThreadPerTask;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CyclicBarrier;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A pool that is deleted unless values are held, while clients claim. */
@Tag("slow")
class PoolDeleteTest {
  private static final int ROUNDS = 40;
  private static final int CLAIMS = 4;

  private final TestDatabase database = TestDatabase.create();
  private final HikariDataSource connections = database.connectionPool(8);
  private final Pools pools = Pools.over(connections);
  private final Pools elsewhere = Pools.over(connections);

  @AfterEach
  void close() {
    assertThat(PoolInvariants.violations(database)).isEmpty();
    pools.close();
    elsewhere.close();
    connections.close();
  }

  @Test
  void noAcknowledgedClaimIsDeleted() throws Exception {
    for (int round = 0; round < ROUNDS; round++) {
      pools.create(PoolSpec.of("p", List.of(Block.parse("10.0.0.0/24"))));
      Pool claimed = elsewhere.open("p");
      CyclicBarrier start = new CyclicBarrier(CLAIMS + 1);
      List<CompletableFuture<Boolean>> claims =
          IntStream.range(0, CLAIMS)
              .mapToObj(
                  i ->
                      CompletableFuture.supplyAsync(
                          () -> isGranted(start, claimed, i), ThreadPerTask.EXECUTOR))
              .toList();
      start.await();
      long held = Session.repeated(() -> pools.deleteUnlessHeld("p"));

      long granted = claims.stream().map(Session::join).filter(yes -> yes).count();
      if (held == 0) {
        assertThat(granted).as("granted, and the pool deleted, round %d", round).isZero();
      } else {
        assertThat(granted).isEqualTo(CLAIMS);
        assertThat(pools.open("p").stats().total().held().intValueExact()).isEqualTo(CLAIMS);
        pools.delete("p");
      }
    }
    assertThat(database.number("select count(*) from mintmark.pool_claim")).isZero();
  }

  private static boolean isGranted(CyclicBarrier start, Pool pool, int client) {
    try {
      start.await();
      ClaimResult result = Session.repeated(() -> pool.claim(ClaimRequest.of("c" + client)));
      return !ClaimResults.held(result).isEmpty();
    } catch (UnknownPoolException e) {
      return false;
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  /** The claim has locked its value when the deletion begins, and is acknowledged after it. */
  @Test
  void aClaimInProgressKeepsThePool() {
    pools.create(PoolSpec.of("p", List.of(Block.parse("10.0.0.0/24"))));
    try (Session claiming = new Session(database)) {
      claiming.run(
          "with taken as (delete from mintmark.pool_free where ctid ="
              + " (select ctid from mintmark.pool_free limit 1) returning *)"
              + " insert into mintmark.pool_claim (pool_id, block_id, place, client, slot, token,"
              + " claimed_at) select pool_id, block_id, place, 'c', 0,"
              + " nextval('mintmark.pool_token'), now() from taken");
      CompletableFuture<Long> deleting =
          CompletableFuture.supplyAsync(
              () -> Session.repeated(() -> pools.deleteUnlessHeld("p")), ThreadPerTask.EXECUTOR);
      Session.awaitWaiting(database, 1);
      claiming.commit();

      assertThat(Session.join(deleting)).isEqualTo(1);
    }
    assertThat(pools.open("p").stats().total().free().intValueExact()).isEqualTo(253);
  }

  /** To find that out needs a connection, which the transaction may have taken. */
  @Test
  void aPoolThatWasCreatedAgainIsAnotherOne() {
    PoolSpec spec = PoolSpec.of("p", List.of(Block.parse("1..9")));
    List<Consumer<Pools>> changes =
        List.of(
            one -> one.open("p").change(UnaryOperator.identity()),
            one -> one.deleteUnlessHeld("p"));
    for (Consumer<Pools> change : changes) {
      pools.create(spec);
      try (HikariDataSource connection = database.connectionPool(1, Duration.ofMinutes(1));
          Pools one = Pools.over(connection)) {
        Pool old = one.open("p");
        pools.delete("p");
        pools.create(spec);

        assertThatThrownBy(() -> change.accept(one)).isInstanceOf(UnknownPoolException.class);
        assertThat(one.open("p").id()).isNotEqualTo(old.id());
        change.accept(one);
      }
      pools.delete("p");
    }
  }

  @Test
  void aPoolThatIsNotThereIsUnknown() {
    assertThatThrownBy(() -> pools.deleteUnlessHeld("p")).isInstanceOf(UnknownPoolException.class);
  }
}
