package dev.mintmark.postgres.pool;

import dev.mintmark.Quoted;
import dev.mintmark.postgres.pool.ClaimRequest.Subject;
import dev.mintmark.postgres.pool.ClaimResult.AlreadyHeld;
import dev.mintmark.postgres.pool.ClaimResult.Granted;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.function.Function;

/**
 * Orders the claims of one instance. Claims for any one value that arrive together share a
 * statement: claims that arrive while a batch is in the database wait and form the next batch. No
 * claim waits for other claims to arrive, and a busier pool has larger batches.
 *
 * <p>Claims that may take long have threads of their own ({@link ClaimLane}) and do not hold up the
 * batches: claims for a named value, for several values, and claims that met a row that another
 * session has locked. If all batches in the database are older than {@link #PATIENCE}, because a
 * session hangs, one more batch is sent meanwhile; and what a batch has asked for that is older
 * than {@link #REPEATED_AFTER} is asked for once more, in a later one. The first answer counts.
 * That is safe, since claims are idempotent.
 */
final class ClaimQueue {
  /** The most claims in one statement. */
  static final int BATCH_MAX = 256;

  /** The most claims that may wait; further claims are rejected. */
  private static final int WAITING_MAX = 1 << 20;

  /** The age of a batch after which another batch is sent. */
  private static final Duration PATIENCE = Duration.ofSeconds(1);

  /** The age of a batch after which its claims are sent once more: its session hangs. */
  private static final Duration REPEATED_AFTER = Duration.ofSeconds(2);

  /** The most batches in the database at the same time. */
  private static final int BATCHES_MAX = 3;

  /** The threads of each kind of claim that may take long. */
  private static final int LANE_THREADS_MAX = 2;

  /** A claim that was not answered. */
  static final class Waiting {
    private final ClaimRequest request;
    private final CompletableFuture<ClaimResult> result = new CompletableFuture<>();
    private final AtomicBoolean answered = new AtomicBoolean();

    /** When it began to wait in a lane. */
    private volatile long laneNanos;

    Waiting(ClaimRequest request) {
      this.request = request;
    }

    ClaimRequest request() {
      return request;
    }

    /** Whether this is the first answer: it may have been asked for twice. */
    private boolean answers() {
      return answered.compareAndSet(false, true);
    }

    private boolean isAnswered() {
      return answered.get();
    }
  }

  /** What a task that empties the queue has in the database. */
  private static final class Batch {
    private final long sinceNanos = System.nanoTime();
    private final List<Waiting> claims;
    private boolean repeated;

    Batch(List<Waiting> claims) {
      this.claims = claims;
    }

    boolean isOlderThan(Duration age) {
      return System.nanoTime() - sinceNanos >= age.toNanos();
    }
  }

  /** Answers claims. */
  interface Answers {
    /** Answers plain requests; a request without a result met a locked row. */
    Map<Subject, ClaimResult> claim(List<ClaimRequest> requests);

    /**
     * Answers requests, waiting for locked rows; every request has a result.
     *
     * @param sinceNanos when the last of them began to wait, in terms of {@link System#nanoTime}
     */
    Map<Subject, ClaimResult> await(List<ClaimRequest> requests, long sinceNanos);

    /** Answers a request for a named value, which began to wait at that time. */
    ClaimResult claimNamed(ClaimRequest request, long sinceNanos);
  }

  private final String pool;
  private final Exhaustion exhaustion;
  private final Answers answers;
  private final Executor executor;
  private final BooleanSupplier closed;
  private final ClaimLane named;
  private final ClaimLane several;
  private final ClaimLane contended;

  private final ConcurrentLinkedQueue<Waiting> queue = new ConcurrentLinkedQueue<>();
  private final AtomicInteger waiting = new AtomicInteger();

  /** The batch of each task that empties the queue; guarded by itself. */
  private final Map<Object, Batch> batches = new HashMap<>();

  private final AtomicBoolean watched = new AtomicBoolean();

