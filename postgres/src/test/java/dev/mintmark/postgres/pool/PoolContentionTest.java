package dev.mintmark.postgres.pool;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import dev.mintmark.Block;
import dev.mintmark.PoolSpec;
import dev.mintmark.fixtures.TestDatabase;
import dev.mintmark.postgres.pool.ClaimResult.Exhausted;
import dev.mintmark.postgres.pool.ClaimResult.Granted;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Many instances of a program, each with connections of its own, at one pool at the same time. */
@Tag("slow")
class PoolContentionTest {
  private static final int INSTANCES = 8;

  private final TestDatabase database = TestDatabase.create();
  private final List<HikariDataSource> connections = new ArrayList<>();
  private final List<Pools> instances = new ArrayList<>();

  PoolContentionTest() {
    for (int i = 0; i < INSTANCES; i++) {
      HikariDataSource dataSource = database.connectionPool(2);
      connections.add(dataSource);
      instances.add(Pools.over(dataSource));
    }
  }

  @AfterEach
  void nothingIsHandedOutTwiceAndNothingIsLost() {
    assertThat(PoolInvariants.violations(database)).isEmpty();
    instances.forEach(Pools::close);
    connections.forEach(HikariDataSource::close);
  }

  @Test
  void manyClientsForFewValuesGetEachValueOnce() {
    instances.get(0).create(spec("scarce", "10.0.0.0/24"));

    List<ClaimResult> results = claimAll("scarce", 10_000);

    assertThat(ClaimResults.values(results)).hasSize(254).doesNotHaveDuplicates();
    assertThat(claimsInDatabase()).isEqualTo(254);
    assertThat(results).filteredOn(Exhausted.class::isInstance).hasSize(10_000 - 254);
  }

  @Test
  void oneClientAtAllInstancesAtOnceGetsOneValue() {
    instances.get(0).create(spec("plenty", "10.0.0.0/24"));

    for (int round = 0; round < 50; round++) {
      ClaimRequest request = ClaimRequest.of("client-" + round);
      List<Asked> asked = instances.stream().map(pools -> ask(pools, "plenty", request)).toList();
      List<ClaimResult> results = asked.stream().map(Asked::answer).toList();

      assertThat(results).filteredOn(Granted.class::isInstance).hasSizeLessThanOrEqualTo(1);
      List<String> values = ClaimResults.values(results);
      assertThat(values).hasSize(INSTANCES).containsOnly(values.get(0));
      assertThat(claimsInDatabase()).isEqualTo(round + 1);
    }
  }

  @Test
  void theSameClientsInAnotherOrderAtAllInstancesGetOneValueEach() {
    instances.get(0).create(spec("shuffled", "10.0.0.0/22"));
    Random random = new Random(1);

    for (int round = 0; round < 3; round++) {
      String prefix = "round-" + round + "-";
      List<Asked> asked = new ArrayList<>();
      for (Pools pools : instances) {
        List<Integer> clients = new ArrayList<>(IntStream.range(0, 300).boxed().toList());
        Collections.shuffle(clients, random);
        for (int client : clients) {
          asked.add(ask(pools, "shuffled", ClaimRequest.of(prefix + client)));
        }
      }
      List<ClaimResult> results = asked.stream().map(Asked::answer).toList();

      assertThat(results).filteredOn(Granted.class::isInstance).hasSizeLessThanOrEqualTo(300);
      List<String> values = ClaimResults.values(results);
      assertThat(values).hasSize(INSTANCES * 300);
      assertThat(values.stream().distinct()).hasSize(300);
      assertThat(claimsInDatabase()).isEqualTo((round + 1) * 300L);
    }
  }

  @Test
  void oneClientManyTimesInOneBatchGetsOneValue() {
    instances.get(0).create(spec("plenty", "10.0.0.0/24"));
    ClaimRequest request = ClaimRequest.of("same");

    List<Asked> asked =
        Stream.generate(() -> ask(instances.get(0), "plenty", request)).limit(1_000).toList();

    List<ClaimResult> results = asked.stream().map(Asked::answer).toList();
    assertThat(results).filteredOn(Granted.class::isInstance).hasSizeLessThanOrEqualTo(1);
    List<String> values = ClaimResults.values(results);
    assertThat(values).hasSize(1_000).containsOnly(values.get(0));
    assertThat(claimsInDatabase()).isEqualTo(1);
  }

