package dev.mintmark.app;

import dev.mintmark.postgres.pool.ClaimRequest;
import dev.mintmark.postgres.pool.ClaimResult;
import dev.mintmark.postgres.pool.ClaimResult.AlreadyHeld;
import dev.mintmark.postgres.pool.ClaimResult.Granted;
import dev.mintmark.postgres.pool.Pool;
import dev.mintmark.postgres.pool.Pools;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/** Our own pools in a storm: the clients are claims in flight, not threads. */
final class PoolAllocator implements Storm.Allocator {
  private final Storm storm;
  private final List<Pools> instances = new ArrayList<>();
  private final List<Pool> pools = new ArrayList<>();
  private final long statementsBefore;

  PoolAllocator(Storm storm, Database database) {
    this.storm = storm;
    for (int i = 0; i < storm.instances(); i++) {
      instances.add(Pools.over(database.connectionPool("storm-" + i, 1)));
    }
    instances.get(0).create(storm.pool());
    instances.forEach(instance -> pools.add(instance.open(storm.pool().name())));
    statementsBefore = statementsSoFar();
  }

  @Override
  public void run(AnswerLog log, LongConsumer progress) throws InterruptedException {
    CountDownLatch unanswered = new CountDownLatch(storm.clients());
    AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
    log.start();
    for (int i = 0; i < storm.clients(); i++) {
      int client = i;
      Pool pool = pools.get(storm.instanceOf(client));
      var unused =
          pool.claimAsync(ClaimRequest.of("client-" + client))
              .whenComplete(
                  (result, e) -> {
                    if (e == null) {
                      record(log, client, result);
                    } else {
                      failure.set(e);
                    }
                    unanswered.countDown();
                  });
    }
    while (!unanswered.await(100, TimeUnit.MILLISECONDS)) {
      progress.accept(log.answered());
    }
    log.end();
    Throwable failed = failure.get();
    if (failed != null) {
      throw new IllegalStateException("a claim failed: " + failed.getMessage(), failed);
    }
  }

  @Override
  public long statements() {
    return statementsSoFar() - statementsBefore;
  }

  @Override
  public void close() {
    instances.get(0).delete(storm.pool().name());
    instances.forEach(Pools::close);
  }

  private long statementsSoFar() {
    return instances.stream().mapToLong(Pools::statements).sum();
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
}
