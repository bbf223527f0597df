package dev.mintmark.testkit;

import dev.mintmark.Block;
import dev.mintmark.PoolSpec;
import dev.mintmark.postgres.pool.Pool;
import dev.mintmark.testkit.Operation.Answer;
import dev.mintmark.testkit.Operation.Call;
import dev.mintmark.testkit.Operation.Held;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/**
 * Work under a fault, after which no value may be held twice and none lost.
 *
 * @param name the name of the check
 * @param sentence what is done
 * @param values how many values its pool has
 * @param spec the other settings of its pool
 * @param work what is done; the bench judges the result
 */
record FaultCheck(
    String name, String sentence, int values, UnaryOperator<PoolSpec> spec, Work work) {
  /** What a check does. */
  interface Work {
    void with(FaultBench bench);
  }

  /** All checks, in the order in which they run. */
  static final List<FaultCheck> ALL =
      List.of(
          new FaultCheck(
              "random-workload",
              "Instances claim, renew and release at random, with leases and a quarantine.",
              12,
              FaultCheck::forRandomWork,
              FaultCheck::workload),
          new FaultCheck(
              "killed-sessions",
              "The same while database sessions are terminated in the middle of their statements.",
              12,
              FaultCheck::forRandomWork,
              FaultCheck::killedSessions),
          new FaultCheck(
              "cut-connections",
              "The same while connections break, so that clients do not know the outcome and ask again.",
              12,
              FaultCheck::forRandomWork,
              FaultCheck::cutConnections),
          new FaultCheck(
              "drained-block",
              "The same while one of two blocks is drained and undrained repeatedly.",
              12,
              FaultCheck::inTwoBlocks,
              FaultCheck::drainedBlock),
          new FaultCheck(
              "same-client",
              "All instances claim for one client at once, each of them twice.",
              12,
              UnaryOperator.identity(),
              FaultCheck::sameClient),
          new FaultCheck(
              "named-value",
              "All instances claim one named value at once, then the next.",
              24,
              UnaryOperator.identity(),
              FaultCheck::namedValue),
          new FaultCheck(
              "owner-quota",
              "Clients of two owners claim more than their quota, through all instances at once.",
              24,
              FaultCheck::withOwnerQuota,
              FaultCheck::ownerQuota),
          new FaultCheck(
              "busy-owner",
              "All instances claim for one owner at once, again and again; most values are free.",
              400,
              FaultCheck::forBusyOwner,
              FaultCheck::busyOwner),
          new FaultCheck(
              "late-renewal",
              "Leases are renewed at about their end, while other clients want the values.",
              12,
              UnaryOperator.identity(),
              FaultCheck::lateRenewal),
          new FaultCheck(
              "late-release",
              "A client whose lease has ended renews and releases a value that another client holds.",
              1,
              UnaryOperator.identity(),
              FaultCheck::lateRelease),
          new FaultCheck(
              "remembered-empty",
              "An instance remembers that the pool is empty; another instance releases a value.",
              1,
              UnaryOperator.identity(),
              FaultCheck::rememberedEmpty),
          new FaultCheck(
              "dead-listener",
              "The same while the listening session of the instance is terminated.",
              1,
              UnaryOperator.identity(),
              FaultCheck::deadListener));

  private static final int THREADS_PER_INSTANCE = 2;
  private static final int CALLERS = FaultBench.INSTANCES * THREADS_PER_INSTANCE;
  private static final Duration LEASE = Duration.ofSeconds(1);
  private static final Duration QUARANTINE = Duration.ofMillis(200);
  private static final int ROUNDS = 20;
  private static final int ROUNDS_OF_WAITING = 3;
  private static final int OWNER_QUOTA = 3;
  private static final int HERE = 0;
  private static final int ELSEWHERE = 1;
  private static final String CHANGES_OF_THE_BLOCK = "changes of the block";
  private static final String DRAINED = "7..12";

  /** The limit of a wait that usually takes much less time. */
  private static final Duration PATIENCE = Duration.ofMinutes(2);

  private static PoolSpec forRandomWork(PoolSpec spec) {
    return spec.withQuarantine(QUARANTINE).withPerClient(RandomWorkload.SLOTS);
  }

  private static PoolSpec inTwoBlocks(PoolSpec spec) {
    return forRandomWork(spec).withBlocks(Stream.of("1..6", DRAINED).map(Block::parse).toList());
  }

  private static PoolSpec withOwnerQuota(PoolSpec spec) {
    return spec.withPerClient(RandomWorkload.SLOTS).withPerOwner(Optional.of(OWNER_QUOTA));
  }

  private static void workload(FaultBench bench) {
    bench.atOnce(workload(bench, bench.untilEffortIsSpentAnd(FaultBench.GRANTED)));
  }

  private static void killedSessions(FaultBench bench) {
    BooleanSupplier isDone = bench.untilEffortIsSpentAnd(FaultBench.SESSIONS_TERMINATED);
    List<Runnable> work = workload(bench, isDone);
    work.add(() -> bench.terminateSessions(isDone));
    bench.atOnce(work);
  }

  private static void cutConnections(FaultBench bench) {
    bench.faulty().cutOneOf(15);
    bench.atOnce(workload(bench, bench.untilEffortIsSpentAnd(FaultBench.WITHOUT_AN_ANSWER)));
    bench.figure("connections cut", bench.faulty().cuts());
  }

  private static List<Runnable> workload(FaultBench bench, BooleanSupplier isDone) {
    RandomWorkload workload = new RandomWorkload(bench.values().size(), bench.values());
    List<Runnable> work = new ArrayList<>();
    for (RecordedAllocator instance : bench.instances()) {
      for (int i = 0; i < THREADS_PER_INSTANCE; i++) {
        Random random = bench.random(work.size());
        work.add(() -> workload.run(instance, random, isDone));
      }
    }
    return work;
  }

  private static void drainedBlock(FaultBench bench) {
    bench.withhold(6);
    BooleanSupplier isDone = bench.untilEffortIsSpentAnd(CHANGES_OF_THE_BLOCK);
    List<Runnable> work = workload(bench, isDone);
    work.add(
        () -> {
          while (!isDone.getAsBoolean()) {
            for (boolean drains : new boolean[] {true, false}) {
              bench.pool().drain(DRAINED, drains);
              bench.figure(CHANGES_OF_THE_BLOCK, 1);
              pause(QUARANTINE.dividedBy(2));
            }
          }
        });
    bench.atOnce(work);
  }

  private static void sameClient(FaultBench bench) {
    inRounds(
        bench,
        (caller, round) -> Call.Claim.of("client-" + round),
        // One of them gives it back, so that there is one for the next round too.
        (caller, round) -> caller == round % CALLERS);
  }

  private static void namedValue(FaultBench bench) {
    List<String> values = bench.values();
    inRounds(
        bench,
        (caller, round) -> {
          // One of them wants any value: it may be given the one that the others name.
          Call.Claim any = Call.Claim.of("client-" + caller + "-" + round);
          return caller == 0 ? any : any.withValue(values.get(round));
        },
        (caller, round) -> caller % 2 == 0);
  }

  private static void ownerQuota(FaultBench bench) {
    inRounds(
        bench,
        (caller, round) ->
            Call.Claim.of("client-" + caller)
                .withOwner("owner-" + caller % 2)
                .withSlots(0, 1 + caller % RandomWorkload.SLOTS),
        (caller, round) -> true);
  }

  private static PoolSpec forBusyOwner(PoolSpec spec) {
    return spec.withPerClient(RandomWorkload.SLOTS).withPerOwner(Optional.of(400));
  }

  /** Clients get their last values again, so only a few values are ever held. */
  private static void busyOwner(FaultBench bench) {
    BooleanSupplier isDone = bench.untilEffortIsSpentAnd(FaultBench.GRANTED);
    List<Runnable> work = new ArrayList<>();
    for (int i = 0; i < CALLERS; i++) {
      int caller = i;
      RecordedAllocator instance = bench.instance(caller % FaultBench.INSTANCES);
      work.add(
          () -> {
            for (int turn = 0; !isDone.getAsBoolean(); turn++) {
              Call.Claim claim =
                  Call.Claim.of("client-" + caller + "-" + turn % 8).withOwner("busy");
              Answer answer =
                  instance.claim(turn % 4 == 0 ? claim.withSlots(0, RandomWorkload.SLOTS) : claim);
              RecordedAllocator.held(answer).forEach(instance::release);
            }
          });
    }
    bench.atOnce(work);
  }

  /** What one of the callers does in a round. */
  private interface InRound<T> {
    T of(int caller, int round);
  }

  /** All callers, spread over the instances, claim at once, then some release; repeatedly. */
  private static void inRounds(
      FaultBench bench, InRound<Call.Claim> claim, InRound<Boolean> releases) {
    CyclicBarrier together = new CyclicBarrier(CALLERS);
    List<Runnable> work = new ArrayList<>();
    for (int i = 0; i < CALLERS; i++) {
      int caller = i;
      RecordedAllocator instance = bench.instance(caller % FaultBench.INSTANCES);
      work.add(
          () -> {
            for (int round = 0; round < ROUNDS; round++) {
              await(together);
              Answer answer = instance.claim(claim.of(caller, round));
              await(together);
              if (releases.of(caller, round)) {
                RecordedAllocator.held(answer).forEach(instance::release);
              }
            }
          });
    }
    bench.atOnce(work);
  }

  private static void lateRenewal(FaultBench bench) {
    AtomicInteger toRenew = new AtomicInteger(bench.values().size());
    List<Runnable> work = new ArrayList<>();
    for (int i = 0; i < bench.values().size(); i++) {
      RecordedAllocator instance = bench.instance(i % FaultBench.INSTANCES);
      Random random = bench.random(i);
      Answer given = instance.claim(Call.Claim.of("holder-" + i).withLease(LEASE));
      work.add(
          () -> {
            // From a tenth before its end to a tenth after it.
            pause(LEASE.multipliedBy(900 + random.nextInt(200)).dividedBy(1_000));
            RecordedAllocator.held(given).forEach(held -> instance.renew(held, LEASE));
            toRenew.decrementAndGet();
          });
    }
    for (RecordedAllocator instance : bench.instances()) {
      work.add(
          () -> {
            for (int rival = 0; toRenew.get() > 0; rival++) {
              instance.claim(Call.Claim.of("rival-" + rival % bench.values().size()));
              pause(Duration.ofMillis(2));
            }
          });
    }
    bench.atOnce(work);
  }

  private static void lateRelease(FaultBench bench) {
    RecordedAllocator first = bench.instance(0);
    RecordedAllocator second = bench.instance(1);
    Call.Claim forALease = Call.Claim.of("late").withLease(LEASE);
    List<Held> late = RecordedAllocator.held(first.claim(forALease));
    claimUntilGiven(bench, second, "successor");
    late.forEach(held -> first.renew(held, LEASE));
    late.forEach(first::release);
    bench.instance(2).claim(Call.Claim.of("third"));
    first.count();
  }

  private static void rememberedEmpty(FaultBench bench) {
    awaitReleases(bench, () -> {});
  }

  private static void deadListener(FaultBench bench) {
    if (bench.throughSql()) {
      bench.notAvailable("the functions of SQL do not listen");
      return;
    }
    if (!bench.listen(HERE)) {
      bench.notAvailable("an instance hears nothing: notifications do not come through a pooler");
      return;
    }
    awaitReleases(
        bench,
        () -> {
          if (!bench.terminateListener()) {
            bench.complain("an instance whose listening session was terminated listens no more");
          }
        });
  }

  /**
   * Releases a value through another instance when this one knows that none is free, under a fault.
   */
  private static void awaitReleases(FaultBench bench, Runnable fault) {
    RecordedAllocator here = bench.instance(HERE);
    RecordedAllocator elsewhere = bench.instance(ELSEWHERE);
    long longestMillis = 0;
    long latestMillis = 0;
    for (int round = 0; round < ROUNDS_OF_WAITING; round++) {
      Answer given = elsewhere.claim(Call.Claim.of("holder-" + round));
      fault.run();
      here.claim(Call.Claim.of("waiting"));
      RecordedAllocator.held(given).forEach(elsewhere::release);
      Wait wait = claimUntilGiven(bench, here, "waiting");
      longestMillis = Math.max(longestMillis, wait.millis());
      latestMillis = Math.max(latestMillis, wait.latestMillis());
      wait.held().forEach(here::release);
    }
    here.count();
    bench.figure("longest until it was seen, ms", longestMillis);
    bench.figure("bound, ms", Pool.REMEMBERED_FOR.toMillis());
    // A busy machine delays answers; but a call that begins late may not be refused.
    long generousMillis = 4 * Pool.REMEMBERED_FOR.toMillis() + 1_000;
    if (latestMillis > generousMillis) {
      bench.complain(
          "a claim was refused %s ms after a release at another instance: expected at most %s ms"
              .formatted(latestMillis, Pool.REMEMBERED_FOR.toMillis()));
    }
  }

  /**
   * A wait for a value.
   *
   * @param held the value; empty if none was given
   * @param millis how long it took
   * @param latestMillis when the last call that was refused began, from the start of the wait
   */
  private record Wait(List<Held> held, long millis, long latestMillis) {}

  private static Wait claimUntilGiven(FaultBench bench, RecordedAllocator instance, String client) {
    long start = System.nanoTime();
    long latestMillis = 0;
    while (true) {
      long began = millisSince(start);
      List<Held> held = RecordedAllocator.held(instance.claim(Call.Claim.of(client)));
      if (!held.isEmpty()) {
        return new Wait(held, millisSince(start), latestMillis);
      }
      latestMillis = began;
      if (began > PATIENCE.toMillis()) {
        bench.complain("\"%s\" was given nothing for %s".formatted(client, PATIENCE));
        return new Wait(List.of(), millisSince(start), latestMillis);
      }
      pause(Duration.ofMillis(2));
    }
  }

  private static long millisSince(long nanoTime) {
    return (System.nanoTime() - nanoTime) / 1_000_000;
  }

  private static void await(CyclicBarrier barrier) {
    try {
      barrier.await(PATIENCE.toSeconds(), TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted", e);
    } catch (BrokenBarrierException | TimeoutException e) {
      throw new IllegalStateException("another of those who claim at once failed", e);
    }
  }

  private static void pause(Duration length) {
    LockSupport.parkNanos(length.toNanos());
  }
}
