package dev.mintmark.app.storm;

import dev.mintmark.postgres.pool.ClaimRequest;
import dev.mintmark.postgres.pool.ClaimResult;
import dev.mintmark.postgres.pool.ClaimResult.AlreadyHeld;
import dev.mintmark.postgres.pool.ClaimResult.Granted;
import dev.mintmark.postgres.pool.Pool;
import dev.mintmark.postgres.pool.Pools;
import dev.mintmark.testkit.StartGate;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongConsumer;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * Mintmark's pools in a storm. The clients are claims in flight, not threads. As with a rival, each
 * instance with clients has a thread; it submits claims without waiting for the answers, up to
 * {@link #IN_FLIGHT_MAX} in all instances.
 */
final class PoolAllocator implements Storm.Allocator {
  private static final long LOOK_EVERY_MILLIS = 20;

  /** The most claims in flight: a larger storm comes in waves, so that its memory is bounded. */
  static final int IN_FLIGHT_MAX = 500_000;

  private final Storm storm;
  private final List<Pools> instances;
  private final List<Pool> pools;
  private final long statementsBefore;

  /** No more claims are submitted: they would delay the deletion of the pool. */
  private volatile boolean closed;

  PoolAllocator(Storm storm, List<? extends DataSource> connections) {
    this.storm = storm;
    this.instances = connections.stream().map(connection -> Pools.over(connection)).toList();
    instances.get(0).create(storm.pool());
    this.pools = instances.stream().map(instance -> instance.open(storm.pool().name())).toList();
    this.statementsBefore = statementsSoFar();
  }

  @Override
  public void run(AnswerLog log, LongConsumer progress) throws InterruptedException {
    CountDownLatch unanswered = new CountDownLatch(storm.clients());
    AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
    StartGate gate =
        StartGate.of(
            storm.busyInstances(),
            "storm",
            instance -> {
              Semaphore inFlight =
                  new Semaphore(Math.max(1, IN_FLIGHT_MAX / storm.busyInstances()));
              for (int i = instance; i < storm.clients() && !closed; i += storm.busyInstances()) {
                inFlight.acquireUninterruptibly();
                submit(pools.get(instance), i, log, inFlight, unanswered, failure);
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

  private static void submit(
      Pool pool,
      int client,
      AnswerLog log,
      Semaphore inFlight,
      CountDownLatch unanswered,
      AtomicReference<@Nullable Throwable> failure) {
    try {
      var unused =
          pool.claimAsync(ClaimRequest.of("client-" + client))
              .whenComplete(
                  (result, e) -> {
                    try {
                      if (e == null) {
                        record(log, client, result);
                      } else {
                        failure.set(e);
                      }
                    } catch (RuntimeException wrong) {
                      failure.set(wrong);
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

  @Override
  public Storm.Effort effort() {
    return Storm.Effort.ofStatements(statementsSoFar() - statementsBefore);
  }

  @Override
  public void close() {
    closed = true;
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
