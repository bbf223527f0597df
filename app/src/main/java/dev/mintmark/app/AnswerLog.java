package dev.mintmark.app;

import java.util.Arrays;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;

/**
 * What the clients of a storm were answered, and how long they waited: from the moment all of them
 * ask at once. Safe for use by many threads.
 */
final class AnswerLog {
  /** Nanoseconds each client waited. */
  private final long[] waits;

  private final Set<String> values = ConcurrentHashMap.newKeySet();
  private final LongAdder granted = new LongAdder();
  private final LongAdder rejected = new LongAdder();
  private final LongAdder doubled = new LongAdder();
  private final AtomicLong lastGrantNanos = new AtomicLong();
  private final AtomicLong endNanos = new AtomicLong();
  private volatile long startNanos;

  AnswerLog(int clients) {
    waits = new long[clients];
  }

  /** The clients ask from now on. */
  void start() {
    startNanos = System.nanoTime();
  }

  void granted(int client, String value) {
    long wait = answered(client);
    granted.increment();
    lastGrantNanos.accumulateAndGet(wait, Math::max);
    if (!values.add(value)) {
      doubled.increment();
    }
  }

  void rejected(int client) {
    answered(client);
    rejected.increment();
  }

  /** Every client has its answer. */
  void end() {
    endNanos.set(System.nanoTime() - startNanos);
  }

  long answered() {
    return granted.sum() + rejected.sum();
  }

  private long answered(int client) {
    long wait = System.nanoTime() - startNanos;
    waits[client] = wait;
    return wait;
  }

  /** Sums up, once the run is over. */
  StormReport.Run report(Storm storm, long statements) {
    long[] sorted = waits.clone();
    Arrays.sort(sorted);
    double grantSeconds = Math.max(lastGrantNanos.get(), 1) / 1e9;
    double wallSeconds = Math.max(endNanos.get(), 1) / 1e9;
    return new StormReport.Run(
        storm.clients(),
        storm.instances(),
        granted.sum(),
        rejected.sum(),
        doubled.sum(),
        statements,
        Math.round(wallSeconds * 1_000),
        Math.round(granted.sum() / grantSeconds),
        Math.round(rejected.sum() / wallSeconds),
        millis(sorted, 0.50),
        millis(sorted, 0.99));
  }

  private static double millis(long[] sorted, double quantile) {
    long nanos = sorted[(int) Math.ceil(quantile * sorted.length) - 1];
    return Math.round(nanos / 1e4) / 100.0;
  }
}
