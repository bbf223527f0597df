package dev.mintmark.postgres.pool.numbers;

import java.util.concurrent.locks.LockSupport;

/** A clock that never goes back, with any origin: {@link System#nanoTime} except in tests. */
interface MonotonicClock {
  /** The present time, in nanoseconds. */
  long nanos();

  /** Waits for about so many nanoseconds. */
  default void pause(long nanos) {
    LockSupport.parkNanos(this, nanos);
  }
}
