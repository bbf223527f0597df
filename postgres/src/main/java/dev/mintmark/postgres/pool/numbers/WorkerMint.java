package dev.mintmark.postgres.pool.numbers;

import dev.mintmark.ClockPolicy;
import dev.mintmark.Mint;
import dev.mintmark.MintException;
import dev.mintmark.Snowflake;
import dev.mintmark.SnowflakeLayout;
import dev.mintmark.postgres.pool.numbers.WorkerTerm.Scale;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Mints Snowflakes of its present {@link WorkerTerm}, and none after the term has ended.
 *
 * <p>The counter is a {@link Run}: one unit of time with one node number. Threads count with one
 * atomic addition each. A run is only replaced by a run of a later unit of time, by
 * compare-and-set, and belongs to one term, whose bounds include its time. So a thread may be
 * suspended at any point for any time: what it then takes from a run that was replaced long ago has
 * the time and the number of that run, and a place in it that no other thread has.
 *
 * <p>It never starts a run ahead of its clock; it waits instead: up to a unit of time if the
 * sequence is used up, and for the length of a correction if its clock was set back.
 */
final class WorkerMint implements Mint<Snowflake> {
  private static final VarHandle RUN;
  private static final Run BEFORE = Run.taken(Long.MIN_VALUE);
  private static final Run CLOSED = Run.taken(Long.MAX_VALUE);

  /** Short compared with a millisecond, the usual wait; long compared with reading a clock. */
  private static final long STEP_NANOS = 100_000;

  static {
    try {
      RUN = MethodHandles.lookup().findVarHandle(WorkerMint.class, "run", Run.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private final Scale scale;
  private final MonotonicClock monotonic;
  private final Successor successor;
  private final int sequenceMax;
  private final int sequenceShift;

  private volatile WorkerTerm term;
  private volatile Run run = BEFORE;

  /** Provides the next term after one has ended. */
  interface Successor {
    /**
     * Waits until there may be a later term than {@code ended}, for at most {@code nanos}.
     *
     * @throws MintException if there is none, with the reason
     */
    void await(WorkerTerm ended, long nanos);
  }

  /** A unit of time, its node number, and how many places of its sequence are used. */
  private static final class Run extends AtomicLong {
    private static final long serialVersionUID = 1L;

    /** The count of a used-up run: more than any sequence has, and far from an overflow. */
    private static final long TAKEN = Long.MAX_VALUE / 2;

    final long tick;
    final long bits;
    final long endNanos;

    private Run(long tick, long bits, long endNanos, long taken) {
      super(taken);
      this.tick = tick;
      this.bits = bits;
      this.endNanos = endNanos;
    }

    /** A unit of time without used places. */
    static Run of(long tick, long bits, long endNanos) {
      return new Run(tick, bits, endNanos, 0);
    }

    /** The run before the first and after the last one. */
    static Run taken(long tick) {
      return new Run(tick, 0, 0, TAKEN);
    }
  }

  WorkerMint(
      SnowflakeLayout layout, WorkerTerm term, MonotonicClock monotonic, Successor successor) {
    this.scale = Scale.of(layout);
    this.monotonic = monotonic;
    this.successor = successor;
    this.sequenceMax = layout.sequenceMax();
    this.sequenceShift = layout.sequenceFirst() ? layout.nodeBits() : 0;
    this.term = term;
  }

  @Override
  public Snowflake mint() {
    Run run = this.run;
    while (true) {
      if (monotonic.nanos() - run.endNanos < 0) {
        long sequence = run.getAndIncrement();
        if (sequence <= sequenceMax) {
          return id(run, sequence);
        }
      }
      run = runAfter(run);
    }
  }

  @Override
  public List<Snowflake> mint(int count) {
    if (count < 1 || count > COUNT_MAX) {
      throw new IllegalArgumentException("count is " + count + ": expected 1 to " + COUNT_MAX);
    }
    List<Snowflake> ids = new ArrayList<>(count);
    Run run = this.run;
    while (ids.size() < count) {
      if (monotonic.nanos() - run.endNanos < 0) {
        int wanted = count - ids.size();
        long first = run.getAndAdd(wanted);
        long end = Math.min(first + wanted, sequenceMax + 1L);
        for (long sequence = first; sequence < end; sequence++) {
          ids.add(id(run, sequence));
        }
      }
      if (ids.size() < count) {
        run = runAfter(run);
      }
    }
    return Collections.unmodifiableList(ids);
  }

  @Override
  public Duration drift() {
    long tick = run.tick;
    if (tick == BEFORE.tick || tick == CLOSED.tick) {
      return Duration.ZERO;
    }
    long ahead = scale.micros(tick) - term.clock().microsAt(monotonic.nanos());
    return Duration.of(Math.max(0, ahead), ChronoUnit.MICROS);
  }

  /** The present term, or the last one. */
  WorkerTerm term() {
    return term;
  }

  /** Continues with another term. Identifiers in progress stay within the previous term. */
  void begin(WorkerTerm next) {
    term = next;
  }

  /**
   * Stops minting. An identifier in progress has the returned time, or an earlier one. Call it
   * once.
   *
   * @return the last unit of time that was used, or {@link Long#MIN_VALUE} if none was
   */
  long close() {
    return ((Run) RUN.getAndSet(this, CLOSED)).tick;
  }

  private Snowflake id(Run run, long sequence) {
    return Snowflake.of(run.bits + (sequence << sequenceShift));
  }

  /** Returns the run after {@code over}, whose time has passed or whose sequence is used up. */
  private Run runAfter(Run over) {
    long started = monotonic.nanos();
    long now = started;
    while (run == over) {
      if (over == CLOSED) {
        throw new MintException("the mint is closed");
      }
      WorkerTerm term = this.term;
      long next = Math.max(over.tick + 1, term.firstTick());
      long tick = scale.tickAt(term.clock().microsAt(now));
      long leftNanos = ClockPolicy.WAIT_MAX.toNanos() - (now - started);
      if (Math.max(tick, next) >= term.endTick() || now - term.untilNanos() >= 0) {
        successor.await(term, leftNanos);
      } else if (tick < next) {
        pause(term, next, now, leftNanos);
      } else {
        long endNanos = term.clock().nanosAt(scale.micros(tick + 1));
        Run made = Run.of(tick, scale.firstBits(tick, term.node()), endNanos);
        RUN.compareAndSet(this, over, made);
      }
      now = monotonic.nanos();
    }
    return run;
  }

  /** Waits in steps for a unit of time to begin; fails if that would take too long. */
  private void pause(WorkerTerm term, long tick, long now, long leftNanos) {
    long nanos = term.clock().nanosAt(scale.micros(tick)) - now;
    if (nanos > leftNanos) {
      throw new MintException(
          "node "
              + term.node()
              + " may be stamped from "
              + scale.time(tick)
              + " on, which is "
              + TimeUnit.NANOSECONDS.toMillis(nanos)
              + " ms ahead: the lease of its holder before ends then, or its last identifier was"
              + " made then; the mint waits for "
              + ClockPolicy.WAIT_MAX.toMillis()
              + " ms at most");
    }
    if (Thread.currentThread().isInterrupted()) {
      throw new MintException("the mint was interrupted while it waited for its clock");
    }
    monotonic.pause(Math.min(nanos, STEP_NANOS));
  }
}
