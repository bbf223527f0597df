package dev.mintmark.app.storm;

import dev.mintmark.postgres.pool.ClaimRequest;
import dev.mintmark.postgres.pool.Pool;
import dev.mintmark.postgres.pool.Pools;
import java.util.List;
import java.util.function.LongConsumer;
import java.util.stream.IntStream;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** Mintmark's pools in a storm, with {@linkplain ClaimsInFlight claims in flight}. */
final class PoolAllocator implements Storm.Allocator {
  private final Storm storm;
  private final List<Pools> instances;
  private final List<Pool> pools;
  private final long statementsBefore;

  private volatile @Nullable ClaimsInFlight claims;

  PoolAllocator(Storm storm, List<? extends DataSource> connections) {
    this.storm = storm;
    this.instances = connections.stream().map(connection -> Pools.over(connection)).toList();
    instances.get(0).create(storm.pool());
    this.pools = instances.stream().map(instance -> instance.open(storm.pool().name())).toList();
    this.statementsBefore = statementsSoFar();
  }

  @Override
  public void run(AnswerLog log, LongConsumer progress) throws InterruptedException {
    ClaimsInFlight started = new ClaimsInFlight(storm.clients(), log);
    claims = started;
    started.run(
        storm.busyInstances(),
        "storm",
        instance ->
            IntStream.iterate(
                instance,
                client -> client < storm.clients(),
                client -> client + storm.busyInstances()),
        (instance, client) ->
            pools.get(instance).claimAsync(ClaimRequest.of(Storm.clientName(client))),
        progress);
  }

  @Override
  public Storm.Effort effort() {
    return Storm.Effort.ofStatements(statementsSoFar() - statementsBefore);
  }

  @Override
  public void close() {
    ClaimsInFlight started = claims;
    if (started != null) {
      started.close();
    }
    instances.get(0).delete(storm.pool().name());
    instances.forEach(Pools::close);
  }

  private long statementsSoFar() {
    return instances.stream().mapToLong(Pools::statements).sum();
  }
}
