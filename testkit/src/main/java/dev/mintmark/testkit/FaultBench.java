package dev.mintmark.testkit;

import dev.mintmark.PoolSpec;
import dev.mintmark.postgres.pool.PastClaim;
import dev.mintmark.postgres.pool.Pool;
import dev.mintmark.postgres.pool.PoolUnavailableException;
import dev.mintmark.postgres.pool.Pools;
import dev.mintmark.testkit.AllocatorChecker.Finding;
import dev.mintmark.testkit.Operation.Answer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import javax.sql.DataSource;

/**
 * What one fault check works with: a pool of its own, some instances of a program that use it,
 * faults in their connections, and a log of all calls. Closing it deletes the pool.
 */
final class FaultBench implements AutoCloseable {
  /** Figures of the report that work may be about. */
  static final String GRANTED = "granted";

  static final String WITHOUT_AN_ANSWER = "without an answer";
  static final String SESSIONS_TERMINATED = "sessions terminated";
  private static final String OPERATIONS = "operations";

  /** Instances of the program, each with pools of its own. */
  static final int INSTANCES = 3;

  /** The longest time until an instance receives a notification, if it receives any. */
  private static final Duration LISTENING_MAX = Duration.ofSeconds(3);

  /** The longest time until an instance whose session was terminated listens on another. */
  private static final Duration LISTENING_AGAIN_MAX = Duration.ofSeconds(30);

  /** The end of the application name of sessions that listen. */
  private static final String LISTENER = "-listen";

  /** How much longer random work may take than it should, on a machine that does little. */
  private static final Duration GOAL_MAX = Duration.ofMinutes(2);

  private static final Duration SNAPSHOT_EVERY = Duration.ofMillis(10);
  private static final Duration TERMINATE_EVERY = Duration.ofMillis(3);

  private final DataSource connections;
  private final String applicationName;
  private final CheckedDatabase database;
  private final Pools administration;
  private final FaultyConnections faulty;
  private final PoolSpec spec;
  private final Duration effort;
  private final long seed;
  private final List<Pools> instances = new ArrayList<>();
  private final List<RecordedAllocator> allocators = new ArrayList<>();
  private final RecordedAllocator observer;
  private final OperationLog log = OperationLog.inMemory();
  private final Map<String, Long> figures = new LinkedHashMap<>();
  private final List<String> complaints = new ArrayList<>();
  private final List<String> notAvailable = new ArrayList<>();
  private final boolean throughSql;
  private int withheld;
  private String goal = OPERATIONS;

  /**
   * Creates the pool.
   *
   * @param connections connections of this run alone
   * @param applicationName the application name of these connections
   * @param effort the duration of random work
   * @param throughSql whether the instances call the functions of SQL
   */
  FaultBench(
      DataSource connections,
      String applicationName,
      PoolSpec spec,
      Duration effort,
      long seed,
      boolean throughSql) {
    this.connections = connections;
    this.applicationName = applicationName;
    this.spec = spec;
    this.effort = effort;
    this.seed = seed;
    this.throughSql = throughSql;
    this.database = new CheckedDatabase(connections, spec.name());
    this.administration = Pools.over(connections);
    this.faulty = new FaultyConnections(connections, seed);
    administration.create(spec);
    for (int i = 1; i <= INSTANCES; i++) {
      Pools pools = Pools.over(faulty.dataSource());
      instances.add(pools);
      allocators.add(
          throughSql
              ? new RecordedAllocator(
                  "instance " + i,
                  new SqlAllocator(spec.name(), faulty.dataSource(), connections),
                  log)
              : recorded("instance " + i, pools));
    }
    this.observer = recorded("observer", administration);
  }

  private RecordedAllocator recorded(String name, Pools pools) {
    return new RecordedAllocator(
        name, new PoolAsAllocator(pools.open(spec.name()), connections), log);
  }

  /** Whether the instances call the functions of SQL, which remember nothing and do not listen. */
  boolean throughSql() {
    return throughSql;
  }

  /** An instance, counted from 0, as it sees the pool. */
  RecordedAllocator instance(int index) {
    return allocators.get(index);
  }

  List<RecordedAllocator> instances() {
    return allocators;
  }

  /** The faults of the connections of all instances. */
  FaultyConnections faulty() {
    return faulty;
  }

  /** All values of the pool. */
  List<String> values() {
    return PoolWorkload.values(spec);
  }

  /** Randomness for one of the threads of the check: the same for the same seed. */
  Random random(int thread) {
    return new Random(seed * 1_000 + thread);
  }

  /** Adds to a figure of the report. */
  void figure(String name, long value) {
    synchronized (figures) {
      figures.merge(name, value, Long::sum);
    }
  }

  /** Adds a finding that the log does not show. */
  void complain(String what) {
    complaints.add(what);
  }

  /**
   * Becomes true when the duration of random work has passed and a figure is not 0. Without that
   * figure, work goes on for {@link #GOAL_MAX} more, and the check fails: it would have shown
   * nothing.
   *
   * @param figure counts what the work is about, such as the sessions that it terminates
   */
  BooleanSupplier untilEffortIsSpentAnd(String figure) {
    goal = figure;
    long end = System.nanoTime() + effort.toNanos();
    return () -> {
      long over = System.nanoTime() - end;
      return over >= 0 && (over > GOAL_MAX.toNanos() || hasShownSomething());
    };
  }

