package dev.mintmark.postgres.pool;

import dev.mintmark.PoolSpec;
import dev.mintmark.postgres.pool.AllocatorChecker.Finding;
import dev.mintmark.postgres.pool.AllocatorChecker.Rules;
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
 * Random work on a pool by one process of several, any of which may be killed: every operation is
 * written to a log before it is sent and after its answer came, and the logs of all of them are
 * judged together. Safe for use by many threads.
 *
 * <p>The pool should give its clients {@link #SLOTS} values. All processes have to run on one
 * machine: their logs are compared by its monotonic clock.
 */
public final class PoolWorkload implements AutoCloseable {
  /** How many values a client claims at most. */
  public static final int SLOTS = RandomWorkload.SLOTS;

  /** What a statement may still take whose client is gone, or whose database starts again. */
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
   * @param instance how it is called in the log
   * @param pool what it works on
   * @param connections where it counts values
   * @param log a file that is not there yet
   */
  public static PoolWorkload of(String instance, Pool pool, DataSource connections, Path log) {
    OperationLog writing = OperationLog.writing(log);
    Allocator allocator = new PoolAsAllocator(pool, PoolDatabase.of(connections));
    List<String> values = values(pool.spec());
    return new PoolWorkload(
        pool.spec(),
        new RandomWorkload(values.size(), values),
        writing,
        new RecordedAllocator(instance, allocator, writing));
  }

  /** Claims, renews and releases at random until it is done: what a seed decides. */
  public void work(long seed, BooleanSupplier isDone) {
    workload.run(allocator, new Random(seed), isDone);
  }

  /** Counts the values once, in one snapshot. */
  public void count() {
    allocator.count();
  }

  /**
   * Has every value in somebody's hands, so that it shows what is lost: by one process, when the
   * work of all others is over. Takes long only where something is lost.
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
   * What is wrong by the logs of all processes: each finding a sentence, none where nothing is.
   *
   * @param spec the pool they worked on
   */
  public static List<String> judge(PoolSpec spec, List<Path> logs) {
    List<Operation> operations = new ArrayList<>();
    logs.forEach(one -> operations.addAll(OperationLog.read(one)));
    return AllocatorChecker.judge(operations, rules(spec, patience(spec))).stream()
        .map(Finding::text)
        .toList();
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

  /** After which time at most whatever is not lost can be had again. */
  static Duration patience(PoolSpec spec) {
    return RandomWorkload.LEASE_MAX
        .plus(spec.quarantine())
        .plus(Pool.REMEMBERED_FOR)
        .plus(STRAGGLERS_MAX);
  }
}
