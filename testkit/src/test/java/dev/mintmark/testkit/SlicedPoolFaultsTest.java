package dev.mintmark.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import dev.mintmark.Block;
import dev.mintmark.PoolSpec;
import dev.mintmark.fixtures.Patience;
import dev.mintmark.fixtures.TestDatabase;
import dev.mintmark.postgres.pool.Pools;
import dev.mintmark.postgres.pool.SliceOptions;
import dev.mintmark.postgres.pool.SlicedPool;
import dev.mintmark.testkit.AllocatorChecker.Finding;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Instances that grant values of one pool from their slices, while their connections break, some of
 * them lose the database for good and go on granting, and others come.
 */
@Tag("long")
class SlicedPoolFaultsTest {
  private static final Duration SLICE_LEASE = Duration.ofMillis(3_500);
  private static final int THREADS = 2;
  private static final long STAGE_MILLIS = 2_500;
  private static final long PAUSE_NANOS = 5_000_000;

  private static final PoolSpec SPEC =
      PoolSpec.of("sliced", List.of(Block.parse("1..60")))
          .withPerClient(RandomWorkload.SLOTS)
          .withLease(RandomWorkload.LEASE_MAX)
          .withQuarantine(Duration.ZERO);

  private final TestDatabase database = TestDatabase.create();
  private final HikariDataSource observing = database.connectionPool(3);
  private final OperationLog log = OperationLog.inMemory();
  private final RandomWorkload workload = new RandomWorkload(40, PoolWorkload.values(SPEC));
  private int started;

  /** One instance of a program, with threads that claim through it until it stops. */
  private final class Instance {
    private final HikariDataSource connections = database.connectionPool(2, Duration.ofSeconds(1));
    private final FaultyConnections faulty = new FaultyConnections(connections, started);
    private final Pools pools = Pools.over(faulty.dataSource());
    private final SlicedPool pool;
    private final List<Thread> threads = new ArrayList<>();
    private volatile boolean stopped;
    private volatile boolean paused;

    Instance() {
      String name = "instance-" + started++;
      pool =
          SlicedPool.open(
              pools, SPEC.name(), SliceOptions.of(name).withLease(SLICE_LEASE).withValuesMax(24));
      RecordedAllocator allocator = new RecordedAllocator(name, Allocator.of(pool, observing), log);
      for (int i = 0; i < THREADS; i++) {
        Random random = new Random(31L * started + i);
        Thread thread = new Thread(() -> work(allocator, random));
        thread.start();
        threads.add(thread);
      }
    }

    private void work(RecordedAllocator allocator, Random random) {
      while (!stopped) {
        workload.run(allocator, random, () -> stopped || paused);
        LockSupport.parkNanos(PAUSE_NANOS);
      }
    }

    /** Its clients stop until values are left in its slice; then its connections break for good. */
    void loseDatabase() throws InterruptedException {
      paused = true;
      long deadline = System.nanoTime() + Patience.MAX.toNanos();
      while (pool.usage().unused() < 4 && System.nanoTime() < deadline) {
        Thread.sleep(5);
      }
      connections.close();
    }

    /** Its clients claim again: it has not noticed that its slice has ended. */
    void goOn() {
      paused = false;
    }

    void stop() throws InterruptedException {
      stopped = true;
      for (Thread thread : threads) {
        thread.join();
      }
      pool.close();
      pools.close();
      connections.close();
    }
  }

  @Test
  void nothingIsGrantedTwiceWhileInstancesLoseTheDatabaseAndOthersCome() throws Exception {
    try (Pools observer = Pools.over(observing)) {
      observer.create(SPEC);
      List<Instance> instances = new ArrayList<>();
      for (int i = 0; i < 3; i++) {
        instances.add(new Instance());
      }
      Thread.sleep(STAGE_MILLIS / 2);
      instances.forEach(one -> one.faulty.cutOneOf(30));
      Thread.sleep(STAGE_MILLIS);

      instances.get(0).loseDatabase();
      instances.add(new Instance());
      Thread.sleep(SLICE_LEASE.plusMillis(STAGE_MILLIS / 5).toMillis());
      instances.get(0).goOn();
      instances.get(2).loseDatabase();
      instances.get(2).goOn();
      Thread.sleep(STAGE_MILLIS);

      instances.get(1).stop();
      instances.add(new Instance());
      Thread.sleep(STAGE_MILLIS);

      for (Instance instance : instances) {
        instance.faulty.cutOneOf(0);
        instance.stop();
      }
      Thread.sleep(SLICE_LEASE.toMillis());
      new RecordedAllocator("observer", Allocator.of(observer.open(SPEC.name()), observing), log)
          .settle(Set.copyOf(PoolWorkload.values(SPEC)), PoolWorkload.patience(SPEC));
    }

    List<Finding> findings =
        AllocatorChecker.judge(log.operations(), PoolWorkload.slicedRules(SPEC, SLICE_LEASE));

    assertThat(findings).isEmpty();
    assertThat(log.operations())
        .filteredOn(one -> one.answer() instanceof Operation.Answer.Granted)
        .hasSizeGreaterThan(200);
    observing.close();
  }
}