  private boolean hasShownSomething() {
    return figures().getOrDefault(goal, 0L) > 0;
  }

  /** Terminates sessions of the run in the middle of their statements, until it is done. */
  void terminateSessions(BooleanSupplier isDone) {
    while (!isDone.getAsBoolean()) {
      try {
        figure(SESSIONS_TERMINATED, database.terminateSessions(applicationName, false));
      } catch (PoolUnavailableException e) {
        // Through a pooler, its own session may be among those that were ended.
        figure("terminations that failed", 1);
      }
      LockSupport.parkNanos(TERMINATE_EVERY.toNanos());
    }
  }

  /** Starts to listen in an instance; false if it receives no notification. */
  boolean listen(int index) {
    instances
        .get(index)
        .listenThrough(InterceptingProxy.named(connections, applicationName + LISTENER));
    return awaitTrue(instances.get(index)::isListening, LISTENING_MAX);
  }

  /** Terminates the session that an instance listens on, as soon as there is one. */
  boolean terminateListener() {
    boolean terminated =
        awaitTrue(
            () -> database.terminateSessions(applicationName + LISTENER, true) > 0,
            LISTENING_AGAIN_MAX);
    figure("listeners terminated", terminated ? 1 : 0);
    return terminated;
  }

  private static boolean awaitTrue(BooleanSupplier condition, Duration max) {
    long start = System.nanoTime();
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() - start > max.toNanos()) {
        return false;
      }
      LockSupport.parkNanos(SNAPSHOT_EVERY.toNanos());
    }
    return true;
  }

  /** The pool, through connections without planted faults. */
  Pool pool() {
    return administration.open(spec.name());
  }

  /** Says how many values the work may withhold from all clients at a time: drained ones. */
  void withhold(int values) {
    withheld = values;
  }

  /** Reports that the database does not support what is checked. */
  void notAvailable(String why) {
    notAvailable.add(why);
  }

  /** Why the database does not support what is checked; empty if it does. */
  List<String> notAvailable() {
    return notAvailable;
  }

  /** Runs all work in parallel and counts the values meanwhile; returns when all work is done. */
  void atOnce(List<Runnable> work) {
    AtomicBoolean done = new AtomicBoolean();
    ExecutorService threads = Executors.newCachedThreadPool(FaultBench::newThread);
    try {
      Future<?> snapshots = threads.submit(() -> takeSnapshots(done::get));
      List<Future<?>> running = work.stream().<Future<?>>map(threads::submit).toList();
      running.forEach(FaultBench::await);
      done.set(true);
      await(snapshots);
    } finally {
      done.set(true);
      threads.shutdownNow();
    }
  }

  private void takeSnapshots(BooleanSupplier isDone) {
    do {
      observer.count();
      LockSupport.parkNanos(SNAPSHOT_EVERY.toNanos());
    } while (!isDone.getAsBoolean());
  }

  /** Ends the work: claims every value that is not held, and returns what is wrong. */
  List<String> judge() {
    faulty.cutOneOf(0);
    boolean hasShownSomething = hasShownSomething();
    Duration patience = PoolWorkload.patience(spec);
    observer.settle(Set.copyOf(values()), patience);
    List<Finding> findings =
        AllocatorChecker.judge(
            log.operations(), PoolWorkload.rules(spec, patience).withWithheld(withheld));
    List<String> all = new ArrayList<>(complaints);
    if (!hasShownSomething) {
      all.add("the work has shown nothing: \"%s\" is 0".formatted(goal));
    }
    findings.forEach(finding -> all.add(finding.text()));
    all.addAll(HistoryChecker.judge(history()));
    return all;
  }

  private List<PastClaim> history() {
    List<PastClaim> all = new ArrayList<>();
    OptionalLong before = OptionalLong.empty();
    while (true) {
      List<PastClaim> page = pool().history(PastClaim.Filter.ALL, before, Pool.PAGE_MAX);
      all.addAll(page);
      if (page.size() < Pool.PAGE_MAX) {
        return all;
      }
      before = OptionalLong.of(page.get(page.size() - 1).token());
    }
  }

  /** What the check did. */
  Map<String, Long> figures() {
    Map<String, Long> all = new LinkedHashMap<>();
    all.put(OPERATIONS, (long) log.operations().size());
    all.put(GRANTED, answered(Answer.Granted.class));
    all.put("released", answered(Answer.Released.class));
    all.put("refused", answered(Answer.Refused.class));
    all.put(WITHOUT_AN_ANSWER, answered(Answer.Unknown.class));
    all.put("snapshots", answered(Answer.Counted.class));
    synchronized (figures) {
      all.putAll(figures);
    }
    return all;
  }

  private long answered(Class<? extends Answer> kind) {
    return log.operations().stream().filter(one -> kind.isInstance(one.answer())).count();
  }

  @Override
  public void close() {
    faulty.cutOneOf(0);
    instances.forEach(Pools::close);
    try (administration) {
      administration.delete(spec.name());
    }
  }

  private static void await(Future<?> work) {
    try {
      work.get();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted", e);
    } catch (ExecutionException e) {
      if (e.getCause() instanceof RuntimeException cause) {
        throw cause;
      }
      throw new IllegalStateException(e.getCause());
    }
  }

  private static Thread newThread(Runnable task) {
    Thread thread = new Thread(task, "mintmark-fault-check");
    thread.setDaemon(true);
    return thread;
  }
}