  @Test
  void claimingAndReleasingInTurmoilKeepsEveryValue() throws InterruptedException {
    instances.get(0).create(spec("turmoil", "10.0.0.0/26"));
    List<Thread> threads = new ArrayList<>();
    AtomicBoolean doubled = new AtomicBoolean();
    var holders = new java.util.concurrent.ConcurrentHashMap<String, String>();
    for (int i = 0; i < INSTANCES; i++) {
      Pool pool = instances.get(i).open("turmoil");
      int seed = i;
      threads.add(
          new Thread(
              () -> {
                Random random = new Random(seed);
                for (int round = 0; round < 150; round++) {
                  String client = "client-" + seed + "-" + random.nextInt(20);
                  ClaimRequest request = ClaimRequest.of(client);
                  ClaimResult result = ClaimResults.decided(pool, request, pool.claim(request));
                  for (Claim claim : ClaimResults.held(result)) {
                    String value = claim.value();
                    if (holders.putIfAbsent(value, client) != null) {
                      doubled.set(true);
                    }
                    LockSupport.parkNanos(random.nextInt(2_000_000));
                    holders.remove(value);
                    pool.release(value, claim.token());
                  }
                }
              }));
    }

    threads.forEach(Thread::start);
    for (Thread thread : threads) {
      thread.join();
    }

    assertThat(doubled).isFalse();
    assertThat(PoolInvariants.counts(instances.get(0).open("turmoil")))
        .containsExactly(62L, 0L, 0L);
  }

  @Test
  void terminatedBackendsNeitherDoubleNorLoseAValue() throws InterruptedException {
    instances.get(0).create(spec("killed", "10.0.0.0/22"));
    AtomicBoolean done = new AtomicBoolean();
    AtomicLong terminated = new AtomicLong();
    Thread killer =
        new Thread(
            () -> {
              while (!done.get()) {
                terminated.addAndGet(
                    database.number(
                        "select count(*) filter (where pg_terminate_backend(pid)) from"
                            + " (select pid from pg_stat_activity"
                            + " where datname = current_database() and pid <> pg_backend_pid()"
                            + " and query like '%pool_claim%' order by random() limit 1) as one"));
              }
            });
    killer.start();

    List<CompletableFuture<ClaimResult>> asked = new ArrayList<>();
    for (int i = 0; i < 3_000; i++) {
      asked.add(instances.get(i % INSTANCES).open("killed").claimAsync(ClaimRequest.of("c" + i)));
    }
    asked.forEach(PoolContentionTest::awaitAnyEnd);
    done.set(true);
    killer.join();
    assertThat(terminated).hasPositiveValue();
    // The connection pools test a connection that they have not just used: let them find the dead.
    Thread.sleep(600);

    // Whoever asks again now is told what it holds, or that nothing is left.
    List<ClaimResult> results = claimAll("killed", 3_000, "c");
    assertThat(ClaimResults.values(results)).hasSize(1022).doesNotHaveDuplicates();
    assertThat(claimsInDatabase()).isEqualTo(1022);
  }

  /** A claim that was sent. */
  private record Asked(Pool pool, ClaimRequest request, CompletableFuture<ClaimResult> result) {
    ClaimResult answer() {
      return ClaimResults.decided(pool, request, result.join());
    }
  }

  private static Asked ask(Pools pools, String name, ClaimRequest request) {
    Pool pool = pools.open(name);
    return new Asked(pool, request, pool.claimAsync(request));
  }

  private long claimsInDatabase() {
    return database.number("select count(*) from mintmark.pool_claim");
  }

  private List<ClaimResult> claimAll(String pool, int clients) {
    return claimAll(pool, clients, "client-");
  }

  private List<ClaimResult> claimAll(String pool, int clients, String prefix) {
    List<Asked> asked = new ArrayList<>();
    for (int i = 0; i < clients; i++) {
      asked.add(ask(instances.get(i % INSTANCES), pool, ClaimRequest.of(prefix + i)));
    }
    return asked.stream().map(Asked::answer).toList();
  }

  private static void awaitAnyEnd(CompletableFuture<ClaimResult> asked) {
    asked.handle((result, failure) -> Duration.ZERO).join();
  }

  private static PoolSpec spec(String name, String... blocks) {
    return PoolSpec.of(name, Stream.of(blocks).map(Block::parse).toList());
  }
}