  /**
   * @param answers answers batches without two requests for the same subject
   * @param executor runs the tasks that empty the queue and the lanes
   * @param closed whether no more claims are taken
   */
  ClaimQueue(
      String pool,
      Exhaustion exhaustion,
      Answers answers,
      Executor executor,
      BooleanSupplier closed) {
    this.pool = pool;
    this.exhaustion = exhaustion;
    this.answers = answers;
    this.executor = executor;
    this.closed = closed;
    this.named =
        new ClaimLane(LANE_THREADS_MAX, 1, ClaimQueue::ownerOrClient, this::answerNamed, executor);
    this.several =
        new ClaimLane(LANE_THREADS_MAX, 1, ClaimQueue::ownerOrClient, this::await, executor);
    this.contended =
        new ClaimLane(
            LANE_THREADS_MAX,
            BATCH_MAX,
            request -> request.owner().orElse(""),
            this::await,
            executor);
  }

  private static String ownerOrClient(ClaimRequest request) {
    return request.owner().orElseGet(request::client);
  }

  CompletableFuture<ClaimResult> submit(ClaimRequest request) {
    Optional<ClaimResult.Exhausted> rejection = rejection(request);
    if (rejection.isPresent()) {
      return CompletableFuture.completedFuture(rejection.get());
    }
    if (closed.getAsBoolean()) {
      return CompletableFuture.failedFuture(
          new PoolUnavailableException(
              "pool %s: closed, it takes no more claims".formatted(Quoted.of(pool))));
    }
    if (waiting.incrementAndGet() > WAITING_MAX) {
      waiting.decrementAndGet();
      return CompletableFuture.failedFuture(
          new PoolUnavailableException(
              "pool %s: too many claims at once (waiting=%s)"
                  .formatted(Quoted.of(pool), WAITING_MAX)));
    }
    Waiting claim = new Waiting(request);
    if (request.isPlain()) {
      queue.add(claim);
      drainSoon();
    } else {
      add(request.value().isPresent() ? named : several, claim);
    }
    return claim.result;
  }

  /**
   * A request for a named value is never rejected here: its client may have it back from
   * quarantine.
   */
  private Optional<ClaimResult.Exhausted> rejection(ClaimRequest request) {
    return request.value().isPresent() ? Optional.empty() : exhaustion.rejection(request.client());
  }

  private void add(ClaimLane lane, Waiting claim) {
    claim.laneNanos = System.nanoTime();
    try {
      lane.add(claim);
    } catch (RuntimeException | Error e) {
      lane.removeAll().forEach(one -> fail(one, outOfThreads(e)));
    }
  }

  /** Starts a task that empties the queue, unless one is at work. */
  private void drainSoon() {
    Object task = new Object();
    synchronized (batches) {
      if (batches.size() >= BATCHES_MAX || !areAllLate()) {
        return;
      }
      batches.put(task, new Batch(List.of()));
    }
    try {
      executor.execute(() -> drain(task));
      watch();
    } catch (RuntimeException | Error e) {
      // Out of threads: no thread would answer the waiting requests.
      ended(task);
      for (Waiting next = queue.poll(); next != null; next = queue.poll()) {
        fail(next, outOfThreads(e));
      }
    }
  }

  /** Whether every batch in the database, if there is any, is older than the patience. */
  private boolean areAllLate() {
    return batches.values().stream().allMatch(batch -> batch.isOlderThan(PATIENCE));
  }

  /** Looks after the patience whether the queue waits for a batch that hangs. */
  private void watch() {
    if (watched.compareAndSet(false, true)) {
      CompletableFuture.delayedExecutor(PATIENCE.toMillis(), TimeUnit.MILLISECONDS, executor)
          .execute(this::look);
    }
  }

  private void look() {
    watched.set(false);
    boolean working;
    synchronized (batches) {
      working = !batches.isEmpty();
      batches.values().forEach(this::repeatIfHanging);
    }
    if (working) {
      if (!queue.isEmpty()) {
        drainSoon();
      }
      watch();
    }
  }

  private void repeatIfHanging(Batch batch) {
    if (!batch.repeated && batch.isOlderThan(REPEATED_AFTER)) {
      batch.repeated = true;
      queue.addAll(batch.claims);
    }
  }

  private void drain(Object task) {
    try {
      Map<Subject, List<Waiting>> batch = nextBatch();
      while (!batch.isEmpty()) {
        synchronized (batches) {
          batches.put(task, new Batch(batch.values().stream().flatMap(List::stream).toList()));
        }
        answer(batch, answers::claim);
        batch = nextBatch();
      }
    } finally {
      ended(task);
    }
    if (!queue.isEmpty()) {
      drainSoon();
    }
  }

