package dev.mintmark.postgres.pool;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mintmark.Block;
import dev.mintmark.PoolSpec;
import dev.mintmark.fixtures.TestDatabase;
import dev.mintmark.fixtures.ThreadPerTask;
import dev.mintmark.postgres.pool.ClaimResult.Granted;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Databases where transactions are isolated more strictly than by default. */
@Tag("slow")
class PoolIsolationTest {
  private static final int INSTANCES = 4;
  private static final int ROUNDS = 20;

  @ParameterizedTest
  @ValueSource(strings = {"repeatable read", "serializable"})
  void claimsInTurmoilAreRightAndAllAreAnswered(String isolation) {
    TestDatabase database = isolated(isolation);
    List<Pools> instances = instances(database);
    instances
        .get(0)
        .create(
            PoolSpec.of("p", List.of(Block.parse("10.0.0.0/26")))
                .withPerClient(3)
                .withQuarantine(Duration.ofMillis(1)));
    AtomicInteger granted = new AtomicInteger();

    List<CompletableFuture<Void>> storms = new ArrayList<>();
    for (int i = 0; i < INSTANCES; i++) {
      Pool pool = instances.get(i).open("p");
      int seed = i;
      storms.add(
          CompletableFuture.runAsync(
              () -> storm(pool, new Random(seed), granted), ThreadPerTask.EXECUTOR));
    }
    storms.forEach(CompletableFuture::join);

    assertThat(granted.get()).isGreaterThan(INSTANCES);
    assertThat(PoolInvariants.violations(database)).isEmpty();
    instances.forEach(Pools::close);
  }

  /**
   * The count is not to be taken from before the owner's row was locked. Begins again if the claim
   * gave up before it was held, as it does after two seconds.
   */
  @ParameterizedTest
  @ValueSource(strings = {"repeatable read", "serializable"})
  void ownersAreCountedAsTheyStandOnceTheirRowIsHeld(String isolation) {
    ClaimResult result = ClaimResults.decided(attempt -> claimOnceTheRowIsHeld(isolation));
    assertThat(result).isInstanceOf(ClaimResult.QuotaReached.class);
  }

  private static ClaimResult claimOnceTheRowIsHeld(String isolation) {
    TestDatabase database = isolated(isolation);
    List<Pools> instances = instances(database);
    instances
        .get(0)
        .create(PoolSpec.of("p", List.of(Block.parse("10.0.0.0/26"))).withPerOwner(Optional.of(2)));
    Pool pool = instances.get(0).open("p");
    pool.claim(ClaimRequest.of("a").withOwner("acme"));
    ClaimResult result;
    try (Session first = new Session(database);
        Session door = new Session(database)) {
      first.begin();
      first.run("set local idle_in_transaction_session_timeout = 0");
      first.run("lock_owners", Map.of("pool_id", 1, "owners", new String[] {"acme"}));
      // Whoever comes next waits at the door of the table, and may have seen the rest by then.
      CompletableFuture<Void> closed =
          CompletableFuture.runAsync(
              () -> door.run("lock table mintmark.pool_owner"), ThreadPerTask.EXECUTOR);
      Session.awaitWaiting(database, 1);
      CompletableFuture<ClaimResult> second =
          instances.get(1).open("p").claimAsync(ClaimRequest.of("b").withOwner("acme"));
      Session.awaitWaiting(database, 2, second);
      first.run(
          "with taken as (delete from mintmark.pool_free where ctid ="
              + " (select ctid from mintmark.pool_free limit 1) returning *)"
              + " insert into mintmark.pool_claim"
              + " (pool_id, block_id, place, client, slot, owner, token, claimed_at)"
              + " select pool_id, block_id, place, 'c', 0, 'acme',"
              + " nextval('mintmark.pool_token'), now() from taken");
      first.commit();
      Session.join(closed);
      door.commit();

      result = Session.join(second);
    }
    assertThat(database.number("select count(*) from mintmark.pool_claim")).isEqualTo(2);
    instances.forEach(Pools::close);
    return result;
  }

  private static void storm(Pool pool, Random random, AtomicInteger granted) {
    for (int round = 0; round < ROUNDS; round++) {
      ClaimRequest request = ClaimRequest.of("c" + random.nextInt(30));
      ClaimRequest asked =
          switch (random.nextInt(4)) {
            case 0 -> request.withCount(3);
            case 1 -> request.withValue("10.0.0." + (1 + random.nextInt(62)));
            default -> request;
          };
      try {
        if (pool.claim(asked) instanceof Granted grant && random.nextBoolean()) {
          granted.incrementAndGet();
          grant.claims().forEach(claim -> pool.release(claim.value(), claim.token()));
        }
      } catch (PoolUnavailableException e) {
        // Each of its tries met another transaction and could not be serialized.
      }
    }
  }

  private static TestDatabase isolated(String isolation) {
    TestDatabase database = TestDatabase.create();
    database.execute(
        "alter database %s set default_transaction_isolation = '%s'"
            .formatted(database.name(), isolation));
    return database;
  }

  private static List<Pools> instances(TestDatabase database) {
    return Stream.generate(() -> Pools.over(database.dataSource())).limit(INSTANCES).toList();
  }
}
