package dev.mintmark.app.maintenance;

import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;

/**
 * Work that runs in a thread of its own, one run at a time, and the result of the last run. Safe
 * for use by many threads.
 */
final class LatestRun<T> implements AutoCloseable {
  private final String name;
  private final InstantSource clock;
  private @Nullable Thread thread;
  private @Nullable Instant runningSince;
  private @Nullable Result<T> last;

  /**
   * @param name the name of the thread
   */
  LatestRun(String name, InstantSource clock) {
    this.name = name;
    this.clock = clock;
  }

  /** How a run ended: with a value, or a failure. */
  private record Result<T>(Instant ended, Optional<T> value, Optional<String> failure) {}

  synchronized RunState<T> state() {
    Optional<Result<T>> result = Optional.ofNullable(last);
    return new RunState<>(
        Optional.ofNullable(runningSince),
        result.map(Result::ended),
        result.flatMap(Result::value),
        result.flatMap(Result::failure));
  }

  /** Starts the work, unless a run is in progress. */
  synchronized void start(Callable<T> work) {
    if (runningSince != null) {
      return;
    }
    runningSince = clock.instant();
    thread = new Thread(() -> finish(work), name);
    thread.setDaemon(true);
    thread.start();
  }

  private void finish(Callable<T> work) {
    Result<T> result = null;
    try {
      result = run(work);
    } finally {
      end(result);
    }
  }

  /** Ends the run; without a result, which an error prevented, the last one stays. */
  private synchronized void end(@Nullable Result<T> result) {
    runningSince = null;
    if (result != null) {
      last = result;
    }
  }

  private Result<T> run(Callable<T> work) {
    try {
      T value = work.call();
      return new Result<>(clock.instant(), Optional.of(value), Optional.empty());
    } catch (Exception e) {
      return new Result<>(clock.instant(), Optional.empty(), Optional.of(Failure.text(e)));
    }
  }

  @Override
  public synchronized void close() {
    if (thread != null) {
      thread.interrupt();
    }
  }
}