  private void ended(Object task) {
    synchronized (batches) {
      batches.remove(task);
    }
  }

  private PoolUnavailableException outOfThreads(Throwable e) {
    return new PoolUnavailableException(
        "pool %s: out of threads: %s".formatted(Quoted.of(pool), e));
  }

  /** The next requests of the queue; rejects those that need no query. */
  private Map<Subject, List<Waiting>> nextBatch() {
    Map<Subject, List<Waiting>> batch = new LinkedHashMap<>();
    while (batch.size() < BATCH_MAX) {
      Waiting next = queue.poll();
      if (next == null) {
        break;
      }
      addUnlessRejected(next, batch);
    }
    return batch;
  }

  private void addUnlessRejected(Waiting claim, Map<Subject, List<Waiting>> batch) {
    if (claim.isAnswered()) {
      return;
    }
    Optional<ClaimResult.Exhausted> rejection = rejection(claim.request);
    if (rejection.isPresent()) {
      complete(List.of(claim), rejection.get());
    } else {
      batch.computeIfAbsent(claim.request.subject(), ignored -> new ArrayList<>()).add(claim);
    }
  }

  private void await(List<Waiting> claims) {
    Map<Subject, List<Waiting>> batch = new LinkedHashMap<>();
    claims.forEach(claim -> addUnlessRejected(claim, batch));
    if (!batch.isEmpty()) {
      long now = System.nanoTime();
      long waited = claims.stream().mapToLong(claim -> now - claim.laneNanos).min().orElse(0);
      answer(batch, requests -> answers.await(requests, now - waited));
    }
  }

  private void answerNamed(List<Waiting> claims) {
    for (Waiting claim : claims) {
      try {
        complete(List.of(claim), answers.claimNamed(claim.request, claim.laneNanos));
      } catch (RuntimeException | Error e) {
        fail(claim, e);
      }
    }
  }

  private void answer(
      Map<Subject, List<Waiting>> batch,
      Function<List<ClaimRequest>, Map<Subject, ClaimResult>> claimBatch) {
    try {
      List<ClaimRequest> requests =
          batch.values().stream().map(same -> same.get(0).request).toList();
      Map<Subject, ClaimResult> results = claimBatch.apply(requests);
      batch.forEach(
          (subject, same) -> {
            ClaimResult result = results.get(subject);
            if (result != null) {
              complete(same, result);
            } else {
              same.forEach(claim -> add(contended, claim));
            }
          });
    } catch (RuntimeException | Error e) {
      if (e instanceof PoolUnavailableException failure
          && PoolDatabase.isDataException(failure)
          && batch.values().stream().mapToInt(List::size).sum() > 1) {
        // One of them has a text that the database cannot store. The others must not fail with it.
        parts(batch).forEach(part -> answer(part, claimBatch));
        return;
      }
      for (List<Waiting> same : batch.values()) {
        same.forEach(one -> fail(one, e));
      }
    }
  }

  /** Halves, or each claim by itself if all are of one subject. */
  private static List<Map<Subject, List<Waiting>>> parts(Map<Subject, List<Waiting>> batch) {
    if (batch.size() == 1) {
      Map.Entry<Subject, List<Waiting>> only = batch.entrySet().iterator().next();
      return only.getValue().stream().map(one -> Map.of(only.getKey(), List.of(one))).toList();
    }
    Map<Subject, List<Waiting>> first = new LinkedHashMap<>();
    Map<Subject, List<Waiting>> second = new LinkedHashMap<>();
    batch.forEach(
        (subject, same) -> (first.size() < batch.size() / 2 ? first : second).put(subject, same));
    return List.of(first, second);
  }

  /** Gives one result to all requests of a subject: the first is granted, the others hold it. */
  private void complete(List<Waiting> same, ClaimResult result) {
    for (Waiting one : same) {
      if (one.answers()) {
        waiting.decrementAndGet();
        one.result.complete(result);
      }
      if (result instanceof Granted granted) {
        result = new AlreadyHeld(granted.claims());
      }
    }
  }

  private void fail(Waiting claim, Throwable e) {
    if (claim.answers()) {
      waiting.decrementAndGet();
      claim.result.completeExceptionally(e);
    }
  }
}
