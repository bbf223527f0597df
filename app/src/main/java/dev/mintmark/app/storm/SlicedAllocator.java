package dev.mintmark.app.storm;

import dev.mintmark.PoolSpec;
import dev.mintmark.postgres.pool.ClaimRequest;
import dev.mintmark.postgres.pool.Pools;
import dev.mintmark.postgres.pool.SliceOptions;
import dev.mintmark.postgres.pool.SlicedPool;
import java.time.Duration;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.function.LongConsumer;
import javax.sql.DataSource;

/**
 * Mintmark's pools in a storm, each instance with a slice of the pool. Every client claims at the
 * instance that grants to it, as a client does that was sent there once. Claims that an instance
 * cannot answer from memory are {@linkplain ClaimsInFlight in flight}.
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
    new ClaimsInFlight(storm.clients(), log)
        .run(
            pools.size(),
            "slices",
            instance -> clients.get(instance).stream().mapToInt(Integer::intValue),
            (instance, client) ->
                pools.get(instance).claimAsync(ClaimRequest.of(Storm.clientName(client))),
            progress);
  }

  private List<List<Integer>> clientsOfInstances() {
    List<BitSet> buckets = pools.stream().map(SlicedPool::buckets).toList();
    List<List<Integer>> clients = new ArrayList<>();
    pools.forEach(pool -> clients.add(new ArrayList<>()));
    for (int client = 0; client < storm.clients(); client++) {
      int bucket = SlicedPool.bucketOf(Storm.clientName(client));
      int home = 0;
      while (home < buckets.size() - 1 && !buckets.get(home).get(bucket)) {
        home++;
      }
      clients.get(home).add(client);
    }
    return clients;
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
