package dev.mintmark.app.storm;

import dev.mintmark.Block;
import dev.mintmark.Quoted;
import java.util.Arrays;
import java.util.BitSet;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;

/**
 * The answers to the clients of a storm and their waiting times, measured from the common start.
 * Four bytes per client and one bit per address. Thread-safe.
 */
final class AnswerLog {
  private final Storm storm;

  /** Microseconds that each client waited, at most 35 minutes. */
  private final int[] waits;

  /** The granted addresses, by their place in the blocks; synchronized on itself. */
  private final BitSet taken = new BitSet();

  private final LongAdder granted = new LongAdder();
  private final LongAdder rejected = new LongAdder();
  private final LongAdder doubled = new LongAdder();
  private final AtomicLong lastGrantNanos = new AtomicLong();
  private final AtomicLong endNanos = new AtomicLong();
  private volatile long startNanos;

  AnswerLog(Storm storm) {
    this.storm = storm;
    this.waits = new int[storm.clients()];
  }

  /** Starts the clock of all clients. */
  void start() {
    startNanos = System.nanoTime();
  }

  /**
   * Records that a client was granted an address.
   *
   * @throws IllegalStateException if the address is not in the blocks
   */
  void granted(int client, String value) {
    int place = place(value);
    long wait = answered(client);
    granted.increment();
    lastGrantNanos.accumulateAndGet(wait, Math::max);
    synchronized (taken) {
      if (taken.get(place)) {
        doubled.increment();
      }
      taken.set(place);
    }
  }

  void rejected(int client) {
    answered(client);
    rejected.increment();
  }

  /** Records that every client has its answer. */
  void end() {
    endNanos.set(System.nanoTime() - startNanos);
  }

  long answered() {
    return granted.sum() + rejected.sum();
  }

  private long answered(int client) {
    long wait = System.nanoTime() - startNanos;
    waits[client] = (int) Math.min(TimeUnit.NANOSECONDS.toMicros(wait), Integer.MAX_VALUE);
    return wait;
  }

  private int place(String value) {
    long before = 0;
    for (Block block : storm.pool().blocks()) {
      OptionalLong position = block.positionOf(value);
      if (position.isPresent()) {
        return Math.toIntExact(before + position.getAsLong());
      }
      before += block.size();
    }
    throw new IllegalStateException(
        "%s was granted, which is not in %s".formatted(Quoted.of(value), storm.pool().blocks()));
  }

  /**
   * Returns the result after the run.
   *
   * @param effort the statements that were sent
   * @param databaseCpuMillis the processor time of the database; empty if unknown
   */
  StormReport.Run report(Storm.Effort effort, OptionalLong databaseCpuMillis) {
    int[] sorted = waits.clone();
    Arrays.sort(sorted);
    double grantSeconds = Math.max(lastGrantNanos.get(), 1) / 1e9;
    double wallSeconds = Math.max(endNanos.get(), 1) / 1e9;
    return new StormReport.Run(
        storm.clients(),
        storm.instances(),
        granted.sum(),
        rejected.sum(),
        falseRejections(),
        doubled.sum(),
        effort.statements(),
        StormReport.known(effort.retries()),
        StormReport.known(effort.deadlocks()),
        Math.round(wallSeconds * 1_000),
        Math.round(granted.sum() / grantSeconds),
        Math.round(rejected.sum() / wallSeconds),
        millis(sorted, 0.50),
        millis(sorted, 0.99),
        databaseCpuMillis.isPresent() ? databaseCpuMillis.getAsLong() : null);
  }

  /** Counts the rejected clients for which an address was still free at the end. */
  private long falseRejections() {
    synchronized (taken) {
      return Math.min(rejected.sum(), storm.addresses() - taken.cardinality());
    }
  }

  private static double millis(int[] sorted, double quantile) {
    int micros = sorted[(int) Math.ceil(quantile * sorted.length) - 1];
    return Math.round(micros / 10.0) / 100.0;
  }
}
