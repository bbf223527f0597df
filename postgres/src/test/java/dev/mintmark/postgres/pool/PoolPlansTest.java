package dev.mintmark.postgres.pool;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import dev.mintmark.Block;
import dev.mintmark.PoolSpec;
import dev.mintmark.fixtures.TestDatabase;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The plans that the server keeps for the statements of a connection. */
@Tag("slow")
class PoolPlansTest {
  private static final int CLAIMS = 2_000;
  private static final int MANY_CLAIMS = 10_000;

  private final TestDatabase database = TestDatabase.create();

  /** Of an empty table that was vacuumed, the server knows that a scan of it costs nothing. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void claimsOnTablesThatWereVacuumedWhileEmptyReadNoWholeTable(boolean isCounted) {
    database.execute("vacuum analyze");

    try (HikariDataSource connections = database.connectionPool(1);
        Pools pools = Pools.over(connections)) {
      pools.create(
          PoolSpec.of("p", List.of(Block.parse("1..100000")))
              .withPerOwner(isCounted ? Optional.of(CLAIMS) : Optional.empty()));
      Pool pool = pools.open("p");
      List<CompletableFuture<ClaimResult>> claims =
          IntStream.range(0, CLAIMS)
              .mapToObj(i -> pool.claimAsync(ClaimRequest.of("c" + i).withOwner("o")))
              .toList();
      claims.forEach(Session::join);
    }

    String counters = " from pg_stat_user_tables where relname = 'pool_claim'";
    Session.await(
        "the counters of the last session",
        () -> database.number("select n_tup_ins" + counters) >= CLAIMS);
    assertThat(database.number("select seq_tup_read" + counters)).isZero();
  }

  /** Of a new pool, the server believes that no table has a row: to it, all indexes are alike. */
  @Test
  void claimsOfAPoolThatIsNotInTheStatisticsReadFewRows() {
    claimAll("analyzed");
    database.execute("vacuum analyze");
    String read =
        "select sum(idx_tup_read)::bigint from pg_stat_user_indexes where relname = 'pool_claim'";
    long before = database.number(read);

    claimAll("new");

    assertThat(database.number(read) - before).isLessThan(100 * MANY_CLAIMS);
  }

  /** More claims than one draw has values, in a session of their own. */
  private void claimAll(String name) {
    String inserted = "select n_tup_ins from pg_stat_user_tables where relname = 'pool_claim'";
    long before = database.number(inserted);
    try (HikariDataSource connections = database.connectionPool(1);
        Pools pools = Pools.over(connections)) {
      pools.create(PoolSpec.of(name, List.of(Block.parse("1..100000"))));
      Pool pool = pools.open(name);
      List<CompletableFuture<ClaimResult>> claims =
          IntStream.range(0, MANY_CLAIMS)
              .mapToObj(i -> pool.claimAsync(ClaimRequest.of("c" + i)))
              .toList();
      claims.forEach(Session::join);
    }
    Session.await(
        "the counters of the last session",
        () -> database.number(inserted) >= before + MANY_CLAIMS);
  }
}
