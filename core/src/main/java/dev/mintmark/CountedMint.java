package dev.mintmark;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.time.Duration;
import java.time.InstantSource;
import java.util.concurrent.atomic.AtomicLong;
import java.util.random.RandomGenerator;

/**
 * A mint that counts within a millisecond, so that each identifier is greater than the one before,
 * whichever thread asks and whatever the clock does.
 *
 * <p>What is counted stands in a {@link Run}, one for a millisecond. Threads add to the run with
 * one atomic addition each, and never retry: a loop of compare-and-set collapses when two threads
 * run it. Only the first identifier of a millisecond replaces the run, which is never by one of an
 * earlier millisecond. A thread that still adds to a run that was replaced began before it was, so
 * its identifier may stand before those of the new one.
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

  final MillisecondLayout<T> layout;
  final RandomGenerator entropy;
  private final InstantSource clock;
  private final ClockGuard guard;
  private volatile Run last = new Run(-1, Ulid.of(0, 0));

  CountedMint(MillisecondLayout<T> layout, MintOptions options) {
    this.layout = layout;
    this.entropy = Entropy.shared(options.entropy());
    this.clock = options.clock();
    this.guard = new ClockGuard(clock, options.clockPolicy());
  }

  /** A millisecond, and how many identifiers, or how large a sum of steps, there are of it. */
  static final class Run extends AtomicLong {
    private static final long serialVersionUID = 1L;

    final long millis;
    final transient Ulid start;

    Run(long millis, Ulid start) {
      this.millis = millis;
      this.start = start;
    }
  }

  @Override
  public final Duration drift() {
    return guard.drift(last.millis);
  }

  /** The run to count in now: that of the clock's millisecond, or the last one if that is later. */
  final Run run() {
    long now = MillisecondLayout.now(clock);
    Run run = last;
    while (run.millis < now) {
      Run next = new Run(now, Entropy.draw80(entropy));
      if (LAST.compareAndSet(this, run, next)) {
        return next;
      }
      run = last;
    }
    if (run.millis > now) {
      guard.settle(run.millis);
    }
    return run;
  }

  /** The run to count in when there is no room left in {@code full}: borrowed from the future. */
  final Run runAfter(Run full) {
    long next = full.millis + 1;
    if (next > Ulid.TIME_MILLIS_MAX) {
      throw new MintException("the last millisecond that 48 bits can count is used up");
    }
    guard.settle(next);
    LAST.compareAndSet(this, full, new Run(next, Entropy.draw80(entropy)));
    return last;
  }
}
