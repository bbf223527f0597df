package dev.mintmark.postgres.pool;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.mintmark.Block;
import dev.mintmark.PoolSpec;
import dev.mintmark.fixtures.TestDatabase;
import dev.mintmark.fixtures.TestPgBouncer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Pools of several instances, through a PgBouncer in transaction mode. */
@Tag("slow")
class PoolTransactionModeTest {
  private static final int INSTANCES = 4;
  private static final int THREADS = 12;
  private static final int ROUNDS = 60;

  @Test
  void stormOfClaimsRenewalsAndReleasesKeepsEveryValue() throws Exception {
    TestDatabase database = TestDatabase.create();
    ConcurrentHashMap<String, String> holders = new ConcurrentHashMap<>();
    ExecutorService threads = Executors.newFixedThreadPool(THREADS);
    try (TestPgBouncer bouncer = TestPgBouncer.before(database)) {
      List<HikariDataSource> connections = new ArrayList<>();
      List<Pools> instances = new ArrayList<>();
      for (int i = 0; i < INSTANCES; i++) {
        connections.add(connectionPool(bouncer));
        instances.add(Pools.over(connections.get(i)));
      }
      instances.get(0).create(PoolSpec.of("storm", List.of(Block.parse("10.0.0.0/28"))));

      List<Future<Integer>> storms = new ArrayList<>();
      for (int i = 0; i < THREADS; i++) {
        Pool pool = instances.get(i % INSTANCES).open("storm");
        int seed = i;
        storms.add(threads.submit(() -> storm(pool, seed, holders)));
      }
      int granted = 0;
      for (Future<Integer> storm : storms) {
        granted += storm.get();
      }

      assertThat(granted).isGreaterThan(THREADS);
      assertThat(PoolInvariants.counts(instances.get(1).open("storm")))
          .containsExactly(14L, 0L, 0L);
      instances.forEach(Pools::close);
      connections.forEach(HikariDataSource::close);
    } finally {
      threads.shutdown();
    }
    assertThat(PoolInvariants.violations(database)).isEmpty();
  }

  /** Claims, renews and releases in turn; returns how many values it was granted. */
  private static int storm(Pool pool, int seed, ConcurrentHashMap<String, String> holders) {
    Random random = new Random(seed);
    int granted = 0;
    for (int round = 0; round < ROUNDS; round++) {
      String client = "client-" + seed + "-" + random.nextInt(5);
      ClaimRequest request = ClaimRequest.of(client);
      for (Claim claim :
          ClaimResults.held(ClaimResults.decided(pool, request, pool.claim(request)))) {
        granted++;
        assertThat(holders.putIfAbsent(claim.value(), client)).as("seed %d", seed).isNull();
        assertThat(pool.renew(claim.value(), claim.token(), Optional.of(Duration.ofHours(1))))
            .isInstanceOf(RenewResult.Renewed.class);
        holders.remove(claim.value());
        assertThat(pool.release(claim.value(), claim.token()))
            .isInstanceOf(ReleaseResult.Released.class);
      }
    }
    return granted;
  }

  private static HikariDataSource connectionPool(TestPgBouncer bouncer) {
    HikariConfig config = new HikariConfig();
    config.setDataSource(bouncer.dataSource());
    config.setMaximumPoolSize(3);
    return new HikariDataSource(config);
  }
}
