package dev.mintmark.postgres.pool;

import dev.mintmark.postgres.pool.ClaimQueue.Waiting;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * Claims that may take long, in a bounded number of threads of their own. Claims have a key: one
 * thread at a time works for a key, and keys take turns, so that the claims of one owner do not
 * hold up those of the others. Safe for use by many threads.
 */
final class ClaimLane {
  private final int threadsMax;
  private final int batchMax;
  private final Function<ClaimRequest, String> key;
  private final Consumer<List<Waiting>> work;
  private final Executor executor;

  private final Map<String, Deque<Waiting>> waiting = new LinkedHashMap<>();
  private final Set<String> busy = new HashSet<>();
  private int threads;

  /**
   * @param batchMax the most claims that are worked on together; they have the same key
   * @param work answers claims; must not throw
   */
  ClaimLane(
      int threadsMax,
      int batchMax,
      Function<ClaimRequest, String> key,
      Consumer<List<Waiting>> work,
      Executor executor) {
    this.threadsMax = threadsMax;
    this.batchMax = batchMax;
    this.key = key;
    this.work = work;
    this.executor = executor;
  }

  private record Batch(String key, List<Waiting> claims) {}

  /**
   * Adds a claim.
   *
   * @throws RuntimeException if the executor takes no task: then no claim of this lane is answered
   */
  void add(Waiting claim) {
    synchronized (this) {
      waiting.computeIfAbsent(key.apply(claim.request()), any -> new ArrayDeque<>()).add(claim);
      if (threads == threadsMax) {
        return;
      }
      threads++;
    }
    try {
      executor.execute(this::run);
    } catch (RuntimeException | Error e) {
      threadEnded();
      throw e;
    }
  }

  /** Removes and returns all claims that wait. */
  synchronized List<Waiting> removeAll() {
    List<Waiting> all = waiting.values().stream().flatMap(Deque::stream).toList();
    waiting.clear();
    return all;
  }

  private void run() {
    for (Optional<Batch> batch = next(); batch.isPresent(); batch = next()) {
      try {
        work.accept(batch.get().claims);
      } finally {
        done(batch.get());
      }
    }
  }

  /** The next claims of the key whose turn it is; empty if the thread has to end. */
  private synchronized Optional<Batch> next() {
    Optional<String> free =
        waiting.keySet().stream().filter(one -> !busy.contains(one)).findFirst();
    if (free.isEmpty()) {
      threads--;
      return Optional.empty();
    }
    String turn = free.get();
    Deque<Waiting> ofKey = waiting.remove(turn);
    List<Waiting> claims = new ArrayList<>();
    while (ofKey != null && !ofKey.isEmpty() && claims.size() < batchMax) {
      claims.add(ofKey.remove());
    }
    if (ofKey != null && !ofKey.isEmpty()) {
      waiting.put(turn, ofKey);
    }
    busy.add(turn);
    return Optional.of(new Batch(turn, claims));
  }

  private synchronized void done(Batch batch) {
    busy.remove(batch.key);
  }

  private synchronized void threadEnded() {
    threads--;
  }
}
