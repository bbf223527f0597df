package dev.mintmark;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.time.Duration;
import java.time.InstantSource;
import java.util.random.RandomGenerator;

/**
 * A mint that counts within a millisecond, so that each identifier is greater than the one before,
 * across threads and also if the clock steps back.
 *
 * <p>The count is in a {@link Run}, one for each millisecond. Each thread adds to the run with one
 * atomic addition and never retries: a compare-and-set loop collapses under two threads. Only the
 * first identifier of a millisecond replaces the run, never by one of an earlier millisecond unless
 * the mint {@linkplain ClockPolicy#RETURN_TO_CLOCK returns to its clock}. A thread that adds to a
 * replaced run started before the replacement, so its identifier may be less than those of the new
 * run.
 */
abstract sealed class CountedMint<T> implements Mint<T> permits AscendingMint, SpecMint {
  private static final VarHandle LAST;

  static {
    try {
      LAST = MethodHandles.lookup().findVarHandle(CountedMint.class, "last", Run.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private static final Run BEFORE_ALL = new Run(-1, Ulid.of(0, 0));

  final MillisecondLayout<T> layout;
  final RandomGenerator entropy;
  final InstantSource clock;
  private final ClockGuard guard;
  private volatile Run last = BEFORE_ALL;

  CountedMint(MillisecondLayout<T> layout, MintOptions options) {
    this.layout = layout;
    this.entropy = Entropy.shared(options.entropy());
    this.clock = options.clock();
    this.guard = new ClockGuard(options);
  }

  /**
   * A millisecond with the number of its identifiers or the sum of its steps. All threads write the
   * count and read the rest, so the count has a cache line of its own: it is in the middle of an
   * array, with more than a line on either side.
   */
  static final class Run {
    private static final VarHandle COUNTS = MethodHandles.arrayElementVarHandle(long[].class);
    private static final int COUNT = 16;

    final long millis;
    final Ulid start;
    private final long[] counts = new long[2 * COUNT + 1];

    Run(long millis, Ulid start) {
      this.millis = millis;
      this.start = start;
    }

    long getAndAdd(long addend) {
      return (long) COUNTS.getAndAdd(counts, COUNT, addend);
    }

    void set(long count) {
      COUNTS.setVolatile(counts, COUNT, count);
    }
  }

  @Override
  public final Duration drift() {
    return guard.drift(last.millis);
  }

  /** The run of a present time of the clock, or the last one if that is later. */
  final Run run(long now) {
    Run run = last;
    while (run.millis < now) {
      Run next = new Run(now, Entropy.draw80(entropy, clock, now));
      if (LAST.compareAndSet(this, run, next)) {
        return next;
      }
      run = last;
    }
    if (run.millis > now) {
      if (guard.returnsToClock(run.millis)) {
        return replaced(run, now);
      }
      guard.settle(run.millis);
    }
    return run;
  }

  /** Replaces a run, unless another thread has done so, and returns the present one. */
  private Run replaced(Run run, long millis) {
    LAST.compareAndSet(this, run, new Run(millis, Entropy.draw80(entropy)));
    return last;
  }

  /** The run after {@code full} has no room left: it borrows from the next millisecond. */
  final Run runAfter(Run full) {
    long next = full.millis + 1;
    if (next > Ulid.TIME_MILLIS_MAX) {
      throw new MintException("the last millisecond that 48 bits can count is used up");
    }
    if (guard.returnsToClock(next)) {
      return replaced(full, MillisecondLayout.now(clock));
    }
    guard.settle(next);
    return replaced(full, next);
  }
}
