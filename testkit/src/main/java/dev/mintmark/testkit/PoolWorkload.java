package dev.mintmark.testkit;

import dev.mintmark.PoolSpec;
import dev.mintmark.postgres.pool.Pool;
import dev.mintmark.postgres.pool.SlicedPool;
import dev.mintmark.testkit.AllocatorChecker.Finding;
import dev.mintmark.testkit.AllocatorChecker.Rules;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.stream.LongStream;
import javax.sql.DataSource;

/**
 * Random work on a pool by one process of several, any of which may be killed. Every call is
 * written to a log before it is sent, and again after its answer arrived. The logs of all processes
 * are judged together. Safe for use by many threads.
 *
 * <p>The pool should allow its clients {@link #SLOTS} values. All processes must run on one
 * machine: their logs are compared by its monotonic clock.
 */
public final class PoolWorkload implements AutoCloseable {
  /** The most values that a client claims. */
  public static final int SLOTS = RandomWorkload.SLOTS;

  /** How long a statement may still run whose client is gone, or whose database restarts. */
  private static final Duration STRAGGLERS_MAX = Duration.ofSeconds(3);

  private final PoolSpec spec;
  private final RandomWorkload workload;
  private final OperationLog log;
  private final RecordedAllocator allocator;

  private PoolWorkload(
      PoolSpec spec, RandomWorkload workload, OperationLog log, RecordedAllocator allocator) {
    this.spec = spec;
    this.workload = workload;
    this.log = log;
    this.allocator = allocator;
  }

  /**
   * The work of one process.
   *
   * @param instance the name of the process in the log
   * @param pool the pool to work on
   * @param connections where values are counted
   * @param log a file that does not exist yet
   */
  public static PoolWorkload of(String instance, Pool pool, DataSource connections, Path log) {
    return of(instance, pool.spec(), Allocator.of(pool, connections), log);
  }

  /**
   * The work of one process that has a slice of the pool.
   *
   * @param instance the name of the process in the log
   * @param pool the pool to work on
   * @param connections where values are counted
   * @param log a file that does not exist yet
   */
  public static PoolWorkload of(
      String instance, SlicedPool pool, DataSource connections, Path log) {
    return of(instance, pool.pool().spec(), Allocator.of(pool, connections), log);
  }

  private static PoolWorkload of(String instance, PoolSpec spec, Allocator allocator, Path log) {
    OperationLog writing = OperationLog.writing(log);
    List<String> values = values(spec);
    return new PoolWorkload(
        spec,
        new RandomWorkload(values.size(), values),
        writing,
        new RecordedAllocator(instance, allocator, writing));
  }

  /**
   * Claims, renews and releases at random.
   *
   * @param seed decides what is done
   * @param isDone when to stop
   */
  public void work(long seed, BooleanSupplier isDone) {
    workload.run(allocator, new Random(seed), isDone);
  }

  /** Counts the values once, in one snapshot. */
  public void count() {
    allocator.count();
  }

  /**
   * Claims every value that is not held, so that lost values become visible. Call it in one process
   * when the work of all others is over. Takes long only if a value is lost.
   */
  public void settle() {
    allocator.settle(Set.copyOf(values(spec)), patience(spec));
  }

  /** Closes the log. */
  @Override
  public void close() {
    log.close();
  }

  /**
   * Judges the logs of all processes.
   *
   * @param spec the pool that they worked on
   * @return a sentence for each thing that is wrong; empty if nothing is
   */
  public static List<String> judge(PoolSpec spec, List<Path> logs) {
    List<Operation> operations = new ArrayList<>();
    logs.forEach(one -> operations.addAll(OperationLog.read(one)));
    return AllocatorChecker.judge(operations, rules(spec, patience(spec))).stream()
        .map(Finding::text)
        .toList();
  }

  /**
   * Judges the logs of all processes, some of which had slices of the pool.
   *
   * @param spec the pool that they worked on
   * @param sliceLease the lease of the slices: a slice may keep values for so long
   * @return a sentence for each thing that is wrong; empty if nothing is
   */
  public static List<String> judgeSlices(PoolSpec spec, Duration sliceLease, List<Path> logs) {
    List<Operation> operations = new ArrayList<>();
    logs.forEach(one -> operations.addAll(OperationLog.read(one)));
    Rules rules = slicedRules(spec, sliceLease);
    return AllocatorChecker.judge(operations, rules).stream().map(Finding::text).toList();
  }

  /** What a pool promises that is granted from slices: any values may be in other slices. */
  static Rules slicedRules(PoolSpec spec, Duration sliceLease) {
    Rules rules = rules(spec, patience(spec).plus(sliceLease));
    return rules.withWithheld(rules.values().size());
  }

  /** What a pool promises. */
  static Rules rules(PoolSpec spec, Duration patience) {
    Rules rules =
        Rules.of(Set.copyOf(values(spec)), patience)
            .withQuarantine(spec.quarantine())
            .withRemembered(Pool.REMEMBERED_FOR);
    return spec.perOwner().map(rules::withPerOwner).orElse(rules);
  }

  /** All values of a pool. */
  static List<String> values(PoolSpec spec) {
    return spec.blocks().stream()
        .flatMap(block -> LongStream.range(0, block.size()).mapToObj(block::valueAt))
        .toList();
  }

  /** The time after which a value that is not lost can be claimed again. */
  static Duration patience(PoolSpec spec) {
    return RandomWorkload.LEASE_MAX
        .plus(spec.quarantine())
        .plus(Pool.REMEMBERED_FOR)
        .plus(STRAGGLERS_MAX);
  }
}
