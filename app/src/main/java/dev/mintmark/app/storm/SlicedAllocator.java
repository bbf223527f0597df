package dev.mintmark.app.storm;

import dev.mintmark.PoolSpec;
import dev.mintmark.postgres.pool.ClaimRequest;
import dev.mintmark.postgres.pool.ClaimResult;
import dev.mintmark.postgres.pool.ClaimResult.AlreadyHeld;
import dev.mintmark.postgres.pool.ClaimResult.Granted;
import dev.mintmark.postgres.pool.Pools;
import dev.mintmark.postgres.pool.SliceOptions;
import dev.mintmark.postgres.pool.SlicedPool;
import dev.mintmark.testkit.StartGate;
import java.time.Duration;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongConsumer;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * Mintmark's pools in a storm, each instance with a slice of the pool. Every client claims at the
 * instance that grants to it, as a client does that was sent there once. Claims that an instance
 * cannot answer from memory are in flight as in {@link PoolAllocator}.
 */
final class SlicedAllocator implements Storm.Allocator {
  private static final Duration LEASE = Duration.ofHours(1);
  private static final Duration SHARES_PATIENCE = Duration.ofSeconds(60);
  private static final long LOOK_EVERY_MILLIS = 20;

  private final Storm storm;
  private final PoolSpec spec;
  private final List<Pools> instances;
  private final List<SlicedPool> pools = new ArrayList<>();
  private final long statementsBefore;

  SlicedAllocator(Storm storm, List<? extends DataSource> connections) {
    this.storm = storm;
    this.spec = storm.pool().withLease(LEASE);
    this.instances = connections.stream().map(connection -> Pools.over(connection)).toList();
    instances.get(0).create(spec);
    for (int i = 0; i < instances.size(); i++) {
      pools.add(
          SlicedPool.open(instances.get(i), spec.name(), SliceOptions.of(Integer.toString(i))));
    }
    awaitShares();
    this.statementsBefore = statementsSoFar();
  }

  /** Waits until every instance has its share of the buckets, and values. */
  private void awaitShares() {
    int share = (SlicedPool.BUCKETS + pools.size() - 1) / pools.size();
    long deadline = System.nanoTime() + SHARES_PATIENCE.toNanos();
    while (!pools.stream()
            .map(SlicedPool::usage)
            .allMatch(usage -> usage.buckets() <= share && usage.unused() > 0)
        || homes().length() == 0) {
      if (System.nanoTime() > deadline) {
        throw new IllegalStateException("the instances do not share the pool");
      }
      sleep();
    }
  }

  private static void sleep() {
    try {
      Thread.sleep(LOOK_EVERY_MILLIS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted", e);
    }
  }

  /** The buckets that have an instance; empty unless all have one. */
  private BitSet homes() {
    BitSet all = new BitSet();
    pools.forEach(pool -> all.or(pool.buckets()));
    return all.cardinality() == SlicedPool.BUCKETS ? all : new BitSet();
  }

  @Override
  public void run(AnswerLog log, LongConsumer progress) throws InterruptedException {
    List<List<Integer>> clients = clientsOfInstances();
    CountDownLatch unanswered = new CountDownLatch(storm.clients());
    AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
    Semaphore inFlight = new Semaphore(PoolAllocator.IN_FLIGHT_MAX);
    StartGate gate =
        StartGate.of(
            pools.size(),
            "slices",
            instance -> {
              for (int client : clients.get(instance)) {
                inFlight.acquireUninterruptibly();
                submit(instance, client, log, inFlight, unanswered, failure);
              }
            });
    log.start();
    gate.go();
    while (!unanswered.await(LOOK_EVERY_MILLIS, TimeUnit.MILLISECONDS) && failure.get() == null) {
      progress.accept(log.answered());
    }
    log.end();
    Throwable failed = failure.get();
    if (failed != null) {
      throw new IllegalStateException("a claim failed: " + failed.getMessage(), failed);
    }
  }

  private List<List<Integer>> clientsOfInstances() {
    List<BitSet> buckets = pools.stream().map(SlicedPool::buckets).toList();
    List<List<Integer>> clients = new ArrayList<>();
    pools.forEach(pool -> clients.add(new ArrayList<>()));
    for (int client = 0; client < storm.clients(); client++) {
      int bucket = SlicedPool.bucketOf(name(client));
      int home = 0;
      while (home < buckets.size() - 1 && !buckets.get(home).get(bucket)) {
        home++;
      }
      clients.get(home).add(client);
    }
    return clients;
  }

  private static String name(int client) {
    return "client-" + client;
  }

  private void submit(
      int instance,
      int client,
      AnswerLog log,
      Semaphore inFlight,
      CountDownLatch unanswered,
      AtomicReference<@Nullable Throwable> failure) {
    try {
      CompletableFuture<ClaimResult> claim =
          pools.get(instance).claimAsync(ClaimRequest.of(name(client)));
      var unused =
          claim.whenComplete(
              (result, e) -> {
                if (e == null) {
                  record(log, client, result);
                } else {
                  failure.set(e);
                }
                inFlight.release();
                unanswered.countDown();
              });
    } catch (RuntimeException | Error e) {
      // Otherwise the storm would wait for claims that were never submitted.
      failure.set(e);
      throw e;
    }
  }

  private static void record(AnswerLog log, int client, ClaimResult result) {
    if (result instanceof Granted granted) {
      log.granted(client, granted.claim().value());
    } else if (result instanceof AlreadyHeld held) {
      log.granted(client, held.claim().value());
    } else {
      log.rejected(client);
    }
  }

  @Override
  public Storm.Effort effort() {
    return Storm.Effort.ofStatements(statementsSoFar() - statementsBefore);
  }

  @Override
  public void close() {
    pools.forEach(SlicedPool::close);
    instances.get(0).delete(spec.name());
    instances.forEach(Pools::close);
  }

  private long statementsSoFar() {
    return instances.stream().mapToLong(Pools::statements).sum();
  }
}
