package dev.mintmark.postgres.pool.numbers;

import java.util.concurrent.locks.LockSupport;

/** A clock that only goes forward, from any beginning: {@link System#nanoTime}, but in tests. */
interface MonotonicClock {
  /** What it shows, in nanoseconds. */
  long nanos();

  /** Lets about so many nanoseconds pass. */
  default void pause(long nanos) {
    LockSupport.parkNanos(this, nanos);
  }
}
