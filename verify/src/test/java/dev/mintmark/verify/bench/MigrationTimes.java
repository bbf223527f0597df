package dev.mintmark.verify.bench;

import dev.mintmark.operations.migrate.MigrationListener;
import dev.mintmark.operations.migrate.Phase;
import dev.mintmark.operations.migrate.Step;
import dev.mintmark.operations.migrate.TableLock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** When the steps of a run began and ended, and why it waited. */
final class MigrationTimes implements MigrationListener {
  private final List<Ran> steps = new ArrayList<>();
  private final Map<String, Long> waits = new TreeMap<>();
  private long started;
  private long lastTry;

  /**
   * A step that was run or undone.
   *
   * @param lastTry when it was tried again for the last time
   */
  record Ran(Step step, long from, long lastTry, long to) {
    /** Of the last try. */
    double millis() {
      return (to - lastTry) / 1e6;
    }

    double seconds() {
      return (to - from) / 1e9;
    }
  }

  /** From when to when a phase went on. */
  record Period(long from, long to) {
    double seconds() {
      return (to - from) / 1e9;
    }
  }

  @Override
  public void started(Step step, StepPosition position) {
    started = System.nanoTime();
    lastTry = started;
  }

  @Override
  public void waiting(Step step, String why, Duration howLong) {
    waits.merge(step.phase().label() + ": " + why.replaceAll("[0-9]+", "N"), 1L, Long::sum);
    lastTry = System.nanoTime() + howLong.toNanos();
  }

  @Override
  public void finished(Step step) {
    steps.add(new Ran(step, started, lastTry, System.nanoTime()));
  }

  /** In the order they were run. */
  Map<Phase, Period> phases() {
    Map<Phase, Period> phases = new TreeMap<>();
    for (Ran ran : steps) {
      phases.merge(
          ran.step().phase(),
          new Period(ran.from(), ran.to()),
          (a, b) -> new Period(Math.min(a.from(), b.from()), Math.max(a.to(), b.to())));
    }
    return phases;
  }

  List<Ran> steps() {
    return steps;
  }

  Map<String, Long> waits() {
    return waits;
  }

  /**
   * How long the switch, or its undoing, was on its way at most, the wait for its locks included:
   * steps that lock tables for all.
   */
  double switchMillis() {
    return steps.stream()
        .filter(ran -> ran.step().phase() == Phase.SWITCH && isForAll(ran.step()))
        .mapToDouble(Ran::millis)
        .max()
        .orElse(0);
  }

  private static boolean isForAll(Step step) {
    return step.locks().stream().anyMatch(lock -> lock.mode() == TableLock.Mode.ACCESS_EXCLUSIVE);
  }

  /** Rows that were filled in a second, by the steps that are to fill all of them. */
  double filledPerSecond() {
    long filled = 0;
    long nanos = 0;
    for (Ran ran : steps) {
      if (ran.step().phase() == Phase.BACKFILL
          && ran.step().work() == Step.Work.BACKFILL
          && ran.step().estimate().walBytes() > 0) {
        filled += ran.step().estimate().rows();
        nanos += ran.to() - ran.from();
      }
    }
    return nanos == 0 ? 0 : filled / (nanos / 1e9);
  }
}
