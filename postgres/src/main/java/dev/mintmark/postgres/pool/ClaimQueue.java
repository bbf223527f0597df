package dev.mintmark.postgres.pool;

import dev.mintmark.Quoted;
import dev.mintmark.postgres.pool.ClaimRequest.Subject;
import dev.mintmark.postgres.pool.ClaimResult.AlreadyHeld;
import dev.mintmark.postgres.pool.ClaimResult.Granted;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;

/**
 * Combines claims that arrive together into one statement. Claims that arrive while a batch is in
 * the database wait and form the next batch. No claim waits for other claims to arrive, and a
 * busier pool has larger batches.
 */
final class ClaimQueue {
  /** The most claims in one statement. */
  static final int BATCH_MAX = 256;

  /** The most claims that may wait; further claims are rejected. */
  private static final int WAITING_MAX = 1 << 20;

  private record Waiting(ClaimRequest request, CompletableFuture<ClaimResult> result) {}

  private final String pool;
  private final Exhaustion exhaustion;
  private final Function<List<ClaimRequest>, Map<Subject, ClaimResult>> claimBatch;
  private final Executor executor;

  private final ConcurrentLinkedQueue<Waiting> queue = new ConcurrentLinkedQueue<>();
  private final AtomicInteger waiting = new AtomicInteger();
  private final AtomicBoolean draining = new AtomicBoolean();

  /**
   * @param claimBatch answers a batch without two requests for the same subject; run by one thread
   *     at a time
   * @param executor runs the task that empties the queue; one task at a time
   */
  ClaimQueue(
      String pool,
      Exhaustion exhaustion,
      Function<List<ClaimRequest>, Map<Subject, ClaimResult>> claimBatch,
      Executor executor) {
    this.pool = pool;
    this.exhaustion = exhaustion;
    this.claimBatch = claimBatch;
    this.executor = executor;
  }

  CompletableFuture<ClaimResult> submit(ClaimRequest request) {
    Optional<ClaimResult.Exhausted> rejection = rejection(request);
    if (rejection.isPresent()) {
      return CompletableFuture.completedFuture(rejection.get());
    }
    if (waiting.incrementAndGet() > WAITING_MAX) {
      waiting.decrementAndGet();
      return CompletableFuture.failedFuture(
          new PoolUnavailableException(
              "pool %s: too many claims at once (waiting=%d)"
                  .formatted(Quoted.of(pool), WAITING_MAX)));
    }
    CompletableFuture<ClaimResult> result = new CompletableFuture<>();
    queue.add(new Waiting(request, result));
    drainSoon();
    return result;
  }

  /**
   * A request for a named value is never rejected here: its client may have it back from
   * quarantine.
   */
  private Optional<ClaimResult.Exhausted> rejection(ClaimRequest request) {
    return request.value().isPresent() ? Optional.empty() : exhaustion.rejection(request.client());
  }

  private void drainSoon() {
    if (draining.compareAndSet(false, true)) {
      try {
        executor.execute(this::drain);
      } catch (RuntimeException | Error e) {
        // Closed, or out of threads: no thread would answer the waiting requests.
        draining.set(false);
        failAll(
            new PoolUnavailableException(
                "pool %s: closed, or out of threads: %s".formatted(Quoted.of(pool), e)));
      }
    }
  }

  private void drain() {
    try {
      Map<Subject, List<Waiting>> batch = nextBatch();
      while (!batch.isEmpty()) {
        answer(batch);
        batch = nextBatch();
      }
    } finally {
      draining.set(false);
    }
    if (!queue.isEmpty()) {
      drainSoon();
    }
  }

  private void failAll(PoolUnavailableException failure) {
    for (Waiting next = queue.poll(); next != null; next = queue.poll()) {
      waiting.decrementAndGet();
      next.result.completeExceptionally(failure);
    }
  }

  /** The next requests of the queue; rejects those that need no query. */
  private Map<Subject, List<Waiting>> nextBatch() {
    Map<Subject, List<Waiting>> batch = new LinkedHashMap<>();
    while (batch.size() < BATCH_MAX) {
      Waiting next = queue.poll();
      if (next == null) {
        break;
      }
      waiting.decrementAndGet();
      Optional<ClaimResult.Exhausted> rejection = rejection(next.request);
      if (rejection.isPresent()) {
        next.result.complete(rejection.get());
      } else {
        batch.computeIfAbsent(next.request.subject(), ignored -> new ArrayList<>()).add(next);
      }
    }
    return batch;
  }

  private void answer(Map<Subject, List<Waiting>> batch) {
    try {
      List<ClaimRequest> requests =
          batch.values().stream().map(same -> same.get(0).request).toList();
      Map<Subject, ClaimResult> results = claimBatch.apply(requests);
      batch.forEach(
          (subject, same) -> complete(same, Objects.requireNonNull(results.get(subject))));
    } catch (RuntimeException | Error e) {
      for (List<Waiting> same : batch.values()) {
        same.forEach(one -> one.result.completeExceptionally(e));
      }
    }
  }

  /** Gives one result to all requests of a subject: the first is granted, the others hold it. */
  private static void complete(List<Waiting> same, ClaimResult result) {
    for (Waiting one : same) {
      one.result.complete(result);
      if (result instanceof Granted granted) {
        result = new AlreadyHeld(granted.claims());
      }
    }
  }
}
