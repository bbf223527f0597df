package dev.mintmark.postgres.pool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mintmark.Block;
import dev.mintmark.PoolSpec;
import dev.mintmark.fixtures.TestDatabase;
import dev.mintmark.fixtures.TestServer;
import dev.mintmark.postgres.pool.ClaimResult.AlreadyHeld;
import dev.mintmark.postgres.pool.ClaimResult.Granted;
import java.sql.SQLException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Pools in a database whose encoding lacks characters of names. */
@Tag("database")
class PoolEncodingTest {
  private final TestDatabase database =
      TestServer.NEWEST.createDatabase(
          "encoding 'LATIN1' lc_collate 'C' lc_ctype 'C' template template0");

  @Test
  void aNameThatTheEncodingLacksFailsItsOwnClaimAlone() {
    database.migratePools();
    try (Pools pools = Pools.over(database.dataSource())) {
      pools.create(PoolSpec.of("p", List.of(Block.parse("10.0.0.0/24"))));
      Pool pool = pools.open("p");
      CompletableFuture<ClaimResult> first;
      List<CompletableFuture<ClaimResult>> others;
      CompletableFuture<ClaimResult> lacked;
      try (Session session = new Session(database)) {
        session.run("lock table mintmark.pool_claim in access exclusive mode");
        first = pool.claimAsync(ClaimRequest.of("first"));
        Session.awaitWaiting(database, 1, first);
        others = claimAll(pool, "a", "vm-é");
        lacked = pool.claimAsync(ClaimRequest.of("漢"));
        others = Stream.concat(others.stream(), claimAll(pool, "b", "c").stream()).toList();
      }

      // A claim that hangs for 2 s is sent again, and may be answered by the second one, or gives
      // up and is to be repeated.
      List<CompletableFuture<ClaimResult>> asked =
          Stream.concat(Stream.of(first), others.stream()).toList();
      List<String> clients = List.of("first", "a", "vm-é", "b", "c");
      assertThat(asked).hasSameSizeAs(clients);
      for (int i = 0; i < clients.size(); i++) {
        ClaimRequest request = ClaimRequest.of(clients.get(i));
        assertThat(ClaimResults.decided(pool, request, Session.join(asked.get(i))))
            .isInstanceOfAny(Granted.class, AlreadyHeld.class);
      }
      assertThatThrownBy(() -> Session.join(lacked))
          .cause()
          .isInstanceOf(PoolUnavailableException.class)
          .cause()
          .asInstanceOf(InstanceOfAssertFactories.type(SQLException.class))
          .extracting(SQLException::getSQLState)
          .isEqualTo("22P05");
    }
    assertThat(PoolInvariants.violations(database)).isEmpty();
  }

  private static List<CompletableFuture<ClaimResult>> claimAll(Pool pool, String... clients) {
    return Stream.of(clients).map(client -> pool.claimAsync(ClaimRequest.of(client))).toList();
  }
}
