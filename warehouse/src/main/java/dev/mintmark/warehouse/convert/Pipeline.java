package dev.mintmark.warehouse.convert;

import dev.mintmark.warehouse.convert.Conversion.Outcome;
import dev.mintmark.warehouse.convert.Conversion.Progress;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Reads, converts and writes slices of the input at the same time, in several threads that all do
 * the same: each reads the next slice, converts it, waits for its turn, joins it to those before,
 * and writes it.
 *
 * <pre>
 *   thread 1   read 0 | convert 0      | join 0, write 0 | read 2 | convert 2      | ...
 *   thread 2            read 1 | convert 1       | join 1, write 1 | read 3 | convert 3
 * </pre>
 *
 * <p>One thread reads at a time, and one has its turn. Into a file, several write at the same time.
 * The calling thread is one of the threads. The others are started when the input is longer than a
 * few slices, and have ended when {@link #run} returns or throws. They never wait for input: only
 * the calling thread starts a read that may block, and only after everything that was read is in
 * the output. So another program can write a row and read its result.
 */
final class Pipeline {
  /** The number of slices that are read before another thread is started. */
  private static final int SLICES_ALONE = 2;

  /** The time between two looks whether a stream that was empty has input, while others work. */
  private static final long POLL_NANOS = TimeUnit.MICROSECONDS.toNanos(100);

  /** The number of no slice: there is nothing to read. */
  private static final long NONE = -1;

  private final SliceSource source;
  private final RowFormat format;
  private final Slicing slicing;
  private final OrderedOutput output;
  private final RejectSink rejects;
  private final Turn turn;

  private final ReentrantLock lock = new ReentrantLock();

  /** Signalled to a helper, and to the caller, when it may read. */
  private final Condition helperMayRead = lock.newCondition();

  private final Condition callerMayRead = lock.newCondition();

  /**
   * Signalled when a slice has its turn: that of its number modulo the number of threads. No thread
   * has two slices, so no two slices of these have the same.
   */
  private final List<Condition> turns;

  // The lock guards everything below.

  private final List<Thread> helpers = new ArrayList<>();

  /** The numbers of slices that were read, joined, and written. */
  private long read;

  private long joined;
  private long written;

  private boolean reading;

  /** Whether the read may block, or would if it began. */
  private boolean waiting;

  /** Whether the end of the input was read. */
  private boolean exhausted;

  /** Whether a failure or a reject ended the run. */
  private boolean stopped;

  private @Nullable Throwable failure;

  Pipeline(
      InputStream in,
      Output output,
      RowFormat format,
      RejectSink rejects,
      Progress progress,
      Slicing slicing,
      int rowSize)
      throws IOException {
    this.source = new SliceSource(in, slicing.size());
    this.format = format;
    this.slicing = slicing;
    this.output = new OrderedOutput(output);
    this.rejects = rejects;
    this.turn = new Turn(format, this.output, rejects, progress, slicing.size(), rowSize);
    this.turns = Stream.generate(lock::newCondition).limit(slicing.threads()).toList();
  }

  /** Converts the input to its end, or up to a reject that stops the conversion. */
  Outcome run() throws IOException {
    try {
      work(true);
      awaitHelpers();
      throwFailure();
      return turn.end();
    } finally {
      output.close();
    }
  }

  private void work(boolean isCaller) {
    try (Slice slice = new Slice(slicing, rejects.isAside(), output.isGzip())) {
      for (long number = read(slice, isCaller); number != NONE; number = read(slice, isCaller)) {
        convert(slice, number);
        if (awaitTurn(number)) {
          long place = turn.join(slice);
          endTurn();
          output.write(slice, place);
          endWrite();
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      stop(new InterruptedIOException("the thread was interrupted"));
    } catch (Throwable e) {
      stop(e);
    }
  }

  /** Reads the next slice, and returns its number, or {@link #NONE} if there is none. */
  private long read(Slice slice, boolean isCaller) throws IOException, InterruptedException {
    while (beginRead(isCaller)) {
      boolean isTaken = false;
      try {
        if (waiting) {
          output.flush();
        }
        isTaken = source.read();
        if (isTaken) {
          source.moveTo(slice);
        }
      } catch (Throwable e) {
        // Everything that was read before is written first, unless that ends the run.
        if (awaitTurn(endRead(true, true))) {
          throw e;
        }
        return NONE;
      }
      long number = endRead(isTaken, isTaken && slice.isLast());
      if (isTaken) {
        return number;
      }
    }
    return NONE;
  }

  private void convert(Slice slice, long number) throws IOException, InterruptedException {
    if (!turn.isFormatKnown()) {
      return;
    }
    try {
      slice.convertAhead(format);
    } catch (Throwable e) {
      // An earlier slice that ended the run comes first.
      if (awaitTurn(number)) {
        throw e;
      }
    }
  }

  /** Waits until this thread may read. Returns {@code false} if there is nothing to read. */
  private boolean beginRead(boolean isCaller) throws InterruptedException {
    lock.lockInterruptibly();
    try {
      Condition mayRead = isCaller ? callerMayRead : helperMayRead;
      while (!isOver() && (reading || !isReadable(isCaller))) {
        if (reading || written == read) {
          mayRead.await();
        } else {
          mayRead.awaitNanos(POLL_NANOS);
        }
      }
      reading = !isOver();
      return reading;
    } finally {
      lock.unlock();
    }
  }

  private boolean isReadable(boolean isCaller) {
    waiting = source.mayBlock();
    return !waiting || (isCaller && written == read);
  }

  private boolean isOver() {
    return exhausted || stopped;
  }

  /** Returns the number of the slice that was read, if any. */
  private long endRead(boolean isTaken, boolean isLast) {
    lock.lock();
    try {
      reading = false;
      exhausted = isLast;
      if (exhausted) {
        wakeReaders();
      } else {
        callerMayRead.signal();
        helperMayRead.signal();
        startHelper();
      }
      return isTaken ? read++ : NONE;
    } finally {
      lock.unlock();
    }
  }

  private void startHelper() {
    boolean isWanted =
        helpers.size() < slicing.threads() - 1
            && source.count() > (long) SLICES_ALONE * slicing.size()
            && turn.isFormatKnown()
            && !stopped;
    if (isWanted) {
      Thread helper = new Thread(() -> work(false), "mintmark-convert-" + (helpers.size() + 1));
      helper.setDaemon(true);
      helper.start();
      helpers.add(helper);
    }
  }

  /** Waits until it is the turn of a slice. Returns {@code false} if the run was stopped. */
  private boolean awaitTurn(long number) throws InterruptedException {
    lock.lockInterruptibly();
    try {
      while (joined != number && !stopped) {
        turns.get((int) (number % turns.size())).await();
      }
      return !stopped;
    } finally {
      lock.unlock();
    }
  }

  private void endTurn() {
    lock.lock();
    try {
      joined++;
      if (turn.isStopped()) {
        stop(null);
      }
      turns.get((int) (joined % turns.size())).signal();
    } finally {
      lock.unlock();
    }
  }

  private void endWrite() {
    lock.lock();
    try {
      written++;
      callerMayRead.signal();
    } finally {
      lock.unlock();
    }
  }

  /** Ends the run after the slices that have had their turn. Keeps the first failure. */
  private void stop(@Nullable Throwable cause) {
    lock.lock();
    try {
      if (failure == null) {
        failure = cause;
      }
      stopped = true;
      wakeReaders();
      turns.forEach(Condition::signalAll);
    } finally {
      lock.unlock();
    }
  }

  private void wakeReaders() {
    callerMayRead.signalAll();
    helperMayRead.signalAll();
  }

  /** Waits for the end of all helpers. They wait for nothing but each other. */
  private void awaitHelpers() {
    boolean interrupted = false;
    for (Thread helper : helpers()) {
      while (helper.isAlive()) {
        try {
          helper.join();
        } catch (InterruptedException e) {
          interrupted = true;
        }
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  private List<Thread> helpers() {
    lock.lock();
    try {
      return List.copyOf(helpers);
    } finally {
      lock.unlock();
    }
  }

  private void throwFailure() throws IOException {
    lock.lock();
    try {
      if (failure instanceof IOException io) {
        throw io;
      }
      if (failure instanceof Error error) {
        throw error;
      }
      if (failure != null) {
        throw (RuntimeException) failure;
      }
    } finally {
      lock.unlock();
    }
  }
}
